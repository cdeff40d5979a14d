import HTTPTypes
public import TidemarkModel

import struct Foundation.URL

/// A service as one reads from it: pages of resources, over a transport.
///
/// ```swift
/// let remote = Remote(.rest(url: address), over: URLSessionTransport(), environment: environment)
/// var request: PageRequest? = PageRequest(first: remote.service.resource("Film", path: "films"))
/// while let asked = request {
///     let page = try await remote.page(asked)
///     request = page.next
/// }
/// ```
public struct Remote: Sendable {
    /// The service that is asked.
    public let service: Service

    let limits: Limits
    let environment: Environment
    private let transport: any Transport

    /// Creates a remote whose requests are redirected within the service and tried again, as the
    /// limits allow.
    ///
    /// - Parameters:
    ///   - service: The service to ask.
    ///   - transport: What carries the requests.
    ///   - environment: Where waiting, chance and the time come from.
    ///   - limits: The bounds of pages, bytes, redirects and attempts.
    ///   - onRetry: Told before a request is tried again: after how long, and why.
    public init(
        _ service: Service,
        over transport: some Transport,
        environment: Environment,
        limits: Limits = Limits(),
        onRetry: @escaping @Sendable (_ after: Duration, _ reason: RemoteError) -> Void = { _, _ in
        }
    ) {
        self.service = service
        self.limits = limits
        self.environment = environment
        self.transport = Retrying(
            Redirecting(transport, within: service, limits: limits),
            environment: environment,
            limits: limits,
            onRetry: onRetry
        )
    }

    /// Fetches one page of a resource.
    ///
    /// The page names the next one, which is checked: it must belong to the service, must not have
    /// been read in this walk, and must not be one more than the limit.
    ///
    /// - Throws: ``RemoteError`` where there is no such page; `CancellationError` untouched.
    public func page(_ request: PageRequest) async throws -> Page {
        let url = try address(of: request)
        guard let get = HTTPRequest(.get, to: url, headerFields: fields) else {
            throw RemoteError(.invalidRequest, "\(url.shown) is no address of a service.")
        }
        let response = try await transport.send(get, body: nil)
        let bytes = try await document(of: response)
        return try page(request, at: url, bytes: bytes, of: response)
    }

    private func address(of request: PageRequest) throws -> URL {
        guard let url = request.url else { return try service.address(of: request.resource) }
        return try service.admit(url.absoluteString, from: service.url, code: .linkRefused)
    }

    private var fields: HTTPFields {
        var fields: HTTPFields = [.accept: "application/json", .userAgent: "Tidemark"]
        for field in service.headers { fields[field.name] = nil }
        fields.append(contentsOf: service.headers)
        return fields
    }
}
