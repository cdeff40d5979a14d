import Foundation
import Synchronization
import Testing
import Tidemark
import TidemarkCoreData
import TidemarkMacros
import TidemarkTestSupport
import TidemarkTesting

/// The samples of the article ComingFromSync.
struct ComingFromSyncTests {
    // snippet.types
    @Entity struct User {
        var remoteID: Int?
        @RemoteKey("full_name") var name: String?
        @Relationship(inverse: "user", deleteRule: .cascade) var notes: Many<Note>
    }

    @Entity struct Note {
        @PrimaryKey var id: Int?
        var text: String?
        @Relationship(inverse: "notes") var user: One<User>
    }
    // snippet.end

    private let console = GuideConsole()
    private let store: Store

    init() throws {
        let folder = try Folder()
        try folder.write(Self.contents, to: Self.path)
        let model = try ModelBundle.model(at: folder.filePath("Demo.xcdatamodeld"))
        store = try Store.validated(model: model)
    }

    private func print(_ items: Any...) { console.write(items) }

    @Test func `the types are those of the model`() throws {
        #expect(try store.fetch(User.all).isEmpty)
        #expect(try store.fetch(Note.all).isEmpty)
    }

    @Test func `a model of Sync is read, and its payloads are imported`() throws {
        let temporary = try Folder()
        try temporary.write(Self.contents, to: Self.path)
        let folder = temporary.path
        // snippet.open
        let model = try ModelBundle.model(at: "\(folder)/Demo.xcdatamodeld")
        let store = try Store.open(at: "\(folder)/demo.sqlite", model: model)
        // snippet.end
        _ = store.validated()
        // snippet.import
        let json = #"""
            [{"id": 6, "full_name": "Ada", "notes": [{"id": 1, "text": "On the engine"}]},
             {"id": 7, "full_name": "Alan"}]
            """#
        let report = try store.import(json, as: User.self)
        print(report)  // Note: 1 inserted; User: 2 inserted
        let users = try store.fetch(User.sorted(by: \.name).including(\.notes))
        for user in users { print(user.name ?? "", user.notes.count ?? 0) }  // Ada 1, Alan 0
        // snippet.end
        // snippet.one
        let ada = try store.importOne(#"{"id": 6, "full_name": "Augusta Ada"}"#, as: User.self)
        print(ada.name ?? "", ada.rowID)  // Augusta Ada User#1
        let deleted = try store.delete(ada.rowID)
        print(deleted["User"] ?? 0, deleted["Note"] ?? 0)  // 1 1
        // snippet.end
        #expect(
            console.lines == [
                "Note: 1 inserted; User: 2 inserted", "Ada 1", "Alan 0", "Augusta Ada User#1",
                "1 1",
            ]
        )
    }

    @Test func `a part of a list deletes no row outside of it`() throws {
        try store.import(#"[{"id": 6, "notes": [{"id": 1}]}, {"id": 7}]"#, as: User.self)
        // snippet.scopes
        let page = #"[{"id": 8, "full_name": "Grace"}]"#
        try store.import(page, as: User.self, options: ImportOptions(operations: .upsert))
        if let alan = try store.fetch(User.self, key: 7) {
            let notes = #"[{"id": 2, "text": "On machines"}]"#
            try store.import(notes, as: Note.self, scope: .children(of: alan.rowID, by: \.notes))
        }
        print(try store.count(User.all), try store.count(Note.all))  // 3 2
        // snippet.end
        #expect(console.lines == ["3 2"])
    }

    @Test func `a hook skips an object`() throws {
        // snippet.hook
        var hooks = ImportHooks()
        hooks.on(
            User.self,
            willImport: { _, item in item.node(at: "draft")?.boolean == true ? .skip : .keep }
        )
        let report = try Importer(store, hooks: hooks).import(
            #"[{"id": 6, "full_name": "Ada"}, {"id": 7, "draft": true}]"#,
            as: User.self
        )
        print(report.entities["User"]?.inserted ?? 0)  // 1
        // snippet.end
        #expect(console.lines == ["1"])
        #expect(try store.fetch(User.all).map(\.name) == ["Ada"])
    }

    @Test func `a hook is called before updates too, and not for nested objects`() throws {
        try store.import(#"[{"id": 6, "full_name": "Ada"}]"#, as: User.self)
        let called = Mutex<[String]>([])
        var hooks = ImportHooks()
        hooks.on(
            User.self,
            willImport: { _, item in
                called.withLock { $0.append("User \(item.node(at: "id")?.integer ?? 0)") }
                return .keep
            }
        )
        hooks.on(
            Note.self,
            willImport: { _, _ in
                called.withLock { $0.append("Note") }
                return .keep
            }
        )
        let json = #"[{"id": 6, "full_name": "Augusta", "notes": [{"id": 1}]}, {"id": 7}]"#
        try Importer(store, hooks: hooks).import(json, as: User.self)
        #expect(called.withLock { $0 } == ["User 6", "User 7"])
        #expect(try store.fetch(User.sorted(by: \.remoteID)).map(\.name) == ["Augusta", nil])
        #expect(try store.count(Note.all) == 1)
    }

    @Test func `a cancelled import leaves nothing, nested objects included`() async throws {
        var hooks = ImportHooks()
        hooks.on(
            User.self,
            willImport: { _, item in
                if item.node(at: "id")?.integer == 7 { withUnsafeCurrentTask { $0?.cancel() } }
                return .keep
            }
        )
        let (store, importer) = (store, Importer(store, hooks: hooks))
        let task = Task {
            let json = #"[{"id": 6, "notes": [{"id": 1}]}, {"id": 7}, {"id": 8}]"#
            return try await importer.import(json, as: User.self)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await store.fetch(User.all).isEmpty)
        #expect(try await store.fetch(Note.all).isEmpty)
    }

    @Test func `a row is exported without its relationships`() throws {
        try store.import(#"[{"id": 6, "full_name": "Ada", "notes": [{"id": 1}]}]"#, as: User.self)
        var json = JSONWriter()
        let options = ExportOptions(keys: .camel, relationships: .none)
        try store.read { reader in
            let ada = try RecordLocator("User:6")
            try Exporter(store, options: options).write(reader.db, ada, into: &json)
        }
        #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"id":6,"full_name":"Ada"}"#)
    }

    @Test func `an engine requests the list, and a live list shows it`() async throws {
        let fake = FakeService(
            collections: [
                "users": [["id": 6, "full_name": "Ada"], ["id": 7, "full_name": "Alan"]]
            ]
        )
        let (url, transport, store) = (fake.url, fake, store)
        // snippet.pull
        let service = Service.rest(url: url)
        let engine = try await SyncEngine.prepare(
            store: store,
            service: service,
            resources: [service.resource(User.self, path: "users/")],
            transport: transport
        )
        let report = try await engine.pull()
        print(report[User.self].inserted)  // 2
        let showing = Task {
            for try await users in store.live(User.sorted(by: \.name)) {
                print(users.compactMap(\.name))  // ["Ada", "Alan"]; again after each change
            }
        }
        // snippet.end
        #expect(await console.next(2) == ["2", #"["Ada", "Alan"]"#])
        showing.cancel()
        _ = await showing.result
    }

    private static let path = "Demo.xcdatamodeld/Demo.xcdatamodel/contents"

    private static let contents = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="User">
                <attribute name="remoteID" optional="YES" attributeType="Integer 64"/>
                <attribute name="name" optional="YES" attributeType="String">
                    <userInfo><entry key="sync.remoteKey" value="full_name"/></userInfo>
                </attribute>
                <relationship name="notes" optional="YES" toMany="YES" deletionRule="Cascade"
                    destinationEntity="Note" inverseName="user" inverseEntity="Note"/>
            </entity>
            <entity name="Note">
                <attribute name="id" optional="YES" attributeType="Integer 64"/>
                <attribute name="text" optional="YES" attributeType="String"/>
                <relationship name="user" optional="YES" maxCount="1" deletionRule="Nullify"
                    destinationEntity="User" inverseName="notes" inverseEntity="User"/>
            </entity>
        </model>
        """
}
