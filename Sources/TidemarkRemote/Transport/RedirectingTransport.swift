package import HTTPTypes
package import TidemarkModel

/// A transport that follows redirects of GET and HEAD requests, up to a limit and only within the
/// service.
///
/// Header fields are sent to the new location too, because it must be the service's origin or one
/// of ``Service/origins``. Redirects of other methods are returned as responses: following them
/// could turn a write into another request.
package struct RedirectingTransport<Wrapped: Transport>: Transport {
    private let wrapped: Wrapped
    private let service: Service
    private let limits: Limits

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - wrapped: The transport that sends the requests.
    ///   - service: The service whose origins redirects may lead to.
    ///   - limits: `Limits.http.redirects` is the number of redirects to follow for one request.
    package init(_ wrapped: Wrapped, within service: Service, limits: Limits = Limits()) {
        self.wrapped = wrapped
        self.service = service
        self.limits = limits
    }

    /// Sends a request, and follows its redirects.
    ///
    /// - Throws: ``RemoteError/Code/redirectRejected`` if a redirect leads to another origin or
    ///   there are too many, and errors of the wrapped transport.
    package func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let secrets = service.secrets(of: request)
        var request = request
        for _ in 0...max(0, limits.http.redirects) {
            let response = try await wrapped.send(request, body: body)
            guard let location = response.redirection, let base = request.url else {
                return response
            }
            let url = try service.resolve(
                location,
                from: base,
                rejectedAs: .redirectRejected,
                hiding: secrets
            )
            request = try request.with(url: url)
        }
        throw RemoteError(
            .redirectRejected,
            "\(request.method) \(request.url.map(secrets.masked) ?? ""): more than "
                + "\(limits.http.redirects) redirects.",
            hint: "The service redirects in a loop; report it to its operator."
        )
    }
}

extension TransportResponse {
    fileprivate var redirection: String? {
        guard [301, 302, 303, 307, 308].contains(head.status.code),
            request.method == .get || request.method == .head
        else { return nil }
        return head.headerFields[.location]
    }
}
