import HTTPTypes
import TidemarkJSON
package import TidemarkModel

package import struct Foundation.URL

/// A client that reads the resources of a web service page by page.
///
/// A remote adds redirects, retries, rate limits and credentials to a ``Transport``, verifies that
/// responses are JSON, and finds the next page of a list.
package struct Remote: Sendable {
    /// The service that requests are sent to.
    package let service: Service

    /// The URL that paths are below, which is made once for all requests.
    let base: Result<URL, any Error>

    package let limits: Limits
    let environment: SystemEnvironment
    let transport: any Transport

    /// The transport of requests that change objects, and of those with ``Attempts/one``: it
    /// repeats none by itself.
    let writeTransport: any Transport

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
    ///   - onWait: Called before a request waits for a retry or for a pause that the service
    ///     requested.
    package init(
        _ service: Service,
        over transport: some Transport,
        credentials: Credentials? = nil,
        environment: SystemEnvironment,
        limits: Limits = Limits(),
        onWait: @escaping WaitPolicy.Observer = { _, _ in }
    ) {
        self.service = service
        base = Result { try service.base }
        self.limits = limits
        self.environment = environment
        // The innermost layer inserts the secrets, so that no other layer sees a URL that contains
        // them. The outermost one retries, so that each attempt obeys the rate limit and gets
        // current credentials.
        let policy = WaitPolicy(environment: environment, limits: limits, onWait: onWait)
        let limited = RateLimitingTransport(
            RedirectingTransport(
                SecretInsertingTransport(transport, for: service),
                within: service,
                limits: limits
            ),
            policy: policy
        )
        let authorized = AuthorizingTransport(limited, with: credentials)
        writeTransport = authorized
        self.transport = RetryingTransport(authorized, policy: policy)
    }

    /// Requests one page of a resource.
    ///
    /// The response contains the request for the next page. Its URL must belong to the service,
    /// must not have been read before in the same list, and its number must not exceed
    /// `Limits.http.pages`.
    ///
    /// If pages are requested by number or offset, a 404 response to a page after the first means
    /// that the list has ended, and an empty page is returned. If an earlier response reported that
    /// the page exists, 404 is an error.
    ///
    /// - Returns: The page, in memory or as a stream, or that the page was not modified since
    ///   ``PageRequest/validator`` was received.
    /// - Throws: ``RemoteError`` if the page cannot be read, or `CancellationError` if the task is
    ///   cancelled.
    package func response(
        to request: PageRequest,
        attempts: Attempts = .several
    ) async throws -> PageResponse {
        let (response, context) = try await send(
            .get,
            to: url(of: request),
            condition: request.validator?.condition,
            attempts: attempts
        )
        if response.head.status == .notModified, request.validator != nil {
            let reader = MetadataReader(self, of: request.unrecognized, in: context)
            return .notModified(
                PageResponse.NotModified(
                    request: request,
                    next: try reader.linkedPage(),
                    total: request.total.number(in: .none, headers: context.headers),
                    context: context
                )
            )
        }
        if response.head.status == .notFound, request.mayFollowLastPage {
            return .page(try emptyPage(for: request, in: context))
        }
        let style = request.resource.style
        if response.head.status == .noContent, style.readsNoContentAsEmpty, style.content == .list {
            return .page(try emptyPage(for: request, in: context))
        }
        // PostgREST responds so to a request for a part of the rows. What follows is requested by
        // the pagination, which has to be known: the response itself leads nowhere.
        let isPage = request.pagination != .none && request.pagination != .automatic
        try await expectSuccess(response, isPage: isPage)
        let buffered = try await response.buffered(upTo: limits.http.bodyInMemory)
        guard buffered.body.beginning.count <= limits.http.bodyBytes else {
            throw RemoteError.tooLarge(context.label, limit: limits.http.bodyBytes)
        }
        guard buffered.body.isBegun else {
            try expectJSON(buffered, beginningWith: buffered.body.beginning)
            return .page(try page(for: request, from: buffered.body.beginning, in: context))
        }
        return .streamed(try streamedPage(for: request, from: buffered, in: context))
    }

    /// Fetches one complete page of a resource into memory.
    ///
    /// The request is unconditional: its ``PageRequest/validator`` is ignored. A page may be as
    /// long as one item, `Limits.json.itemBytes`. Use ``response(to:)`` to read longer pages as a
    /// stream.
    ///
    /// - Throws: ``RemoteError`` if the page cannot be read or is too long, or `CancellationError`
    ///   if the task is cancelled.
    package func page(
        _ request: PageRequest,
        attempts: Attempts = .several
    ) async throws -> Page {
        var request = request
        request.validator = nil
        switch try await response(to: request, attempts: attempts) {
        case .page(let page):
            return page
        case .streamed(let page):
            let limit = min(limits.http.bodyBytes, limits.json.itemBytes)
            var bytes: [UInt8] = []
            for try await chunk in page.body {
                guard bytes.count + chunk.count <= limit else {
                    throw page.tooLarge(limit: limit)
                }
                bytes += chunk
            }
            return try self.page(for: request, from: bytes, in: page.context)
        case .notModified(let page):
            throw RemoteError(
                .clientError,
                "\(page.context.label) returned 304 to a request without a condition.",
                hint: "Contact the operator of the service."
            )
        }
    }

    /// Returns the request for the page that followed an unmodified page when it was read before.
    ///
    /// - Parameters:
    ///   - page: The unmodified page.
    ///   - url: The stored URL of the next page.
    ///   - mode: The part of the list that the next page was fetched for.
    ///   - count: The number of objects on the unmodified page.
    /// - Returns: The request.
    /// - Throws: ``RemoteError`` if that page was already read, or exceeds the limit for pages.
    package func next(
        after page: PageResponse.NotModified,
        at url: URL,
        for mode: FetchMode,
        count: Int
    ) throws -> PageRequest {
        let reader = MetadataReader(self, of: page.request, in: page.context)
        let next = try reader.follow(url, count: count)
        return mode == next.mode ? next : next.moved(to: mode)
    }

    /// Returns the URL of a page in the form that is stored, which identifies the page: without
    /// secrets.
    package func location(of request: PageRequest) throws -> String {
        service.withoutSecrets(try url(of: request)).absoluteString
    }

    func url(of request: PageRequest) throws -> URL {
        if let url = request.url ?? request.changesURL {
            return try service.resolve(
                service.relocated(url).absoluteString,
                from: service.url,
                hiding: service.secrets
            )
        }
        let base = try service.url(of: request.resource)
        let query = ListQuery(style: request.resource.style, mode: request.mode)
        return base.setting(query.first) ?? base
    }

    // MARK: Sending

    /// How often a request that only reads is sent if it fails.
    package enum Attempts: Sendable {
        /// Once: another run sends it again.
        case one
        /// As often as the limits allow.
        case several
    }

    /// Sends a request without a body, and returns its response with the context that readers of
    /// the body need.
    func send(
        _ method: HTTPRequest.Method,
        to url: URL,
        condition: HTTPField? = nil,
        attempts: Attempts = .several
    ) async throws -> (TransportResponse, ResponseContext) {
        let fields = fields
        let sealed = SecretMask(of: service, and: fields).sealed(url)
        guard var request = HTTPRequest(method, to: sealed, headerFields: fields) else {
            throw RemoteError.invalidURL(sealed.shown)
        }
        if let condition { request.headerFields[condition.name] = condition.value }
        let transport = attempts == .one ? writeTransport : transport
        let response = try await transport.send(request, body: nil)
        return (response, ResponseContext(response, requested: url, from: service))
    }

    var fields: HTTPFields {
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
