public import HTTPTypes
public import TidemarkModel
public import TidemarkRemote

/// An in-memory web service for tests: collections of objects with a choice of API dialects, fault
/// injection, and timestamps of changes.
///
/// It is a `Transport`, so that a test needs neither a socket nor a network: pass it to the engine
/// where an app passes a `URLSessionTransport`.
///
/// ```swift
/// let fake = FakeService(collections: ["films": [["id": 1, "title": "A New Hope"]]])
/// let service = Service.rest(url: fake.url)
/// let engine = try await SyncEngine.prepare(
///     store: store,
///     service: service,
///     resources: [service.resource("Film", path: "films/")],
///     transport: fake
/// )
/// _ = try await engine.pull()               // inserts the film
/// fake["films/1"]?["title"] = "Star Wars"
/// fake.inject(.status(500), times: 1)
/// _ = try await engine.pull()               // retries, and updates it
/// ```
///
/// The service supports pagination, conditional requests with an `ETag`, and, with timestamps,
/// lists of changes with tombstones. It is read-only for clients: the test edits its data. Each
/// response contains `Date`, the time of the service's clock including ``clockSkew``. It may be
/// used by any number of tasks at once.
public final class FakeService: Transport {
    /// The path of the collections, with slashes at both ends.
    package let path: String

    /// The prefix of links in the data that responses replace with the service's base URL; nil to
    /// leave links unchanged.
    package let linkBase: String?

    let dialect: FakeDialect
    let environment: SystemEnvironment
    let state: Locked<State>

    struct State: Sendable {
        var contents: FakeContents
        var clockSkew = Duration.zero
        var faults: [InjectedFault] = []
        var changes: [ScheduledChange] = []
        var requests = RecordedRequests()

        /// The values of `Authorization` that the service does not accept any more.
        var expiredCredentials: Set<String> = []

        /// The changes that were accepted with status 202, and are not made yet.
        var accepted: [AcceptedChange] = []

        /// The contents before each change, if the service shows changes late.
        var past: [FormerContents] = []
    }

    /// An injected fault.
    struct InjectedFault: Sendable {
        var fault: FakeFault
        var times: Int?
        var path: String?
    }

    /// A scheduled change.
    struct ScheduledChange: Sendable {
        var requests: Int
        var path: String?
        var change: @Sendable (inout FakeData) -> Void
    }

    /// Creates a service from data, for example of files or of another service.
    ///
    /// ```swift
    /// let copy = FakeService(data: fake.data, dialect: .rest(pageSize: 2))
    /// ```
    ///
    /// - Parameters:
    ///   - data: The data of the service. All objects are created at the time of the environment.
    ///   - dialect: The API dialect. Defaults to ``FakeDialect/rest(pageSize:_:)``.
    ///   - path: The path of the collections, `/api/` by default. A slash is added at its end.
    ///   - linkBase: The prefix of links in the data, such as `https://swapi.dev/api/`, that
    ///     responses replace with the URL under which the client reached the service; nil to leave
    ///     links unchanged.
    ///   - environment: The clock of the service, and the sleeps of ``FakeFault/latency(_:)`` and
    ///     ``FakeFault/slowBody(_:every:)``. Defaults to a new manual clock.
    public init(
        data: FakeData,
        dialect: FakeDialect = .rest(),
        path: String = "/api/",
        linkBase: String? = nil,
        environment: SystemEnvironment = .manual()
    ) {
        self.path = path.hasSuffix("/") ? path : "\(path)/"
        self.linkBase = linkBase
        self.dialect = dialect
        self.environment = environment
        let contents = FakeContents(
            data,
            keys: dialect.keys,
            stamps: dialect.stamps,
            now: environment.now().microseconds
        )
        state = Locked(State(contents: contents))
    }

    /// Creates a service from collections written as literals.
    ///
    /// ```swift
    /// let fake = FakeService(
    ///     collections: [
    ///         "posts": [["id": 7, "title": "Notes"]],
    ///         "posts/7/comments": [["id": 1, "text": "Agreed."]],
    ///     ],
    ///     dialect: .rest(pageSize: 100) { $0.timestamps.changed = "updated_at" }
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - collections: The objects of each collection, by its path.
    ///   - dialect: The API dialect. Defaults to ``FakeDialect/rest(pageSize:_:)``.
    ///   - path: The path of the collections, `/api/` by default.
    ///   - linkBase: The prefix of links in the data that responses replace with the base URL.
    ///   - environment: The clock of the service. Defaults to a new manual clock.
    public convenience init(
        collections: KeyValuePairs<String, [FakeJSON]>,
        dialect: FakeDialect = .rest(),
        path: String = "/api/",
        linkBase: String? = nil,
        environment: SystemEnvironment = .manual()
    ) {
        self.init(
            data: FakeData(collections.map { (name: $0.key, objects: $0.value) }),
            dialect: dialect,
            path: path,
            linkBase: linkBase,
            environment: environment
        )
    }

    /// Responds to a request as a service across the network would.
    ///
    /// The engine calls it. A test calls it to look at a response itself. The request is recorded,
    /// faults apply, and scheduled changes are made afterwards.
    ///
    /// ```swift
    /// let request = HTTPRequest(method: .get, url: fake.url.appending(path: "films/"))
    /// let response = try await fake.send(request, body: nil)
    /// print(response.head.status.code)  // 200
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request. Its scheme and host become those of links in the response.
    ///   - body: The body of the request, which is recorded and otherwise ignored.
    /// - Returns: The response. Reading its body may throw, as faults can interrupt it.
    /// - Throws: `RemoteError` if an injected fault closes the connection or never responds.
    public func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        switch try await outcome(of: request, body: body) {
        case .response(let response), .reset(let response): return response
        case .connectionClosed:
            throw RemoteError.connectionFailed(request, because: "the connection broke")
        case .noResponse:
            throw RemoteError.timedOut(request, waitingFor: .data, limits: Limits())
        }
    }
}
