package import HTTPTypes
package import TidemarkModel

/// A transport that follows redirects, up to a limit and only within the service.
///
/// Header fields are sent to the new location too, because it must be the service's origin or one
/// of ``Service/origins``. Of methods other than GET and HEAD, only redirects that keep the method
/// and the body are followed (307 and 308: RFC 9110, 15.4.8 and 15.4.9). Others are returned as
/// responses: following them could turn a write into another request.
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
        let isRead = request.method == .get || request.method == .head
        let statuses = isRead ? [301, 302, 303, 307, 308] : [307, 308]
        return statuses.contains(head.status.code) ? head.headerFields[.location] : nil
    }
}
