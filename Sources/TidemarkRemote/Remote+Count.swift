import HTTPTypes
import TidemarkModel

import struct Foundation.URL

extension Remote {
    /// Asks how many objects a resource has; nil where the service does not tell.
    ///
    /// - Throws: ``RemoteError``; `CancellationError` untouched.
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

    /// Requests the header fields of an unmodified page, and returns whether it is still the last
    /// one of its list.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - count: How many objects the list had.
    /// - Returns: Whether no next page is named, and the total is the same, or else the validator;
    ///   false where the service does not answer `HEAD` as it answers `GET`.
    /// - Throws: ``RemoteError`` where it cannot be reached; `CancellationError` untouched.
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
        // Only a response with the validator of the page has the fields that one to GET would have.
        return page.request.validator?.isSame(in: headers) ?? false
    }

    /// The URL of a page as it may be kept: that by which the page is known.
    package func location(of request: PageRequest) throws -> String {
        service.withoutSecrets(try address(of: request)).absoluteString
    }
}
