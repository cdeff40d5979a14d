import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Links of a relationship to many rows, which a request contains as a whole list.
struct PushLinkTests {
    private let fake: FakeService
    private let store: Store
    private let clock = ManualClock(seed: 1)

    init() throws {
        var dialect = FakeDialect.rest()
        dialect.writes = FakeWrites()
        fake = FakeService(
            collections: [
                "notes": [["id": 1, "tag_ids": []], ["id": 2, "text": "Old", "tag_ids": [1]]],
                "tags": [["id": 1], ["id": 2]],
            ],
            dialect: dialect,
            environment: clock.environment
        )
        store = try Store.validated(
            model: Model(entities: [
                EntityDescription(
                    "Note",
                    attributes: [Attribute("id", .integer64), Attribute("text", .string)],
                    relationships: [.many("tags", "Tag", inverse: "notes")]
                ),
                EntityDescription(
                    "Tag",
                    attributes: [Attribute("id", .integer64)],
                    relationships: [.many("notes", "Note", inverse: "tags")]
                ),
            ])
        )
    }

    private func engine(over transport: any Transport) throws -> SyncEngine {
        var service = Service.rest(url: fake.url)
        service.push = .rest
        return try SyncEngine(
            store: store,
            service: service,
            resources: [
                service.resource("Tag", path: "tags/"), service.resource("Note", path: "notes/"),
            ],
            transport: AnyTransport(transport),
            importer: Importer(store),
            environment: clock.environment,
            limits: .longTimeout
        )
    }

    private func setTags(_ tags: [RecordLocator]) async throws {
        try await store.write { writer in
            _ = try writer.update(RecordLocator("Note:1"), values: [:], links: ["tags": tags])
        }
    }

    private func settle(_ engine: SyncEngine) async throws {
        for _ in 1...2 {
            clock.advance(by: .seconds(3_600))
            _ = try await engine.sync()
        }
    }

    private func expectNoTags() async throws {
        #expect(
            fake.audit.map(\.description) == [
                #"update notes/1 {"id":1,"tag_ids":[2]}"#, #"update notes/1 {"id":1,"tag_ids":[]}"#,
            ]
        )
        let left = try await store.read { reader in try Outbox(store).changes(reader.db) }
        #expect(left.isEmpty)
    }

    @Test func `a link that is removed after a lost response is removed at the service`()
        async throws
    {
        let engine = try engine(over: WriteFaults(fake, .lostResponse))
        _ = try await engine.pull()
        try await setTags([RecordLocator("Tag:2")])
        _ = try await engine.push()
        try await setTags([])
        try await settle(engine)
        try await expectNoTags()
    }

    @Test func `a link that is removed after its outcome was read is removed at the service`()
        async throws
    {
        // The object is read after the first response is lost, and the list is sent again.
        let engine = try engine(over: WriteFaults(fake, .lostResponse, .connectionClosed))
        _ = try await engine.pull()
        try await setTags([RecordLocator("Tag:2")])
        _ = try await engine.push()
        _ = try await engine.push()
        try await setTags([])
        try await settle(engine)
        try await expectNoTags()
    }

    @Test func `a row that exists again because its object has changed has its links`()
        async throws
    {
        let engine = try engine(over: fake)
        _ = try await engine.pull()
        try await store.write { writer in _ = try writer.delete(RecordLocator("Note:2")) }
        fake.change { data in data["notes/2"]?["text"] = "New" }
        _ = try await engine.push()
        var request = RecordRequest("Note")
        request.links = .all
        let notes = try await store.read { [request] reader in try reader.fetch(request) }
        #expect(notes.map { $0["text"] } == [.null, .string("New")])
        #expect(notes.last?.links["tags"]?.map(\.description) == ["Tag#1"])
    }
}
