import Foundation
import GRDB
import TidemarkFakeServer
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// A service of notes that speaks one of the dialects, and a store that is to be like it.
struct Mirror {
    /// How the service speaks.
    enum Dialect: String, CaseIterable, Sendable {
        case kinto, parse, rails, rest, offsets, cursors, jsonAPI
    }

    let dialect: Dialect
    let fake: FakeService
    let store: Store
    let clock: ManualClock
    let events = EventLog()
    var resource: Resource
    var service: Service

    /// What carries the requests: the service itself, unless it listens on a socket.
    var transport: any Transport

    private let page: Int

    /// Makes a service with so many notes, and an empty store: in memory, unless a file is named.
    ///
    /// The store is looked over after every transaction, unless that is told to take too long.
    init(
        _ dialect: Dialect,
        notes: Int = 7,
        page: Int = 3,
        seed: UInt64 = 1,
        at path: String? = nil,
        isWatched: Bool = true
    ) throws {
        self.dialect = dialect
        self.page = page
        clock = ManualClock(seed: seed)
        let name = dialect == .parse ? "Note" : "notes"
        let key = dialect.key
        fake = FakeService(
            data: FakeData([
                (
                    name: name,
                    objects: (0..<notes).map { [key: .string("n\($0)"), "text": "first"] }
                )
            ]),
            dialect: dialect.fake(page),
            environment: clock.environment
        )
        let model = Model(entities: [
            Entity(
                "Note",
                primaryKey: ["id"],
                attributes: [
                    Attribute("id", .string, remoteKey: key), Attribute("text", .string),
                ]
            )
        ])
        let made: Store =
            try path.map { try .open(at: $0, model: model) } ?? .inMemory(model: model)
        store = isWatched ? made.watched() : made
        transport = fake
        service = dialect.service(fake.url, page)
        resource = service.resource("Note", path: dialect.path)
    }

    /// Runs something while the service listens on a socket, with a mirror that asks it there.
    func onSocket(
        _ carrier: Carrier,
        coding: FakeServer.Coding = .identity,
        _ body: (Mirror) async throws -> Void
    ) async throws {
        try await FakeServer.run(fake, coding: coding) { url in
            try await carrier.run { transport in
                var mirror = self
                mirror.transport = transport
                mirror.service = dialect.service(url, page)
                mirror.resource = mirror.service.resource("Note", path: dialect.path)
                try await body(mirror)
            }
        }
    }

    /// The path of a note at the service.
    func path(_ key: String) -> String { "\(dialect == .parse ? "Note" : "notes")/\(key)" }

    /// Writes a note at the service, or removes it.
    func write(_ key: String, _ text: String?) {
        fake[path(key)] = text.map { object(key, $0) }
    }

    /// A note as the service has it.
    func object(_ key: String, _ text: String) -> FakeJSON {
        [dialect.key: .string(key), "text": .string(text)]
    }

    /// An engine for the service.
    func engine(_ change: (inout Limits) -> Void = { _ in }) throws -> SyncEngine {
        var limits = Limits.patient
        limits.concurrency = 1
        change(&limits)
        return try SyncEngine(
            store: store,
            service: service,
            resources: [resource],
            transport: AnyTransport(transport),
            environment: clock.environment,
            limits: limits,
            onEvent: events.note
        )
    }

    /// Pulls, and returns what came of it.
    @discardableResult
    func pull(
        _ change: (inout PullOptions) -> Void = { _ in }
    ) async throws -> SyncReport.ResourceReport {
        var options = PullOptions()
        change(&options)
        let report = try await engine().pull(options)
        return report.resources[resource.path] ?? SyncReport.ResourceReport("")
    }

    /// The notes that the service has, a line for each.
    var remote: String {
        let objects = fake.data[objects: dialect == .parse ? "Note" : "notes"] ?? []
        return objects.map { "\($0[dialect.key]?.string ?? "") \($0["text"]?.string ?? "")" }
            .sorted().joined(separator: "\n")
    }

    /// All that stands in the store, Tidemark's own tables included.
    func everything() throws -> String {
        try store.writer.read { db in
            let tables = try String.fetchAll(
                db,
                sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
            )
            return try tables.map { table in
                let rows = try Row.fetchAll(
                    db,
                    sql: "SELECT * FROM \(table.quotedDatabaseIdentifier)"
                )
                return ([table] + rows.map(\.description)).joined(separator: "\n")
            }
            .joined(separator: "\n\n")
        }
    }

    /// The notes that the store has, a line for each.
    func local() throws -> String {
        try store.writer.read { db in
            try String.fetchAll(db, sql: "SELECT id || ' ' || text FROM Note ORDER BY id")
                .joined(separator: "\n")
        }
    }
}

extension Mirror.Dialect {
    /// The member that tells an object's key.
    var key: String { self == .parse ? "objectId" : "id" }

    /// Where the notes stand.
    var path: String {
        switch self {
        case .kinto: "collections/notes/records"
        case .parse: "classes/Note"
        case .rails, .jsonAPI: "notes"
        case .rest, .offsets, .cursors: "notes/"
        }
    }

    func fake(_ page: Int) -> FakeDialect {
        switch self {
        case .kinto: .kinto { $0.paginateBy = page }
        case .parse:
            .parse {
                $0.defaultLimit = page
                $0.maxLimit = page
            }
        case .rails: .rails { $0.perPage = page }
        case .rest: .rest(pageSize: page)
        case .offsets: .rest(pageSize: page) { $0.pagination = .offsets }
        case .cursors:
            .rest(pageSize: page) {
                $0.stamps.changed = "updated_at"
                $0.pagination = .cursor(by: "updated_at")
            }
        case .jsonAPI: .jsonAPI { $0.pageSize = page }
        }
    }

    func service(_ url: URL, _ page: Int) -> Service {
        switch self {
        case .kinto: return .kinto(url: url.appending(path: "buckets/app"))
        case .parse: return .parse(url: url)
        case .rails: return .rails(url: url)
        case .rest: return .rest(url: url)
        case .offsets:
            var service = Service.rest(url: url)
            service.style.pagination = .offset(parameter: "offset")
            service.style.pageSize = [QueryItem("limit", "\(page)")]
            return service
        case .cursors:
            var service = Service.rest(url: url)
            service.style.drift = .none
            service.style.total = .none
            return service
        case .jsonAPI: return .jsonAPI(url: url)
        }
    }
}
