import Foundation
import GRDB
import TidemarkFakeServices
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// A service of tasks and projects that accepts changes, and a store that is synced with it.
struct TaskService {
    /// The kinds of services that a push has a preset for.
    enum Dialect: String, CaseIterable, Sendable {
        case rest, rails, parse, kinto, jsonAPI
    }

    let dialect: Dialect
    let fake: FakeService
    var store: Store
    let clock = ManualClock(seed: 1)
    var service: Service
    var resources: [RemoteResource]

    /// Creates a service with a project and two tasks, and an empty store: in memory, or in a file.
    ///
    /// - Parameters:
    ///   - dialect: The kind of the service.
    ///   - path: The path of the file; nil for a store in memory.
    ///   - members: Further members of the tasks.
    ///   - rules: Changes the rules of the service.
    /// - Throws: Errors of the store.
    init(
        _ dialect: Dialect,
        at path: String? = nil,
        members: FakeJSON = [:],
        _ rules: (inout FakeWrites) -> Void = { _ in }
    ) throws {
        self.dialect = dialect
        var fakeDialect = dialect.fake
        var writes = dialect.writes
        rules(&writes)
        fakeDialect.writes = writes
        fake = FakeService(
            data: FakeData([
                (
                    name: "projects",
                    objects: [
                        writes.habits.linkList == nil
                            ? [dialect.key: dialect.value(1), "name": "Home"]
                            : [dialect.key: dialect.value(1), "name": "Home", "task_ids": []]
                    ]
                ),
                (
                    name: "tasks",
                    objects: [1, 2].map { number in
                        writes.habits.created([
                            dialect.key: dialect.value(number), "title": .string("task \(number)"),
                            "done": false,
                        ])
                        .merging(members)
                    }
                ),
            ]),
            dialect: fakeDialect,
            environment: clock.environment
        )
        store =
            try path.map { try Store.validated(at: $0, model: dialect.model) }
            ?? Store.validated(model: dialect.model)
        service = dialect.service(fake)
        service.push = dialect.style
        resources = [
            service.resource("Task", path: dialect.path("tasks")),
            service.resource("Project", path: dialect.path("projects")),
        ]
    }

    func engine(
        over transport: (any Transport)? = nil,
        conflicts: ConflictPolicies = ConflictPolicies(),
        credentials: Credentials? = nil,
        environment: SystemEnvironment? = nil,
        _ change: (inout Limits) -> Void = { _ in },
        onEvent: @escaping @Sendable (SyncEvent) -> Void = { _ in }
    ) throws -> SyncEngine {
        var importer = Importer(store)
        importer.conflicts = conflicts
        var limits = Limits.longTimeout
        limits.concurrency = 1
        change(&limits)
        return try SyncEngine(
            store: store,
            service: service,
            resources: resources,
            transport: AnyTransport(transport ?? fake),
            credentials: credentials,
            importer: importer,
            environment: environment ?? clock.environment,
            limits: limits,
            onEvent: onEvent
        )
    }

    /// Returns the locator of a task by its key, which is `k1` where keys are texts.
    func task(_ number: Int) -> RecordLocator {
        let key = dialect.hasTextKeys ? Value.string("k\(number)") : .integer(Int64(number))
        return RecordLocator("Task", key: RecordKey([key]))
    }

    /// Changes the title of a task in the store, as an app does.
    func rename(_ number: Int, to title: String) async throws {
        try await store.write { [task = task(number)] writer in
            _ = try writer.update(task, values: ["title": .string(title)])
        }
    }

    /// Adds a task to the store, as an app does.
    func add(_ title: String) async throws {
        try await store.write { writer in
            _ = try writer.insert("Task", values: ["title": .string(title)])
        }
    }

    /// Changes members of a task at the service, as another client does.
    func edit(_ number: Int, _ members: KeyValuePairs<String, FakeJSON>) {
        let path = "tasks/\(dialect.hasTextKeys ? "k\(number)" : "\(number)")"
        fake.change { data in
            for (name, value) in members { data[path]?[name] = value }
        }
    }

    /// Deletes a task at the service, as another client does.
    func remove(_ number: Int) {
        let path = "tasks/\(dialect.hasTextKeys ? "k\(number)" : "\(number)")"
        fake.change { data in data[path] = nil }
    }

    /// Returns the members of a task at the service, apart from its key and its times.
    func object(_ number: Int) -> String {
        let path = "tasks/\(dialect.hasTextKeys ? "k\(number)" : "\(number)")"
        let object = fake[path]
        let members = ["title", "done"].compactMap { (name: String) -> String? in
            object?[name].map { "\"\(name)\":\($0)" }
        }
        return members.joined(separator: ",")
    }

    /// Prints the values of a task's row, apart from its key.
    func row(_ number: Int64) throws -> String {
        let record = try store.read { reader in
            try reader.record(RecordLocator(RowReference("Task", number)))
        }
        return String(Self.line(record).drop { $0 != "," }.dropFirst(2))
    }

    /// Prints the local changes that are left.
    func changes() throws -> [String] {
        try store.read { reader in try Self.outbox(reader.db) }
    }

    /// Prints the recorded conflicts: base, local and remote value, the one kept, and the decision.
    func conflicts() throws -> [String] {
        try store.conflicts().split(separator: "\n").map(String.init)
    }

    /// Prints the rows, the local changes that are left, and what clients have done at the service.
    ///
    /// Keys that the service has made are printed as the rows that have them.
    func state() throws -> String {
        let records: [StoredRecord] = try store.read { reader in
            var tasks = RecordRequest("Task")
            tasks.links = .all
            return try reader.fetch(RecordRequest("Project")) + reader.fetch(tasks)
        }
        let outbox: [String] = try store.read { reader in try Self.outbox(reader.db) }
        var lines = records.map(Self.line)
        if !outbox.isEmpty { lines += ["", "outbox"] + outbox }
        lines += [""] + fake.audit.map(\.description)
        var text = lines.joined(separator: "\n")
        for (key, name) in keys(of: records) { text = text.replacing(key, with: name) }
        return text
    }

    private static func line(_ record: StoredRecord) -> String {
        let values = record.values.filter { $0.value != .null && $0.key != "id" }
            .sorted { $0.key < $1.key }
            .map { "\($0.key): \(describe($0.value))" }
        let project = record.links["project"]?.first.map { ["project: \($0)"] } ?? []
        let key = describe(record["id"])
        return "\(record.reference) \(([key] + values + project).joined(separator: ", "))"
    }

    private static func describe(_ value: Value) -> String {
        switch value {
        case .null: "–"
        case .integer(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .string(let text): text
        default: "\(value)"
        }
    }

    private static func outbox(_ db: Database) throws -> [String] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT tree, row, kind, state, reason, fieldErrors FROM _tidemark_change \
                LEFT JOIN _tidemark_request ON change = _id ORDER BY _id
                """
        )
        .map { row in
            let reason = (row[4] as String?).map { ": \($0)" } ?? ""
            return "\(row[0] as String)#\(row[1] as Int64) \(row[2] as String), "
                + "\(row[3] as String)\(reason)"
        }
    }

    private func keys(of records: [StoredRecord]) -> [(key: String, name: String)] {
        guard dialect.hasTextKeys else { return [] }
        return records.compactMap { record in
            guard case .string(let key) = record["id"], !key.hasPrefix("k") else { return nil }
            return (key, "\(record.reference)")
        }
    }
}

extension TaskService.Dialect {
    fileprivate var key: String { self == .parse ? "objectId" : "id" }

    /// The member that refers to a project, as JSON of the service's own objects.
    func reference(to key: String) -> String {
        switch self {
        case .rest, .rails: #""project_id":\#(key)"#
        case .jsonAPI: #""project":\#(key)"#
        case .kinto: #""project_id":"\#(key)""#
        case .parse:
            #""project":{"__type":"Pointer","className":"projects","objectId":"\#(key)"}"#
        }
    }

    /// The members of tasks that may be null; none at a service that leaves out what is null, and
    /// is configured as one that does.
    var nullable: Set<String> {
        switch self {
        case .rest, .rails, .kinto: ["effort", "project_id"]
        case .jsonAPI: ["effort", "project"]
        case .parse: []
        }
    }

    /// The list of tasks that objects of projects can have instead; nil if none does.
    var linkList: FakeHabits.LinkList? {
        switch self {
        case .rest, .rails, .kinto:
            .init("projects", "task_ids", of: "tasks", ignoring: ["project_id"])
        case .parse, .jsonAPI: nil
        }
    }

    /// Returns the member with the key of an object.
    func member(_ key: String) -> String {
        hasTextKeys ? #""\#(self.key)":"\#(key)""# : #""id":\#(key)"#
    }

    /// Whether keys are texts.
    var hasTextKeys: Bool { self == .parse || self == .kinto }

    fileprivate func value(_ number: Int) -> FakeJSON {
        hasTextKeys ? .string("k\(number)") : .number("\(number)")
    }

    fileprivate var model: Model {
        let type: AttributeType = hasTextKeys ? .string : .integer64
        let key = Attribute("id", type, remoteKey: self.key)
        return Model(entities: [
            EntityDescription(
                "Task",
                attributes: [
                    key, Attribute("title", .string), Attribute("done", .boolean),
                    Attribute("dueOn", .string), Attribute("effort", .double),
                ],
                relationships: [.one("project", "Project", inverse: "tasks")]
            ),
            EntityDescription(
                "Project",
                attributes: [key, Attribute("name", .string)],
                relationships: [.many("tasks", "Task", inverse: "project")]
            ),
        ])
    }

    fileprivate var fake: FakeDialect {
        switch self {
        case .rest: .rest()
        case .rails: .rails()
        case .parse: .parse()
        case .kinto: .kinto()
        case .jsonAPI: .jsonAPI()
        }
    }

    fileprivate var writes: FakeWrites {
        var writes = FakeWrites()
        switch self {
        case .rest, .rails, .jsonAPI: writes.keys = .numbers
        case .parse:
            writes.keys = .letters
            writes.idempotency = "X-Parse-Request-Id"
        case .kinto: writes.keys = .uuids
        }
        return writes
    }

    fileprivate func service(_ fake: FakeService) -> Service {
        switch self {
        case .rest: .rest(url: fake.url)
        case .rails: .rails(url: fake.url)
        case .parse: .parseServer(url: fake.url)
        case .kinto: .kinto(url: fake.url.appending(path: "buckets/app"))
        case .jsonAPI: .jsonAPI(url: fake.url)
        }
    }

    fileprivate var style: PushStyle {
        switch self {
        case .rest: .rest
        case .rails: .rails
        case .parse: .parse
        case .kinto: .kinto
        case .jsonAPI: .jsonAPI
        }
    }

    fileprivate func path(_ collection: String) -> String {
        switch self {
        case .rest: "\(collection)/"
        case .rails, .jsonAPI: collection
        case .parse: "classes/\(collection)"
        case .kinto: "collections/\(collection)/records"
        }
    }
}
