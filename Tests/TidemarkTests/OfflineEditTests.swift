import Foundation
import GRDB
import HTTPTypes
import Testing
import Tidemark
import TidemarkTestSupport
import TidemarkTesting

/// The samples of README.md and docs/offline-edits.md.
struct OfflineEditTests {
    private let fake: FakeService
    private let store: Store

    init() throws {
        var dialect = FakeDialect.rest()
        dialect.writes = FakeWrites()
        dialect.writes?.required["notes"] = ["text"]
        fake = FakeService(
            collections: [
                "notes": [["id": 7, "text": "Buy milk"], ["id": 8, "text": "Call Ada"]]
            ],
            dialect: dialect
        )
        let model = Model {
            EntityDescription("Note") {
                Attribute("id", .integer64)
                Attribute("text", .string)
            }
        }
        store = try .validated(model: model)
    }

    private func engine(_ conflicts: ConflictPolicies? = nil) async throws -> SyncEngine {
        var service = Service.rest(url: fake.url)
        service.push = .rest
        return try await SyncEngine.prepare(
            store: store,
            service: service,
            resources: [service.resource("Note", path: "notes/")],
            transport: fake,
            conflicts: conflicts
        )
    }

    @Test func `a change is recorded, sent, and listed until then`() async throws {
        let (url, transport, store) = (fake.url, fake, store)
        // snippet.prepare
        var service = Service.rest(url: url)
        service.push = .rest
        let engine = try await SyncEngine.prepare(
            store: store,
            service: service,
            resources: [service.resource("Note", path: "notes/")],
            transport: transport
        )
        // snippet.end
        _ = try await engine.pull()
        // snippet.edit
        try await store.write { writer in
            let note = try writer.insert("Note", values: ["text": .string("Buy milk")])
            _ = try writer.update(RecordLocator("Note:7"), values: ["text": .string("Buy bread")])
            _ = try writer.delete(RecordLocator("Note:8"))
            print(note)  // Note#3: the row keeps its number when the service names the object
        }
        // snippet.end
        // snippet.list
        let left = try await store.read { reader in try Outbox(store).changes(reader.db) }
        for change in left {
            print(change.row, change.kind, change.state, change.attempts.reason ?? "")
        }
        // snippet.end
        #expect(
            left.map { "\($0.row) \($0.kind)" }.sorted() == [
                "Note#1 update", "Note#2 delete", "Note#3 create",
            ]
        )
        // snippet.sync
        let report = try await engine.sync()
        for (entity, counts) in report.pushed.entities {
            print(entity, counts.created, counts.updated, counts.deleted, counts.rejected)
        }
        // snippet.end
        #expect(report.pushed.total.created == 1)
        #expect(
            try table(of: store, "Note") == """
                Note
                #  id  text
                1  7   Buy bread
                3  9   Buy milk
                """
        )
    }

    @Test func `a schedule pushes an edit by itself`() async throws {
        let engine = try await engine()
        _ = try await engine.pull()
        try await store.write { writer in
            _ = try writer.update(RecordLocator("Note:7"), values: ["text": .string("Buy bread")])
        }
        let events = engine.events()
        // snippet.schedule
        let syncing = Task { try await engine.run(.every(.seconds(300))) }
        // snippet.end
        for await case .finished(let report) in events {
            #expect(report.pushed.total.updated == 1)
            break
        }
        syncing.cancel()
        await #expect(throws: CancellationError.self) { try await syncing.value }
        #expect(fake["notes/7"]?["text"] == "Buy bread")
    }

    @Test func `README's sample pushes an edit`() async throws {
        _ = try await engine().pull()
        let (url, transport, store) = (fake.url, fake, store)
        // snippet.readme
        var service = Service.rest(url: url)
        service.push = .rest
        let engine = try await SyncEngine.prepare(
            store: store,
            service: service,
            resources: [service.resource("Note", path: "notes/")],
            transport: transport,
            conflicts: ConflictPolicies(default: .localWins)
        )
        try await store.write { writer in
            _ = try writer.update(RecordLocator("Note:7"), values: ["text": .string("Buy bread")])
        }
        let report = try await engine.sync()
        let rejected = try await store.read { reader in
            try Outbox(store).changes(reader.db, in: .rejected)
        }
        // snippet.end
        #expect(report.pushed.total.updated == 1)
        #expect(rejected.isEmpty)
    }

    @Test func `a rejected change is corrected or discarded`() async throws {
        let (store, engine) = (store, try await engine())
        _ = try await engine.pull()
        try await store.write { writer in
            _ = try writer.update(RecordLocator("Note:7"), values: ["text": .null])
        }
        // snippet.rejected
        let events = engine.events()
        _ = try await engine.push()
        for await case .rejected(let change) in events {
            for (attribute, messages) in change.attempts.fieldErrors {
                print(attribute, messages)  // text ["…"]
            }
            break
        }
        // snippet.end
        // snippet.discard
        try await store.write { writer in
            _ = try Outbox(store).discard(writer.db, RecordLocator("Note:7"))
        }
        // snippet.end
        #expect(
            try table(of: store, "Note") == """
                Note
                #  id  text
                1  7   Buy milk
                2  8   Call Ada
                """
        )
    }

    @Test func `a user rejects the deletion of all notes`() async throws {
        fake.change { data in
            for number in 9...18 { data["notes/\(number)"] = ["text": "Note"] }
        }
        let (store, engine) = (store, try await engine())
        _ = try await engine.pull()
        try await store.write { writer in
            for number in 7...18 { _ = try writer.delete(RecordLocator("Note:\(number)")) }
        }
        // snippet.deletions
        let pushed = try await engine.push()
        for pending in pushed.localChanges.pendingServiceDeletions {
            print(pending)  // Note: 300 …
        }
        try await store.write { writer in
            let outbox = Outbox(store)
            try outbox.rejectDeletions(writer.db, of: "Note")  // or approveDeletions
        }
        // snippet.end
        #expect(
            pushed.localChanges.pendingServiceDeletions.map(\.description)
                == ["Note: 12 of 12 objects would be deleted at the service."]
        )
        #expect(try await store.read { try $0.count(RecordRequest("Note")) } == 12)
        #expect(fake.audit.isEmpty)
    }

    @Test func `a user decides a conflict`() async throws {
        // snippet.policies
        let policies = ConflictPolicies(
            default: .remoteWins,
            deletes: .editWins,
            entities: ["Note": .init(.remoteWins, properties: ["text": .manual])]
        )
        // snippet.end
        let (store, engine) = (store, try await engine(policies))
        _ = try await engine.pull()
        try await store.write { writer in
            _ = try writer.update(RecordLocator("Note:7"), values: ["text": .string("Mine")])
        }
        fake["notes/7"]?["text"] = "Hers"
        _ = try await engine.sync()
        // snippet.resolve
        let conflicts = Conflicts(store)
        let open = try await store.read { reader in try conflicts.list(reader.db, filter: .open) }
        try await store.write { writer in
            for conflict in open { try conflicts.resolve(writer.db, conflict.id, taking: .local) }
        }
        // snippet.end
        _ = try await engine.sync()
        #expect(open.count == 1)
        #expect(fake["notes/7"]?["text"] == "Mine")
    }

    @Test func `a verification shows what the service has taken`() async throws {
        let (store, engine) = (store, try await engine())
        _ = try await engine.pull()
        try await store.write { writer in _ = try writer.delete(RecordLocator("Note:8")) }
        let note = fake["notes/8"]
        _ = try await engine.push()
        fake["notes/8"] = note
        // snippet.unconfirmed
        for change in try await engine.verify().unconfirmed where change.outcome != .taken {
            print(change.row, change.outcome, change.properties)  // Note#3 notTaken ["text"]
        }
        // snippet.end
        let changes = try await engine.verify().unconfirmed
        #expect(changes.map(\.row.number) == [2])
        #expect(changes.map(\.outcome) == [.notTaken])
        #expect(changes.map(\.properties) == [["id", "text"]])
    }

    @Test func `a lost response creates no second object`() async throws {
        let (fake, engine) = (fake, try await engine())
        _ = try await engine.pull()
        try await store.write { writer in
            _ = try writer.update(RecordLocator("Note:7"), values: ["text": .string("Mine")])
        }
        // snippet.lost
        fake.inject(.lostResponse, times: 1)  // the service applies it, and the app does not know
        _ = try await engine.sync()
        print(fake.audit)
        // snippet.end
        _ = try await engine.sync()
        #expect(fake["notes/7"]?["text"] == "Mine")
    }

    @Test func `a user names the object of a creation whose response was lost`() async throws {
        let (fake, engine) = (fake, try await engine())
        _ = try await engine.pull()
        try await store.write { _ = try $0.insert("Note", values: ["text": .string("Buy milk")]) }
        fake.inject(.lostResponse, times: 1)
        _ = try await engine.push()
        fake["notes/9"]?["text"] = "BUY MILK"
        try await store.write { writer in
            _ = try writer.update(RecordLocator("Note#3"), values: ["text": .string("Buy bread")])
        }
        // snippet.adopt
        let left = try await engine.adopt(RecordLocator("Note#3"), key: 9)
        print(left?.properties ?? [])  // what was edited since: the next push sends it
        // snippet.end
        #expect(left?.properties == ["text"])
        _ = try await engine.push()
        #expect(fake["notes/9"]?["text"] == "Buy bread")
    }
}
