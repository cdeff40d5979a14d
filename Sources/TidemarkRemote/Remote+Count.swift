import HTTPTypes
import TidemarkModel

import struct Foundation.URL

extension Remote {
    /// Requests the number of objects of a resource.
    ///
    /// The request is configured by ``ListStyle/count``: a `HEAD` request whose response has the
    /// number in a header field, or a query that returns no objects but the total.
    ///
    /// - Returns: The number, or nil if the service does not report one.
    /// - Throws: ``RemoteError``, or `CancellationError` if the task is cancelled.
    public func count(of resource: RemoteResource) async throws -> Int? {
        switch resource.style.count {
        case .none:
            return nil
        case .head(let name):
            let url = try service.address(of: resource)
            let response = try await transport.send(try request(.head, url), body: nil)
            try await expectSuccess(response)
            return TotalCount.header(name).number(nil, response.head.headerFields)
        case .query(let items):
            guard var query = PageQuery(try service.address(of: resource)) else { return nil }
            query.set(items)
            guard let url = query.url else { return nil }
            let response = try await transport.send(try request(.get, url), body: nil)
            try await expectSuccess(response)
            let bytes = try await response.collect(upTo: limits.bodyInMemory)
            try checkJSON(response, bytes)
            let body = try document(bytes, of: ResponseContext(response))
            return number(BodyFacts(body), response.head.headerFields, of: resource)
        }
    }

    private func number(
        _ body: BodyFacts,
        _ headers: HTTPFields,
        of resource: RemoteResource
    ) -> Int? {
        guard resource.style.total == .automatic else {
            return resource.style.total.number(body, headers)
        }
        let list = envelope(of: resource, body)
        return ListRecognition(body, headers, list: list, count: 0).totalCount
    }

    /// Requests the header fields of an unmodified page and checks that it is still the last page
    /// of its list.
    ///
    /// A 304 response need not repeat fields such as `Link`, so it cannot show that a page was
    /// appended. A `HEAD` request can.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - count: The number of objects in the list when it was read.
    /// - Returns: True if the response names no next page and has the same total, or, if it has no
    ///   total, the same validator. False if the service does not support `HEAD` for the page.
    /// - Throws: ``RemoteError`` if the request fails, or `CancellationError` if the task is
    ///   cancelled.
    package func isLast(_ page: NotModifiedPage, total count: Int?) async throws -> Bool {
        let url = try address(of: page.request)
        let response = try await transport.send(try request(.head, url), body: nil)
        guard response.head.status == .ok else { return false }
        let headers = response.head.headerFields
        let trace = ItemTrace(page.request.resource.style, headers)
        let next = try next(
            after: page.request.unrecognized,
            page.target,
            headers,
            nil,
            trace,
            total: nil
        )
        guard next == nil else { return false }
        if let total = page.request.total.number(nil, headers) { return total == count }
        // A response to HEAD may omit fields that GET would have. Only one with the page's
        // validator describes the same representation.
        return page.request.validator?.isSame(in: headers) ?? false
    }

    /// Returns the URL of a page in the form that is stored, which identifies the page: without
    /// secrets.
    package func location(of request: PageRequest) throws -> String {
        service.withoutSecrets(try address(of: request)).absoluteString
    }
}
