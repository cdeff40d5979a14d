import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Transformers of attributes, on import and on export.
struct TransformerTests {
    private struct Rejection: Error, CustomStringConvertible {
        let description = "no such mood"
    }

    private static let transformers = [
        "Cents": AttributeTransformer(
            reading: { node in .integer((node.integer ?? 0) * 100) },
            writing: { value in
                guard case .integer(let cents) = value else { return value }
                return .json("{\"amount\":\(cents / 100)}")
            }
        ),
        "Mood": AttributeTransformer { node in
            guard node.string != "bad" else { throw Rejection() }
            return node.string == "none" ? .null : .string("mood \(node.string)")
        },
    ]

    private func store() throws -> Store {
        try .of(
            EntityDescription(
                "Item",
                attributes: [
                    .init("id", .integer64),
                    .init("price", .integer64, valueTransformer: "Cents"),
                    .init("mood", .transformable, valueTransformer: "Mood"),
                    .init("lost", .transformable, valueTransformer: "Nemo"),
                    .init("kept", .string, valueTransformer: "Nemo"),
                ]
            )
        )
    }

    private func load(_ store: Store, _ json: String) throws -> String {
        var items = try JSONDocument(Array(json.utf8)).items()
        return try Importer(store, transformers: Self.transformers).import(&items, into: "Item")
            .text
    }

    @Test func `a value that its transformer rejects is reported, and the stored one is kept`()
        throws
    {
        let store = try store()
        try expect(load(store, #"[{"id": 1, "mood": "good"}]"#), is: "Item +1")
        try expect(
            load(store, #"[{"id": 1, "mood": "bad"}]"#),
            is: """
                Item =1
                Item:1, mood: The value was rejected by its transformer: no such mood.
                """
        )
    }

    @Test func `a transformer that is not registered is reported for each value`() throws {
        let store = try store()
        try expect(
            load(store, #"[{"id": 1, "lost": [1], "kept": "as it came"}, {"id": 2, "lost": 5}]"#),
            is: """
                Item +2
                Item:1, lost: No transformer “Nemo” is registered: the value was left out. ×2
                Item:1, kept: No transformer “Nemo” is registered: the value was imported unchanged.
                """
        )
        try expect(
            table(of: store, "Item"),
            is: """
                Item
                #  id  price  mood  lost  kept
                1  1   -      -     -     as it came
                2  2   -      -     -     -
                """
        )
    }

    @Test func `values are transformed on import and on export`() throws {
        let store = try store()
        let document = #"""
            [{"id": 1, "price": 5, "mood": "good"}, {"id": 2, "price": null, "mood": "none"}]
            """#
        try expect(load(store, document), is: "Item +2")
        try expect(load(store, document), is: "Item =2")
        try expect(
            table(of: store, "Item"),
            is: """
                Item
                #  id  price  mood       lost  kept
                1  1   500    mood good  -     -
                2  2   -      -          -     -
                """
        )
        var writer = JSONWriter()
        try store.writer.read { db in
            let exporter = Exporter(store, transformers: Self.transformers)
            try exporter.write(db, RecordRequest("Item"), into: &writer)
        }
        #expect(
            String(decoding: writer.bytes, as: UTF8.self) == #"""
                [{"id":1,"price":{"amount":5},"mood":"mood good","kept":null},\#
                {"id":2,"price":null,"mood":null,"kept":null}]
                """#
        )
    }
}
