import Foundation
import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Exports of rows: their properties, names, relationships and values.
struct ExportTests {
    private func store() throws -> Store {
        let store = try Store.of(
            EntityDescription(
                "User",
                attributes: [
                    .init("id", .integer64), .init("firstName", .string),
                    .init("city", .string, remoteKey: "address.city"),
                    .init("street", .string, remoteKey: "address.street"),
                    .init("born", .date), .init("score", .decimal),
                    .init("secret", .string, isExportable: false),
                    .init("userType", .string), .init("destroy", .boolean),
                ],
                relationships: [
                    .one("company", "Company", inverse: "users"),
                    .many("notes", "Note", inverse: "user", isOrdered: true),
                    .many("tags", "Tag"),
                    Relationship("boss", to: "User", remoteKey: "meta.boss"),
                ]
            ),
            .named("Company", [], .many("users", "User", inverse: "company")),
            .named("Note", [], .one("user", "User", inverse: "notes")),
            EntityDescription("Tag", attributes: [.init("text", .string)])
        )
        try store.load(
            "User",
            """
            [{"id": 1, "first_name": "Ada", "address": {"city": "Paris", "street": null},
              "born": "2014-02-14T10:00:00.250+02:00", "score": 12.20, "secret": "x",
              "type": "t", "destroy": true, "company": {"id": 5, "name": "five"},
              "notes": [{"id": 2, "name": "two"}, {"id": 1}], "tags": [{"text": "t"}]},
             {"id": 2, "company_id": 5, "meta": {"boss": {"id": 1}}}]
            """
        )
        return store
    }

    private func export(
        _ store: Store,
        _ row: String,
        _ options: ExportOptions = ExportOptions(),
        only properties: Set<String>? = nil
    ) throws -> String {
        var writer = JSONWriter(.pretty)
        try store.writer.read { db in
            try Exporter(store, options: options)
                .write(db, RecordLocator(row), only: properties, into: &writer)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static let attributes = """
          "id": 1,
          "first_name": "Ada",
          "address": {
            "city": "Paris",
            "street": null
          },
          "born": "2014-02-14T08:00:00.250Z",
          "score": 12.2,
          "type": "t",
          "destroy": true
        """

    @Test func `exporting a missing row throws`() throws {
        let store = try store()
        try expect(errorMessage(export(store, "User:9")), is: "The store has no row User:9.")
        try expect(
            errorMessage(export(store, "Nemo:9")),
            is: "The model has no entity Nemo. It has Company, Note, Tag, User."
        )
    }

    @Test func `exporting an unknown property throws`() throws {
        try expect(
            errorMessage(export(store(), "Note:1", only: ["name", "nme"])),
            is: "Note has no attribute or relationship nme. It has id, name, user."
        )
    }

    @Test func `writes only the requested properties, with null for missing values`() throws {
        let store = try store()
        let properties: Set = ["city", "company", "secret", "boss"]
        try expect(
            export(store, "User:1", ExportOptions(relationships: .ids), only: properties),
            is: """
                {
                  "address": {
                    "city": "Paris"
                  },
                  "company_id": 5,
                  "meta": {
                    "boss": null
                  }
                }
                """
        )
        try expect(export(store, "User:2", only: []), is: "{}")
        try expect(
            export(store, "User:1", only: ["boss"]),
            is: """
                {
                  "meta": {
                    "boss": null
                  }
                }
                """
        )
    }

    @Test func `writes attributes without relationships, with key paths as nested objects`() throws
    {
        try expect(
            export(store(), "User:1", ExportOptions(relationships: .none)),
            is: "{\n\(Self.attributes)\n}"
        )
    }

    @Test
    func `writes references as primary keys, also at key paths, and omits those without a key`()
        throws
    {
        let store = try store()
        try expect(
            export(store, "User:1", ExportOptions(relationships: .ids)),
            is: """
                {
                \(Self.attributes),
                  "company_id": 5,
                  "note_ids": [
                    2,
                    1
                  ]
                }
                """
        )
        let other = try export(store, "User:2", ExportOptions(keys: .camel, relationships: .ids))
        #expect(other.contains("\"companyId\": 5"))
        #expect(other.contains("\"noteIds\": []"))
        #expect(other.contains("\"meta\": {\n    \"boss\": 1\n  }"))
    }

    @Test func `embeds linked objects in order and omits their inverse relationships`() throws {
        try expect(
            export(store(), "User:1"),
            is: """
                {
                \(Self.attributes),
                  "company": {
                    "id": 5,
                    "name": "five"
                  },
                  "notes": [
                    {
                      "id": 2,
                      "name": "two"
                    },
                    {
                      "id": 1,
                      "name": null
                    }
                  ],
                  "tags": [
                    {
                      "text": "t"
                    }
                  ]
                }
                """
        )
    }

    @Test func `writes nested attributes in the form that Rails accepts`() throws {
        let store = try store()
        let snake = try export(store, "User:1", ExportOptions(relationships: .nestedAttributes))
        #expect(snake.contains("\"_destroy\": true"))
        #expect(snake.contains("\"company_attributes\": {\n    \"id\": 5"))
        #expect(snake.contains("\"notes_attributes\": {\n    \"0\": {\n      \"id\": 2"))
        #expect(snake.contains("\"1\": {\n      \"id\": 1"))
        let camel = try export(
            store,
            "User:1",
            ExportOptions(keys: .camel, relationships: .nestedAttributes)
        )
        #expect(camel.contains("\"firstName\": \"Ada\""))
        #expect(camel.contains("\"notesAttributes\": {"))
    }

    @Test func `writes dates in the format and time zone of the options`() throws {
        let store = try store()
        let zone = try #require(TimeZone(secondsFromGMT: -5_400))
        #expect(
            try export(store, "User:1", ExportOptions(relationships: .none, timeZone: zone))
                .contains(#""born": "2014-02-14T06:30:00.250-01:30""#)
        )
        let format = try DateFormat("yyyy-MM-dd")
        #expect(
            try export(store, "User:1", ExportOptions(relationships: .none, dateFormat: format))
                .contains(#""born": "2014-02-14""#)
        )
    }

    @Test func `binary values are exported as base64 or as their JSON, and import unchanged`()
        throws
    {
        let store = try Store.of(
            EntityDescription(
                "Blob",
                attributes: [
                    .init("id", .integer64), .init("raw", .binary, encoding: .base64),
                    .init("value", .binary), .init("any", .json), .init("lost", .transformable),
                    .init("moment", .date), .init("ratio", .float), .init("place", .uri),
                ]
            )
        )
        let document = """
            [{"id":1,"raw":"AAH/","value":{"a":[1,2.50]},"any":[1.10,null],\
            "moment":"2014-02-14T10:00:00.000001Z","ratio":0.10000000149011612,\
            "place":"https://example.org/a"},\
            {"id":2,"raw":null,"value":null,"any":null,"moment":null,"ratio":null,"place":null}]
            """
        try store.load("Blob", document)
        var writer = JSONWriter()
        try store.writer.read { db in
            try Exporter(store).write(db, RecordRequest("Blob"), into: &writer)
        }
        let text = String(decoding: writer.bytes, as: UTF8.self)
        expect(text, is: document)
        try expect(store.load("Blob", text), is: "Blob =2")
    }
}
