import Foundation
import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Exported values: any value results in valid JSON from which an import reads the same value.
struct ExportValueTests {
    private func store(_ type: AttributeType, _ value: Value) throws -> Store {
        let store = try Store.of(
            EntityDescription("Blob", attributes: [.init("id", .integer64), .init("v", type)])
        )
        try store.insert("Blob", ["id": .integer(1), "v": value])
        return store
    }

    // MARK: Bytes

    @Test(arguments: [
        ("hi", #""aGk=""#), ("", #""""#), ("{", #""ew==""#), ("1 2", #""MSAy""#),
        ("01", #""MDE=""#), ("NaN", #""TmFO""#),
        (#"{"a":[1,2.50]}"#, #"{"a":[1,2.50]}"#), ("[1, 2]\n", "[1,2]"),
        ("\u{FEFF}[1]", "[1]"), ("null", "null"), (#""hi""#, #""hi""#),
    ])
    func `bytes that are not valid JSON are exported as base64`(bytes: String, json: String) throws
    {
        let store = try store(.binary, .binary(Array(bytes.utf8)))
        try expect(store.export("Blob:1"), is: #"{"id":1,"v":\#(json)}"#)
    }

    @Test func `bytes that are not valid UTF-8 are exported as base64`() throws {
        let store = try store(.binary, .binary([0x22, 0xFF, 0x22]))
        try expect(store.export("Blob:1"), is: #"{"id":1,"v":"Iv8i"}"#)
    }

    @Test func `bytes imported as base64 are exported as base64 after the model changes`() throws {
        func model(_ encoding: Attribute.BinaryEncoding) -> Model {
            Model(entities: [
                EntityDescription(
                    "Blob",
                    attributes: [
                        .init("id", .integer64), .init("v", .binary, encoding: encoding),
                    ]
                )
            ])
        }
        let document = #"{"id":1,"v":"aGk="}"#
        let store = try Store.validated(model: model(.base64))
        try store.load("Blob", document)
        let migrated = try store.migrate(to: model(.json))
        try expect(migrated.export("Blob:1"), is: document)
    }

    @Test func `an invalid JSON or decimal value of a transformer is exported as a string`() throws
    {
        let store = try Store.of(
            EntityDescription(
                "Blob",
                attributes: [
                    .init("id", .integer64), .init("v", .string, valueTransformer: "own"),
                ]
            )
        )
        try store.insert("Blob", ["id": .integer(1), "v": .string("x")])
        for (value, json) in [
            (Value.json("{x"), #""{x""#), (.json("[1, 2]"), "[1,2]"),
            (.decimal("12,5"), #""12,5""#), (.decimal("12.50"), "12.50"),
        ] {
            let own = AttributeTransformer(
                reading: { .string($0.string) },
                writing: { _ in value }
            )
            try expect(
                store.export("Blob:1", transformers: ["own": own]),
                is: #"{"id":1,"v":\#(json)}"#
            )
        }
    }

    // MARK: Numbers

    @Test func `a number that is not finite throws instead of becoming null`() throws {
        let store = try store(.double, .double(1))
        try store.writer.write { db in try db.execute(sql: "UPDATE Blob SET v = 9e999") }
        try expect(
            errorMessage(store.export("Blob")),
            is: """
                The value of v in Blob#1 is not a finite number, and JSON has no other. Give the row \
                another value, or export other properties of it alone.
                """
        )
        try expect(store.export("Blob:1", only: ["id"]), is: #"{"id":1}"#)
    }
}
