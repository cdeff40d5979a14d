import HTTPTypes
import TidemarkModel

extension Remote {
    /// Requests the number of objects of a resource.
    ///
    /// The request is configured by ``ResourceStyle/count``: a `HEAD` request whose response has
    /// the number in a header field, or a query that returns no objects but the total.
    ///
    /// - Returns: The number, or nil if the service does not report one.
    /// - Throws: ``RemoteError``, or `CancellationError` if the task is cancelled.
    package func count(of resource: RemoteResource) async throws -> Int? {
        switch resource.style.count {
        case .none:
            return nil
        case .head(let name):
            let (response, context) = try await send(.head, to: service.url(of: resource))
            try await expectSuccess(response)
            return TotalCount.header(name).number(in: .none, headers: context.headers)
        case .query(let items):
            guard let url = try service.url(of: resource).setting(items) else { return nil }
            let (response, context) = try await send(.get, to: url)
            let body = try await document(
                of: response,
                in: context,
                limit: limits.http.bodyInMemory
            )
            let members = DocumentMembers(body)
            guard resource.style.total == .automatic else {
                return resource.style.total.number(in: members, headers: context.headers)
            }
            let list = resource.style.path(in: members)
            let evidence = PaginationEvidence(members, headers: context.headers, list: list)
            return PaginationRecognition(evidence, count: 0).totalCount
        }
    }

    /// Requests the header fields of an unmodified page and checks that it is still the last page
    /// of its list.
    ///
    /// A 304 response need not repeat fields such as `Link`, so it cannot show that a page was
    /// appended (RFC 9110, 15.4.5). A `HEAD` request can.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - count: The number of objects in the list when it was read.
    /// - Returns: True if the response names no next page and has the same total, or, if it has no
    ///   total, the same validator. False if the service does not support `HEAD` for the page.
    /// - Throws: ``RemoteError`` if the request fails, or `CancellationError` if the task is
    ///   cancelled.
    package func isLast(_ page: PageResponse.NotModified, total count: Int?) async throws -> Bool {
        let (response, head) = try await send(.head, to: url(of: page.request))
        guard response.head.status == .ok else { return false }
        let reader = MetadataReader(self, of: page.request.unrecognized, in: head)
        guard try reader.linkedPage() == nil else { return false }
        let total = page.request.total.number(in: .none, headers: head.headers)
        if let total { return total == count }
        // A response to HEAD may omit fields that GET would have (RFC 9110, 9.3.2). Only one with
        // the page's validator describes the same representation.
        return page.request.validator?.matches(head.headers) ?? false
    }
}
