public import HTTPTypes
public import TidemarkModel

/// Follows redirects of GET and HEAD, a limited number, and only within the service.
///
/// Header fields travel along, for they go only where the service's own requests may go: its
/// origin, and those that ``Service/origins`` lists. Redirects of other methods come back as they
/// are: following them would turn a write into something else.
public struct RedirectingTransport<Wrapped: Transport>: Transport {
    private let wrapped: Wrapped
    private let service: Service
    private let limits: Limits

    /// Wraps a transport.
    public init(_ wrapped: Wrapped, within service: Service, limits: Limits = Limits()) {
        self.wrapped = wrapped
        self.service = service
        self.limits = limits
    }

    /// Sends a request, and again to where it is redirected.
    ///
    /// - Throws: ``RemoteError`` with ``RemoteError/Code/redirectRefused`` where a redirect leads
    ///   out of the service or there are too many, and what the wrapped transport throws.
    public func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let secrets = service.secrets(of: request)
        var request = request
        for _ in 0...max(0, limits.redirects) {
            let response = try await wrapped.send(request, body: body)
            guard let location = response.redirection, let base = request.target else {
                return response
            }
            let url = try service.admit(
                location,
                from: base,
                code: .redirectRefused,
                hiding: secrets
            )
            guard
                let next = HTTPRequest(request.method, to: url, headerFields: request.headerFields)
            else { throw RemoteError.invalid(request) }
            request = next
        }
        throw RemoteError(
            .redirectRefused,
            "\(request.method) \(request.target.map(secrets.masked) ?? ""): more than "
                + "\(limits.redirects) redirects.",
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
