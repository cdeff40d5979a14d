import GRDB
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// New rows that refer to other new rows, in any shape.
struct PushChainTests {
    /// A shape of links between new rows, which are numbered from 0.
    enum Shape: String, CaseIterable, Sendable {
        case chain, reverse, star, tree, ring, pairs, shuffled

        /// Returns the row that a row refers to.
        func parent(of row: Int, among count: Int) -> Int? {
            switch self {
            case .chain: row == 0 ? nil : row - 1
            case .reverse: row == count - 1 ? nil : row + 1
            case .star: row == count - 1 ? nil : count - 1
            case .tree: row == 0 ? nil : (row - 1) / 2
            case .ring: (row + 1) % count
            case .pairs: row % 2 == 0 ? min(row + 1, count - 1) : row - 1
            case .shuffled:
                // A chain in an order that does not follow the numbers: 7 and the count have no
                // common divisor.
                row == 0 ? nil : (row + count - 7) % count
            }
        }
    }

    private static let model = Model(entities: [
        EntityDescription(
            "Note",
            attributes: [Attribute("id", .integer64), Attribute("text", .string)],
            relationships: [
                .one("parent", "Note", inverse: "children"),
                .many("children", "Note", inverse: "parent"),
            ]
        )
    ])

    private struct Notes {
        let fake: FakeService
        let store: Store
        let engine: SyncEngine
    }

    private func notes(
        _ shape: Shape,
        _ count: Int,
        concurrency: Int,
        holding limit: Int? = nil
    ) async throws -> Notes {
        var writes = FakeWrites()
        writes.keys = .numbers
        var dialect = FakeDialect.rest()
        dialect.writes = writes
        let clock = ManualClock()
        let fake = FakeService(
            data: FakeData([(name: "notes", objects: [])]),
            dialect: dialect,
            environment: clock.environment
        )
        let store = try Store.validated(model: Self.model)
        var service = Service.rest(url: fake.url)
        service.push = .rest
        var limits = Limits.longTimeout
        limits.concurrency = concurrency
        let engine = try await SyncEngine.prepare(
            store: store,
            service: service,
            resources: [service.resource("Note", path: "notes/")],
            transport: fake,
            environment: clock.environment,
            limits: limits
        )
        if let limit { await engine.hold(atMost: limit) }
        try await store.writer.write { db in
            for row in 0..<count {
                try db.execute(
                    sql: "INSERT INTO Note (text, parent) VALUES (?, ?)",
                    arguments: [
                        "note \(row)", shape.parent(of: row, among: count).map { Int64($0 + 1) },
                    ]
                )
            }
        }
        return Notes(fake: fake, store: store, engine: engine)
    }

    /// Returns the texts of the objects with that of the object that each refers to.
    private func sent(_ notes: Notes) async throws -> [String: String] {
        _ = try await notes.engine.pull()
        return try await notes.store.writer.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT n.text, p.text FROM Note n LEFT JOIN Note p ON p._id = n.parent \
                    WHERE n.id IS NOT NULL
                    """
            )
            return Dictionary(
                rows.map { ($0[0] as String, $0[1] as String? ?? "") },
                uniquingKeysWith: { first, _ in first }
            )
        }
    }

    @Test func `rows whose keys the client chooses refer only to objects that exist`()
        async throws
    {
        // The service rejects references to objects that it does not have.
        let service = PlainService(["notes": []]) { request, lists in
            guard request.method != "GET", let parent = request.body?["parent_id"],
                parent != .null, lists["notes"]?.contains(where: { $0["id"] == parent }) != true
            else { return nil }
            return PlainService.Response(status: 422, body: ["parent_id": ["does not exist"]])
        }
        var style = PushStyle.rest
        style.key = .client
        let mirror = try PlainMirror(Self.model, [("Note", "notes")], with: service, style)
        try await mirror.pull()
        try await mirror.store.writer.write { db in
            try db.execute(
                sql: """
                    INSERT INTO Note (id, text, parent) VALUES (7, 'a', 3), (8, 'b', 1), (9, 'c', 2)
                    """
            )
        }
        let report = try await mirror.push()
        #expect(
            mirror.service.takeWrites() == [
                #"POST notes {"id":7,"text":"a"}"#,
                #"POST notes {"id":8,"text":"b","parent_id":7}"#,
                #"POST notes {"id":9,"text":"c","parent_id":8}"#,
                #"PATCH notes/7 {"parent_id":9}"#,
            ]
        )
        #expect(report.total.rejected == 0)
        #expect(try mirror.changes() == [])
    }

    @Test(arguments: Shape.allCases, [1, 4])
    func `each row is created once, after the row that it refers to`(
        shape: Shape,
        concurrency: Int
    ) async throws {
        let count = 402
        let notes = try await notes(shape, count, concurrency: concurrency)
        let report = try await notes.engine.push()
        #expect(report.localChanges.unpushed.isEmpty)
        let created = notes.fake.audit.filter { $0.kind == .create }
        #expect(Set(created.map(\.path)).count == count)
        #expect(created.count == count)
        // Only what refers to each other is linked afterwards.
        let cycles = shape == .ring ? 1 : shape == .pairs ? count / 2 : 0
        #expect(notes.fake.audit.count == count + cycles)
        let expected = (0..<count).map { row in
            ("note \(row)", shape.parent(of: row, among: count).map { "note \($0)" } ?? "")
        }
        #expect(
            try await sent(notes)
                == Dictionary(expected, uniquingKeysWith: { first, _ in first })
        )
    }

    @Test(arguments: Shape.allCases)
    func `each change is read a few times, however many wait for each other`(
        shape: Shape
    ) async throws {
        let count = 402
        let notes = try await notes(shape, count, concurrency: 4)
        let report = try await notes.engine.push()
        #expect(report.localChanges.unpushed.isEmpty)
        // Once by the pass that sends it, and the updates of those that were linked afterwards.
        #expect(report.planned <= 2 * count, "\(report.planned)")
    }

    @Test(arguments: [Shape.chain, .reverse, .star, .tree, .pairs])
    func `a plan that holds few changes reads each of them a few times`(
        shape: Shape
    ) async throws {
        let count = 804
        let notes = try await notes(shape, count, concurrency: 4, holding: 200)
        let report = try await notes.engine.push()
        #expect(report.localChanges.unpushed.isEmpty)
        #expect(notes.fake.audit.filter { $0.kind == .create }.count == count)
        #expect(report.planned <= 3 * count, "\(report.planned)")
    }

    @Test func `a ring that is longer than the plan is created as well`() async throws {
        let count = 1_001
        let notes = try await notes(.ring, count, concurrency: 4, holding: 200)
        let report = try await notes.engine.push()
        #expect(report.localChanges.unpushed.isEmpty)
        #expect(notes.fake.audit.count == count + 1)
    }

    @Test func `a row that is rejected holds up those that depend on it, and no others`()
        async throws
    {
        let notes = try await notes(.chain, 450, concurrency: 4)
        // A rejected one on the second page, and a row of its own after it.
        try await notes.store.writer.write { db in
            try db.execute(sql: "UPDATE Note SET parent = NULL WHERE _id = 430")
        }
        let rejecting = RejectedText(notes.fake, "note 401")
        let engine = try await SyncEngine.prepare(
            store: notes.store,
            service: notes.engine.configuration.service,
            resources: notes.engine.configuration.resources,
            transport: rejecting,
            environment: notes.engine.environment,
            limits: notes.engine.limits
        )
        let report = try await engine.push()
        #expect(report.entities["Note"]?.created == 401 + 21)
        #expect(report.entities["Note"]?.rejected == 1)
        #expect(report.localChanges.unpushed.map(\.count).reduce(0, +) == 450 - 422)
    }
}

extension SyncEngine {
    /// Lets fewer changes wait in the plan of a push.
    fileprivate func hold(atMost limit: Int) { mostWaiting = limit }
}

/// A transport to a service that rejects objects with a text.
private struct RejectedText: Transport {
    let fake: FakeService
    let text: String

    init(_ fake: FakeService, _ text: String) {
        self.fake = fake
        self.text = text
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        if String(decoding: body ?? [], as: UTF8.self).contains("\"\(text)\"") {
            fake.inject(.status(422), times: 1)
        }
        return try await fake.send(request, body: body)
    }
}
