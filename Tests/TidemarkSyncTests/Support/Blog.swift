import GRDB
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// A service of posts with a list of comments for each post, and a store.
///
/// The comments do not contain their post.
struct Blog {
    let fake: FakeService
    let store: Store
    let clock = ManualClock()
    let events = EventLog()
    private let path: String

    /// How changes are sent; nil if they are not.
    private let push: PushStyle?

    /// The path of the comments, with their post in braces.
    static let path = "posts/{post}/comments/"

    static let model = Model(entities: [
        EntityDescription(
            "Post",
            attributes: [Attribute("id", .integer64), Attribute("title", .string)],
            relationships: [
                Relationship("comments", to: "Comment", isToMany: true, inverse: "post")
            ]
        ),
        EntityDescription(
            "Comment",
            primaryKey: ["post", "id"],
            attributes: [Attribute("id", .integer64), Attribute("text", .string)],
            relationships: [Relationship("post", to: "Post", inverse: "comments")]
        ),
    ])

    /// Creates a service with two comments of the first post, four of the second on two pages, and
    /// none of the others.
    ///
    /// Where changes are sent, it has a list for the comments of one post more.
    init(
        posts: Int = 3,
        path: String = Blog.path,
        model: Model = Blog.model,
        push: PushStyle? = nil
    ) throws {
        self.path = path
        self.push = push
        var collections: [(name: String, objects: [FakeJSON])] = [
            (
                "posts",
                (1...posts).map { ["id": .number("\($0)"), "title": .string("Post \($0)")] }
            )
        ]
        for post in 1...(push == nil ? posts : posts + 1) {
            let count = [1: 2, 2: 4][post] ?? 0
            let comments: [FakeJSON] = (0..<count).map {
                ["id": .number("\($0 + 1)"), "text": .string("\(post) / \($0 + 1)")]
            }
            collections.append(("posts/\(post)/comments", comments))
        }
        var dialect = FakeDialect.rest(pageSize: 3) { $0.pagination = .pages }
        if push != nil {
            dialect.writes = FakeWrites()
            dialect.writes?.keys = .numbers
        }
        fake = FakeService(data: FakeData(collections), dialect: dialect)
        store = try Store.validated(model: model)
    }

    private var service: Service {
        var service = Service.rest(url: fake.url)
        if let push { service.push = push }
        return service
    }

    var resources: [RemoteResource] {
        [service.resource("Comment", path: path), service.resource("Post", path: "posts/")]
    }

    func engine(
        _ resources: [RemoteResource]? = nil,
        concurrency: Int = 1,
        over transport: (any Transport)? = nil
    ) throws -> SyncEngine {
        var limits = Limits.longTimeout
        limits.concurrency = concurrency
        limits.http.attempts = 1
        return try SyncEngine(
            store: store,
            service: service,
            resources: resources ?? self.resources,
            transport: AnyTransport(transport ?? fake),
            environment: clock.environment,
            limits: limits,
            onEvent: events.record
        )
    }

    @discardableResult
    func pull(_ change: (inout PullOptions) -> Void = { _ in }) async throws -> SyncReport {
        var options = PullOptions()
        change(&options)
        return try await engine().report(options)
    }

    /// The requests so far, one per line, with paths relative to the service.
    var requests: String { fake.requests.description.replacing("/api/", with: "") }

    /// Returns the rows of the store as text.
    func state() throws -> String { try table(of: store) }

    /// Returns the primary keys of the comments.
    func keys() throws -> String {
        try store.writer.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT '[' || p.id || ',' || c.id || ']' FROM Comment AS c \
                    JOIN Post AS p ON p._id = c.post ORDER BY p.id, c.id
                    """
            )
            .joined(separator: " ")
        }
    }

    /// Returns the paths of the resources whose state is stored.
    func states() throws -> [String] {
        try store.writer.read { db in
            try String.fetchAll(db, sql: "SELECT path FROM _tidemark_resource ORDER BY path")
        }
    }
}
