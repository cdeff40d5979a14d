public import HTTPTypes
public import TidemarkModel
public import TidemarkRemote

/// A web service in memory: collections of objects, spoken for in a dialect, that misbehaves to
/// order and stamps what changes.
///
/// It is a `Transport`, so a test needs no socket; `FakeServer` mounts it on one.
///
/// ```swift
/// let fake = FakeService(collections: ["films": [["id": 1, "title": "A New Hope"]]])
/// let remote = Remote(.rest(url: fake.url), over: fake, environment: .manual())
/// fake["films/1"]?["title"] = "Star Wars"
/// fake.misbehave(.status(500), times: 2)
/// ```
///
/// Links in its data that begin with ``linkBase`` are answered with the address at which it was
/// asked.
///
/// Each answer carries `Date`: the time by its own clock, ``clockSkew`` included.
public final class FakeService: Transport {
    /// The path that the collections stand below, with slashes around.
    public let path: String

    /// What links begin with in the data; each answer has the service's own address instead.
    public let linkBase: String?

    let dialect: FakeDialect
    let environment: SystemEnvironment
    let state: Locked<State>

    struct State: Sendable {
        var contents: FakeContents
        var clockSkew = Duration.zero
        var faults: [Order] = []
        var plans: [Plan] = []
        var requests = RecordedRequests()
    }

    /// A fault that was ordered.
    struct Order: Sendable {
        var fault: FakeFault
        var times: Int?
        var path: String?
    }

    /// A change that waits for requests.
    struct Plan: Sendable {
        var requests: Int
        var path: String?
        var change: @Sendable (inout FakeData) -> Void
    }

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - data: What it holds.
    ///   - dialect: How it speaks.
    ///   - path: The path that the collections stand below.
    ///   - linkBase: What links begin with in the data.
    ///   - environment: Its clock, and what ``FakeFault/latency(_:)`` waits by.
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

    /// Creates a service of collections written as literals.
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

    /// Answers a request, as a service across the network would.
    ///
    /// - Throws: `RemoteError` where it was told to hang up or to stay silent.
    public func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        switch try await answer(request, body: body) {
        case .response(let response), .reset(let response): return response
        case .hangUp: throw RemoteError.unavailable(request, "no connection could be made")
        case .noResponse: throw RemoteError.silent(request, for: Limits().idleTimeout)
        }
    }
}
