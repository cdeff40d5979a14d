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

/// A service of notes in one of the dialects, and a store that is synced with it.
struct Mirror {
    let dialect: Dialect
    let fake: FakeService
    let store: Store
    let clock: ManualClock
    let events = EventLog()
    var resource: RemoteResource
    var service: Service

    /// The transport of requests: the service itself, unless it listens on a socket.
    var transport: any Transport

    private let page: Int

    /// Creates a service with some notes, and an empty store: in memory, unless `path` names a
    /// file.
    ///
    /// The store is validated after every transaction, unless `isValidated` is false.
    init(
        _ dialect: Dialect,
        notes: Int = 7,
        page: Int = 3,
        seed: UInt64 = 1,
        at path: String? = nil,
        isValidated: Bool = true
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
                ), (name: "shelves", objects: []),
            ]),
            dialect: dialect.fake(page),
            environment: clock.environment
        )
        let model = Self.model(key)
        let store =
            try path.map { try Store.open(at: $0, model: model) } ?? Store.inMemory(model: model)
        self.store = isValidated ? store.validated() : store
        transport = fake
        service = dialect.service(fake.url, page)
        resource = service.resource("Note", path: dialect.path)
    }

    private static func model(_ key: String) -> Model {
        Model(entities: [
            EntityDescription(
                "Note",
                primaryKey: ["id"],
                attributes: [
                    Attribute("id", .string, remoteKey: key),
                    Attribute("text", .string, isOptional: false),
                ],
                relationships: [Relationship("shelf", to: "Shelf", inverse: "notes")]
            ),
            EntityDescription(
                "Shelf",
                primaryKey: ["id"],
                attributes: [
                    Attribute("id", .string, remoteKey: key),
                    Attribute("text", .string, isOptional: false),
                ],
                relationships: [
                    Relationship("notes", to: "Note", isToMany: true, inverse: "shelf")
                ]
            ),
        ])
    }

    /// The lists of the service: notes, then the shelves that they reference.
    var resources: [RemoteResource] {
        guard dialect.hasShelves else { return [resource] }
        return [resource, service.resource("Shelf", path: dialect.path(of: "shelves"))]
    }

    /// Runs `body` while the service listens on a socket, with a mirror that sends requests there.
    func onSocket(
        _ socketTransport: SocketTransport,
        coding: FakeServer.Coding = .identity,
        _ body: (Mirror) async throws -> Void
    ) async throws {
        try await FakeServer.run(fake, coding: coding) { url in
            try await socketTransport.run { transport in
                var mirror = self
                mirror.transport = transport
                mirror.service = dialect.service(url, page)
                mirror.resource = mirror.service.resource("Note", path: dialect.path)
                try await body(mirror)
            }
        }
    }

    /// Returns an engine for the service.
    func engine(
        over transport: (any Transport)? = nil,
        _ environment: TidemarkModel.SystemEnvironment? = nil,
        by importer: Importer? = nil,
        _ change: (inout Limits) -> Void = { _ in }
    ) throws -> SyncEngine {
        var limits = Limits.longTimeout
        limits.concurrency = 1
        change(&limits)
        return try SyncEngine(
            store: store,
            service: service,
            resources: resources,
            transport: AnyTransport(transport ?? self.transport),
            importer: importer,
            environment: environment ?? clock.environment,
            limits: limits,
            onEvent: events.record
        )
    }

    /// Pulls, and returns the report of the resource.
    @discardableResult
    func pull(
        _ change: (inout PullOptions) -> Void = { _ in }
    ) async throws -> SyncReport.ResourceReport {
        var options = PullOptions()
        change(&options)
        let report = try await engine().report(options)
        return report.resources[resource.path] ?? SyncReport.ResourceReport("")
    }
}

/// The objects of the service and the rows of the store.
extension Mirror {
    /// Returns the path of a note or a shelf at the service.
    func path(_ key: String) -> String {
        key.hasPrefix("s") ? "shelves/\(key)" : "\(dialect == .parse ? "Note" : "notes")/\(key)"
    }

    /// Writes a note or a shelf at the service; removes it if the text is nil.
    func write(_ key: String, _ text: String?) {
        fake.change { put(key, text, in: &$0) }
    }

    /// Writes a note or a shelf in the data of a service; removes it if the text is nil.
    ///
    /// References to a removed shelf become null, as with `ON DELETE SET NULL` in a database.
    func put(_ key: String, _ text: String?, in data: inout FakeData) {
        data[path(key)] = text.map { object(key, $0, in: data) }
        guard key.hasPrefix("s") else { return }
        if dialect == .embedded { return embed(key, text, in: &data) }
        guard text == nil else { return }
        for record in data[objects: "notes"] ?? [] where record["shelf_id"] == .string(key) {
            data[path(record["id"]?.string ?? "")]?["shelf_id"] = .null
        }
    }

    /// Updates a shelf in the notes that embed it.
    ///
    /// Notes keep what they embed of a shelf that was removed from its own list.
    private func embed(_ key: String, _ text: String?, in data: inout FakeData) {
        guard let text else { return }
        for record in data[objects: "notes"] ?? [] where record["shelf"]?["id"] == .string(key) {
            data[path(record["id"]?.string ?? "")]?["shelf"]?["text"] = .string(text)
        }
    }

    /// Returns a note or a shelf as the service contains it.
    private func object(_ key: String, _ text: String, in data: FakeData) -> FakeJSON {
        var object: FakeJSON = [dialect.key: .string(key), "text": .string(text)]
        guard dialect.hasShelves, !key.hasPrefix("s") else { return object }
        let shelf = "s\(text.utf8.last.map { $0 % 4 } ?? 0)"
        switch dialect {
        case .embedded:
            let known = data["shelves/\(shelf)"]?["text"]
            object["shelf"] = ["id": .string(shelf), "text": known ?? "omitted"]
        default:
            object["shelf_id"] = .string(shelf)
        }
        return object
    }

    /// Returns the key of the shelf that a note references.
    private func shelf(of record: FakeJSON) -> FakeJSON? {
        dialect == .embedded ? record["shelf"]?["id"] : record["shelf_id"]
    }

    /// The objects of the service, one per line.
    var remote: String {
        let data = fake.data
        let shelves = data[objects: "shelves"] ?? []
        let lines = (data[objects: dialect == .parse ? "Note" : "notes"] ?? []).map { record in
            let shelf = shelf(of: record)
            let isOnShelf = shelves.contains { $0["id"] == shelf }
            return line(record) + (isOnShelf ? " on \(shelf?.string ?? "")" : "")
        }
        return (lines + shelves.map(line)).sorted().joined(separator: "\n")
    }

    private func line(_ object: FakeJSON) -> String {
        "\(object[dialect.key]?.string ?? "") \(object["text"]?.string ?? "")"
    }

    /// Returns all tables of the store as text, including Tidemark's internal tables.
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

    /// Returns the rows of the store, one per line.
    func local() throws -> String {
        try store.writer.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT n.id || ' ' || n.text || coalesce(' on ' || s.id, '') AS line \
                    FROM Note n LEFT JOIN Shelf s ON s._id = n.shelf \
                    UNION ALL SELECT id || ' ' || text FROM Shelf ORDER BY line
                    """
            )
            .joined(separator: "\n")
        }
    }
}
