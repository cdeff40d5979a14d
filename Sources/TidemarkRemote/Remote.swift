import HTTPTypes
public import TidemarkModel

import struct Foundation.URL

/// A service as one reads from it: pages of resources, over a transport.
///
/// ```swift
/// let remote = Remote(.rest(url: address), over: URLSessionTransport(), environment: environment)
/// var request: PageRequest? = PageRequest(first: remote.service.resource("Film", path: "films"))
/// while let asked = request {
///     guard case .page(let page) = try await remote.answer(to: asked) else { break }
///     request = page.facts.next
/// }
/// ```
public struct Remote: Sendable {
    /// The service that is asked.
    public let service: Service

    let limits: Limits
    let environment: SystemEnvironment
    let transport: any Transport

    /// Creates a remote whose requests are redirected within the service and tried again, as the
    /// limits allow.
    ///
    /// - Parameters:
    ///   - service: The service to ask.
    ///   - transport: What carries the requests.
    ///   - credentials: Where header fields come from that run out, such as a bearer token's.
    ///   - environment: Where waiting, chance and the time come from.
    ///   - limits: The bounds of pages, bytes, redirects and attempts.
    ///   - onRetry: Told before a request is tried again: after how long, and why.
    public init(
        _ service: Service,
        over transport: some Transport,
        credentials: Credentials? = nil,
        environment: SystemEnvironment,
        limits: Limits = Limits(),
        onRetry: @escaping @Sendable (_ after: Duration, _ reason: RemoteError) -> Void = { _, _ in
        }
    ) {
        self.service = service
        self.limits = limits
        self.environment = environment
        let paced = RateLimitingTransport(
            RedirectingTransport(
                SecretInsertingTransport(transport, for: service),
                within: service,
                limits: limits
            ),
            environment: environment,
            limits: limits,
            onPause: onRetry
        )
        self.transport = RetryingTransport(
            AuthorizingTransport(paced, by: credentials),
            environment: environment,
            limits: limits,
            onRetry: onRetry
        )
    }

    /// Asks for one page of a resource.
    ///
    /// The page names the next one, which is checked: it must belong to the service, must not have
    /// been read in this walk, and must not be one more than the limit. A page that is counted, and
    /// that the page before does not count, is an empty one where the service does not have it.
    ///
    /// - Throws: ``RemoteError`` where there is no such page; `CancellationError` untouched.
    public func answer(to request: PageRequest) async throws -> PageResponse {
        let url = try address(of: request)
        let response = try await transport.send(get(request, url), body: nil)
        let target = PageTarget(url, response, of: service)
        if response.head.status == .notModified, request.validator != nil {
            return .unchanged(try unchanged(request, target, response))
        }
        if response.head.status == .notFound, request.number > 1, request.isCounted,
            request.number > request.pages ?? 0
        {
            return .page(try page(request, Array("[]".utf8), target, ResponseContext(response)))
        }
        try await expectSuccess(response)
        let read = try await response.buffered(upTo: limits.bodyInMemory)
        guard read.body.beginning.count <= limits.bodyBytes else {
            throw RemoteError.tooLarge(response.request, limit: limits.bodyBytes)
        }
        guard !read.body.isBegun else { return .long(try long(request, target, read)) }
        try checkJSON(read, read.body.beginning)
        return .page(try page(request, read.body.beginning, target, ResponseContext(read)))
    }

    /// Fetches one page of a resource as a whole.
    ///
    /// The whole body is held in memory, so that it may have no more bytes than one item:
    /// `Limits.jsonItemBytes`. ``answer(to:)`` reads longer pages piece by piece.
    ///
    /// - Throws: ``RemoteError`` where there is no such page, or it is too long;
    ///   `CancellationError` untouched.
    public func page(_ request: PageRequest) async throws -> Page {
        var request = request
        request.validator = nil
        switch try await answer(to: request) {
        case .page(let page):
            return page
        case .long(let long):
            let limit = min(limits.bodyBytes, limits.jsonItemBytes)
            var bytes: [UInt8] = []
            for try await chunk in long.body {
                guard bytes.count + chunk.count <= limit else {
                    throw long.tooLarge(limit: limit)
                }
                bytes += chunk
            }
            return try page(request, bytes, long.target, long.head)
        case .unchanged(let page):
            throw RemoteError(
                .clientError,
                "\(page.label) was answered 304, though nothing was known of it.",
                hint: "Ask whoever runs the service."
            )
        }
    }

    func request(_ method: HTTPRequest.Method, _ url: URL) throws -> HTTPRequest {
        let url = SecretMask(service, fields).sealed(url)
        guard let request = HTTPRequest(method, to: url, headerFields: fields) else {
            throw RemoteError(.invalidRequest, "\(url.shown) is no address of a service.")
        }
        return request
    }

    private func get(_ request: PageRequest, _ url: URL) throws -> HTTPRequest {
        var get = try self.request(.get, url)
        if let tag = request.validator?.tag {
            get.headerFields[.ifNoneMatch] = tag
        } else if let modified = request.validator?.modified {
            get.headerFields[.ifModifiedSince] = modified
        }
        return get
    }

    func address(of request: PageRequest) throws -> URL {
        if let url = request.url {
            return try service.admit(
                service.relocated(url).absoluteString,
                from: service.url,
                code: .linkRefused,
                hiding: service.secrets
            )
        }
        let base = try service.address(of: request.resource)
        guard var parts = PageQuery(base) else { return base }
        parts.set(ListQuery(style: request.resource.style, purpose: request.purpose).first)
        return parts.url ?? base
    }

    private func unchanged(
        _ request: PageRequest,
        _ target: PageTarget,
        _ response: TransportResponse
    ) throws -> NotModifiedPage {
        NotModifiedPage(
            request: request,
            next: try next(
                after: request.unrecognized,
                target,
                response.head.headerFields,
                nil,
                ItemTrace(request.resource.style, response.head.headerFields),
                total: nil
            ),
            total: request.total.number(nil, response.head.headerFields),
            label: response.request.label,
            target: target,
            date: HTTPDate(response.head.headerFields)
        )
    }

    private var fields: HTTPFields {
        // No wildcard: Rails answers a list of types that has one as it answers a browser.
        var fields: HTTPFields = [
            .accept: "application/json, application/vnd.api+json", .userAgent: "Tidemark",
        ]
        for field in service.headers { fields[field.name] = nil }
        fields.append(contentsOf: service.headers)
        return fields
    }
}

extension PageRequest {
    /// Whether nothing but counting leads to further pages of the list.
    var isCounted: Bool {
        switch pagination {
        case .number, .offset: return true
        case .automatic, .none, .nextInBody, .linkHeader, .nextHeader, .token, .keyset: return false
        }
    }
}
