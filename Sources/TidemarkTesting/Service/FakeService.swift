public import HTTPTypes
public import TidemarkModel
public import TidemarkRemote

/// An in-memory web service for tests: collections of objects with a choice of API dialects, fault
/// injection, and timestamps of changes.
///
/// It is a `Transport`, so that a test needs no socket. `FakeServer` runs it on a loopback socket.
///
/// ```swift
/// let fake = FakeService(collections: ["films": [["id": 1, "title": "A New Hope"]]])
/// let remote = Remote(.rest(url: fake.url), over: fake, environment: .manual())
/// fake["films/1"]?["title"] = "Star Wars"
/// fake.inject(.status(500), times: 2)
/// ```
///
/// Links in the data that begin with ``linkBase`` are rewritten to the URL under which the client
/// reached the service.
///
/// Each response contains `Date`, the time of the service's clock including ``clockSkew``.
public final class FakeService: Transport {
    /// The path of the collections, with slashes at both ends.
    public let path: String

    /// The prefix of links in the data that responses replace with the service's base URL; nil to
    /// leave links unchanged.
    public let linkBase: String?

    let dialect: FakeDialect
    let environment: SystemEnvironment
    let state: Locked<State>

    struct State: Sendable {
        var contents: FakeContents
        var clockSkew = Duration.zero
        var faults: [InjectedFault] = []
        var changes: [ScheduledChange] = []
        var requests = RecordedRequests()
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

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - data: The data of the service.
    ///   - dialect: The API dialect. Defaults to ``FakeDialect/rest(pageSize:_:)``.
    ///   - path: The path of the collections.
    ///   - linkBase: The prefix of links in the data that responses replace with the base URL.
    ///   - environment: The clock of the service, and the sleeps of ``FakeFault/latency(_:)`` and
    ///     ``FakeFault/slowBody(_:every:)``.
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
    /// - Throws: `RemoteError` if an injected fault closes the connection or never responds.
    public func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        switch try await outcome(of: request, body: body) {
        case .response(let response), .reset(let response): return response
        case .connectionClosed:
            throw RemoteError.unavailable(request, because: "no connection could be made")
        case .noResponse:
            throw RemoteError.timedOut(request, waitingFor: .data, limits: Limits())
        }
    }
}
