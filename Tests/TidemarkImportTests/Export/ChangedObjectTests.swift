import GRDB
import Testing
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkImport

/// The objects of requests that create or change them.
struct ChangedObjectTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Task",
            attributes: [
                Attribute("id", .integer64), Attribute("title", .string),
                Attribute("isDone", .boolean, defaultValue: .boolean(false)),
                Attribute("dueDate", .date), Attribute("code", .uuid),
                Attribute("data", .binary, encoding: .base64),
            ],
            relationships: [
                .one("owner", "Person"), .many("tags", "Tag", isOrdered: true),
                .many("steps", "Step", inverse: "task", isOrdered: true), .one("place", "Place"),
            ]
        ),
        EntityDescription("Person", attributes: [Attribute("id", .string)]),
        EntityDescription("Tag", attributes: [Attribute("id", .integer64)]),
        EntityDescription(
            "Step",
            attributes: [Attribute("text", .string)],
            relationships: [.one("task", "Task", inverse: "steps")]
        ),
        EntityDescription("Place", attributes: [Attribute("city", .string)]),
    ])

    private static func store() throws -> Store {
        let store = try Store.validated(model: model)
        try store.load(
            "Task",
            """
            [{"id":7,"title":"Buy milk","is_done":true,"due_date":"2026-11-22T10:03:07.5Z",\
            "code":"B7E0B3A1-6A0C-4B0E-9C7B-0B1A2C3D4E5F","data":"AQI=","owner":{"id":"ada"},\
            "tags":[{"id":1},{"id":2}],"steps":[{"text":"go"},{"text":null}],\
            "place":{"city":"Kiel"}},{"id":8}]
            """
        )
        return store
    }

    private func object(
        _ row: String = "Task:7",
        of store: Store,
        _ change: ChangeFormat = ChangeFormat(),
        only properties: Set<String>? = nil,
        keys: ExportOptions.Keys = .snake
    ) throws -> ChangedObject {
        let exporter = Exporter(
            store,
            options: ExportOptions(keys: keys, relationships: .ids),
            change: change,
            naming: .default,
            transformers: [:],
            limits: Limits()
        )
        return try store.read { reader in
            try exporter.changedObject(
                reader.record(RecordLocator(row)),
                only: properties,
                reader: reader
            )
        }
    }

    private func text(_ object: ChangedObject, in wrapper: String? = nil) -> String {
        String(decoding: object.json(in: wrapper), as: UTF8.self)
    }

    @Test func `a change contains the changed properties, with null for those without a value`()
        throws
    {
        let store = try Self.store()
        let properties: Set = ["title", "dueDate", "owner", "tags", "steps", "place"]
        let changed = try object(of: store, only: properties)
        expect(
            text(changed, in: "task"),
            is: """
                {"task":{"title":"Buy milk","due_date":"2026-11-22T10:03:07.500Z",\
                "owner_id":"ada","tag_ids":[1,2],"steps":[{"text":"go"},{"text":null}],\
                "place":{"city":"Kiel"}}}
                """
        )
        let cleared = try object("Task:8", of: store, only: properties)
        expect(
            text(cleared),
            is: """
                {"title":null,"due_date":null,"owner_id":null,"tag_ids":[],"steps":[],"place":null}
                """
        )
    }

    @Test func `a new object lacks what has no value, unless the model has a default`() throws {
        let store = try Self.store()
        try store.write { writer in
            try writer.update(RecordLocator("Task:8"), values: ["isDone": .null])
        }
        let created = try object("Task:8", of: store)
        expect(text(created), is: #"{"id":8,"is_done":null}"#)
    }

    @Test func `UUIDs are in lower case`() throws {
        let changed = try object(of: Self.store(), only: ["code"])
        expect(text(changed), is: #"{"code":"b7e0b3a1-6a0c-4b0e-9c7b-0b1a2c3d4e5f"}"#)
    }

    @Test func `names are those of the service's own objects`() throws {
        var change = ChangeFormat()
        var names = ObservedNames()
        names.all = ["is_done", "dueDate", "owner", "tags", "owner_name"]
        change.names = ["Task": names]
        let changed = try object(
            of: Self.store(),
            change,
            only: ["title", "isDone", "dueDate", "owner", "tags"]
        )
        expect(
            text(changed),
            is: """
                {"title":"Buy milk","is_done":true,"dueDate":"2026-11-22T10:03:07.500Z",\
                "owner":"ada","tags":[1,2]}
                """
        )
    }

    @Test func `a reference is not written under a name that has whole objects`() throws {
        var change = ChangeFormat()
        var names = ObservedNames()
        names.all = ["owner", "tags", "dueDate"]
        names.embedded = ["owner", "tags"]
        change.names = ["Task": names]
        let changed = try object(of: Self.store(), change, only: ["owner", "tags"])
        expect(text(changed), is: #"{"owner_id":"ada","tag_ids":[1,2]}"#)
        // The service shows both, the objects and their keys.
        names.all.formUnion(["ownerId", "tagIds"])
        change.names = ["Task": names]
        let shown = try object(of: Self.store(), change, only: ["owner", "tags"])
        expect(text(shown), is: #"{"ownerId":"ada","tagIds":[1,2]}"#)
    }

    @Test func `a reference is an object with the key where the service has objects`() throws {
        var change = ChangeFormat()
        change.references = .observed { _, _ in nil }
        var names = ObservedNames()
        names.all = ["owner", "tags"]
        names.embedded = ["owner", "tags"]
        change.names = ["Task": names]
        let changed = try object(of: Self.store(), change, only: ["owner", "tags"])
        expect(text(changed), is: #"{"owner":{"id":"ada"},"tags":[{"id":1},{"id":2}]}"#)
        #expect(changed.embedded == ["owner": "owner_id", "tags": "tag_ids"])
        // Where the service has accepted a key, and where it shows the keys as well.
        names.forms["owner"] = ObservedForm(.keyUnder("owner"))
        names.all.insert("tag_ids")
        names.forms["tag_ids"] = ObservedForm(.text)
        change.names = ["Task": names]
        let accepted = try object(of: Self.store(), change, only: ["owner", "tags"])
        expect(text(accepted), is: #"{"owner":"ada","tag_ids":["1","2"]}"#)
        #expect(accepted.embedded == [:])
        let cleared = try object("Task:8", of: Self.store(), change, only: ["owner", "tags"])
        expect(text(cleared), is: #"{"owner":null,"tag_ids":[]}"#)
    }

    @Test func `names of whole objects are recorded, whatever other objects have`() throws {
        let store = try Self.store()
        try store.writer.write { [layout = store.layout] db in try Capture.install(db, layout) }
        let importer = Importer(store)
        func receive(_ json: String) throws -> (all: Set<String>, embedded: Set<String>)? {
            try store.writer.write { db in
                let session = ImportSession("tasks", into: "Task")
                try importer.begin(db, session)
                var items = try JSONDocument(Array(json.utf8)).items()
                _ = try importer.apply(db, &items, of: session)
                return try ObservedNames.read(db)["Task"].map { ($0.all, $0.embedded) }
            }
        }
        let first = try receive(#"[{"id": 7, "owner": null, "tags": [1]}]"#)
        #expect(first?.all == ["id", "owner", "tags"])
        #expect(first?.embedded == [])
        let objects =
            #"[{"id": 7, "owner": {"id": "ada"}, "tags": [{"id": 1}], "owner_id": "ada"}]"#
        #expect(try receive(objects)?.embedded == ["owner", "tags"])
        let last = try receive(#"[{"id": 7, "owner": null, "tags": []}]"#)
        #expect(last?.all == ["id", "owner", "owner_id", "tags"])
        #expect(last?.embedded == ["owner", "tags"])
    }

    @Test func `references are URLs`() throws {
        var change = ChangeFormat()
        change.references = .urls { "https://example.com/\($0)/\($1.joined())" }
        let changed = try object(of: Self.store(), change, only: ["owner", "tags"])
        expect(
            text(changed),
            is: """
                {"owner":"https://example.com/Person/ada",\
                "tags":["https://example.com/Tag/1","https://example.com/Tag/2"]}
                """
        )
    }

    @Test func `a file of Parse is an object with its name, and another URL is a text`() throws {
        let store = try Store.validated(
            model: Model(entities: [
                EntityDescription(
                    "Task",
                    attributes: [
                        Attribute("id", .integer64), Attribute("photo", .uri, isAsset: true),
                        Attribute("site", .uri),
                    ]
                )
            ])
        )
        try store.load(
            "Task",
            """
            [{"id":7,"site":"https://b.example/","photo":{"__type":"File","name":"other",\
            "url":"https://a.example/files/app/1_a%20b.png"}}]
            """
        )
        var change = ChangeFormat()
        change.references = .pointers { $0 }
        let properties: Set = ["photo", "site"]
        expect(
            text(try object(of: store, change, only: properties)),
            is: """
                {"photo":{"__type":"File","name":"1_a b.png",\
                "url":"https://a.example/files/app/1_a%20b.png"},"site":"https://b.example/"}
                """
        )
        expect(
            text(try object(of: store, only: properties)),
            is: """
                {"photo":"https://a.example/files/app/1_a%20b.png","site":"https://b.example/"}
                """
        )
    }

    @Test func `values of Parse have types`() throws {
        let store = try Self.store()
        var change = ChangeFormat()
        change.references = .pointers { $0 }
        let properties: Set = ["title", "dueDate", "data", "owner", "tags"]
        let changed = try object(of: store, change, only: properties, keys: .camel)
        expect(
            text(changed),
            is: """
                {"title":"Buy milk","dueDate":{"__type":"Date","iso":"2026-11-22T10:03:07.500Z"},\
                "data":{"__type":"Bytes","base64":"AQI="},\
                "owner":{"__type":"Pointer","className":"Person","objectId":"ada"},\
                "tags":[{"__type":"Pointer","className":"Tag","objectId":"1"},\
                {"__type":"Pointer","className":"Tag","objectId":"2"}]}
                """
        )
        let cleared = try object("Task:8", of: store, change, only: ["title", "owner"])
        expect(text(cleared), is: #"{"title":null,"owner":{"__op":"Delete"}}"#)
    }

    @Test func `resources of JSON:API separate attributes and relationships`() throws {
        let store = try Self.store()
        var change = ChangeFormat()
        change.references = .linkage { $0.lowercased() }
        var changed = try object(of: store, change, only: ["title", "owner", "tags", "place"])
        changed.add("task", at: "type")
        changed.add("7", at: "id")
        expect(
            text(changed, in: "data"),
            is: """
                {"data":{"attributes":{"title":"Buy milk","place":{"city":"Kiel"}},\
                "relationships":{"owner":{"data":{"type":"person","id":"ada"}},\
                "tags":{"data":[{"type":"tag","id":"1"},{"type":"tag","id":"2"}]}},\
                "type":"task","id":"7"}}
                """
        )
        let cleared = try object("Task:8", of: store, change, only: ["owner", "tags"])
        expect(
            text(cleared),
            is: #"{"relationships":{"owner":{"data":null},"tags":{"data":[]}}}"#
        )
    }

    @Test(arguments: [
        (ChangeFormat.Nulls.omitted, "{}"),
        (.operation, #"{"title":{"__op":"Delete"},"owner_id":{"__op":"Delete"}}"#),
    ])
    func `the lack of a value is written as the service expects it`(
        nulls: ChangeFormat.Nulls,
        expected: String
    ) throws {
        var change = ChangeFormat()
        change.nulls = nulls
        let cleared = try object("Task:8", of: Self.store(), change, only: ["title", "owner"])
        expect(text(cleared), is: expected)
    }

    @Test func `links to rows without a key are left out, and said to be`() throws {
        let store = try Self.store()
        try store.write { writer in
            let tag = try writer.insert("Tag", values: [:])
            let person = try writer.insert("Person", values: [:])
            try writer.update(
                RecordLocator("Task:8"),
                values: ["title": .string("new")],
                links: ["tags": [RecordLocator(tag)], "owner": [RecordLocator(person)]]
            )
        }
        let changed = try object("Task:8", of: store, only: ["title", "owner", "tags"])
        expect(text(changed), is: #"{"title":"new"}"#)
        #expect(changed.unwritten == ["owner", "tags"])
    }

    @Test(arguments: [
        (MemberNesting.replaced, #"{"zip":"53","geo":{"x":1},"city":"Kiel"}"#),
        (.joined, #"{"city":"Kiel"}"#),
    ])
    func `members of a resource are completed within its attributes`(
        nesting: MemberNesting,
        place: String
    ) throws {
        var change = ChangeFormat()
        change.references = .linkage { $0.lowercased() }
        let changed = try object(of: Self.store(), change, only: ["title", "place", "owner"])
        let read = try JSONDocument(
            Array(
                """
                {"type":"task","id":"7","attributes":{"title":"Old","place":{"city":"Bonn",\
                "zip":"53","geo":{"x":1}},"other":1},"relationships":{"owner":{"data":null}}}
                """.utf8
            )
        )
        let whole = read.withRoot { changed.completed(from: $0, nesting) }
        expect(
            text(whole),
            is: """
                {"attributes":{"title":"Buy milk","place":\(place)},\
                "relationships":{"owner":{"data":{"type":"person","id":"ada"}}}}
                """
        )
    }

    @Test func `an operation of Parse is not a member of an object within another one`() throws {
        let store = try Self.store()
        try store.write { writer in
            _ = try writer.update(RecordLocator("Place#1"), values: ["city": .null])
        }
        var change = ChangeFormat()
        change.references = .pointers { $0 }
        change.nulls = .operation
        let changed = try object(of: store, change, only: ["place", "dueDate"], keys: .camel)
        let read = try JSONDocument(Array(#"{"place":{"city":"Bonn","zip":"53"}}"#.utf8))
        let whole = read.withRoot { changed.completed(from: $0, .replaced) }
        expect(
            text(whole),
            is:
                #"{"dueDate":{"__type":"Date","iso":"2026-11-22T10:03:07.500Z"},"place":{"zip":"53"}}"#
        )
    }

    @Test func `changed properties are laid over the whole object that was read`() throws {
        let changed = try object(of: Self.store(), only: ["title", "place"])
        let read = try JSONDocument(
            Array(
                """
                {"id":7,"title":"Old","place":{"city":"Bonn","zip":"53"},"unknown":[{"a": 1.50}],\
                "n":null}
                """.utf8
            )
        )
        let whole = read.withRoot { changed.laid(over: $0) }
        expect(
            text(whole),
            is: """
                {"id":7,"place":{"zip":"53","city":"Kiel"},"unknown":[{"a":1.50}],"n":null,\
                "title":"Buy milk"}
                """
        )
    }
}
