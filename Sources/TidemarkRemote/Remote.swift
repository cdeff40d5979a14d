import HTTPTypes
import TidemarkJSON
public import TidemarkModel

import struct Foundation.URL

/// A client that reads the resources of a web service page by page.
///
/// A remote adds redirects, retries, rate limits and credentials to a ``Transport``, verifies that
/// responses are JSON, and finds the next page of a list.
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
    /// The service that requests are sent to.
    public let service: Service

    let limits: Limits
    let environment: SystemEnvironment
    let transport: any Transport

    /// Creates a client for a service.
    ///
    /// Redirects are followed within the service, and failed requests are retried, both up to the
    /// limits.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - transport: The transport that sends the requests.
    ///   - credentials: Supplies header fields that expire, such as a bearer token. Defaults to
    ///     nil: only ``Service/headers`` are sent.
    ///   - environment: The source of time, random numbers and waiting.
    ///   - limits: The limits for pages, bytes, redirects and attempts.
    ///   - onRetry: Called before a request waits for a retry or for a pause that the service
    ///     requested, with the length of the wait and the reason.
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
        // The innermost layer inserts the secrets, so that no other layer sees a URL that contains
        // them. The outermost one retries, so that each attempt obeys the rate limit and gets
        // current credentials.
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

    /// Requests one page of a resource.
    ///
    /// The response contains the request for the next page. Its URL must belong to the service,
    /// must not have been read before in the same list, and its number must not exceed
    /// `Limits.pages`.
    ///
    /// If pages are requested by number or offset, a 404 response to a page after the first means
    /// that the list has ended, and an empty page is returned. If an earlier response reported that
    /// the page exists, 404 is an error.
    ///
    /// - Returns: The page, in memory or as a stream, or that the page was not modified since
    ///   ``PageRequest/validator`` was received.
    /// - Throws: ``RemoteError`` if the page cannot be read, or `CancellationError` if the task is
    ///   cancelled.
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

    /// Fetches one complete page of a resource into memory.
    ///
    /// The request is unconditional: its ``PageRequest/validator`` is ignored. A page may be as
    /// long as one item, `Limits.json.itemBytes`. Use ``answer(to:)`` to read longer pages as a
    /// stream.
    ///
    /// - Throws: ``RemoteError`` if the page cannot be read or is too long, or `CancellationError`
    ///   if the task is cancelled.
    public func page(_ request: PageRequest) async throws -> Page {
        var request = request
        request.validator = nil
        switch try await answer(to: request) {
        case .page(let page):
            return page
        case .long(let long):
            let limit = min(limits.bodyBytes, limits.json.itemBytes)
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
                "\(page.label) returned 304 for a request without a condition.",
                hint: "Contact the operator of the service."
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
        parts.set(ListQuery(style: request.resource.style, mode: request.mode).first)
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
        // No `*/*`: Rails treats an Accept list that contains it as a browser's and responds with
        // HTML.
        var fields: HTTPFields = [
            .accept: "application/json, application/vnd.api+json", .userAgent: "Tidemark",
        ]
        // Removed first, then appended: the service's fields replace the defaults, and a field that
        // the service repeats is sent repeatedly.
        for field in service.headers { fields[field.name] = nil }
        fields.append(contentsOf: service.headers)
        return fields
    }
}

extension PageRequest {
    /// Whether further pages are requested by counting pages or objects alone, so that no response
    /// names the next page.
    var isCounted: Bool {
        switch pagination {
        case .number, .offset: return true
        case .automatic, .none, .nextInBody, .linkHeader, .nextHeader, .token, .keyset: return false
        }
    }
}
