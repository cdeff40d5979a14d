import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Values that another program has written, and that are not of the type of their attribute.
struct InvalidValueTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Item",
            attributes: [
                Attribute("id", .integer64), Attribute("name", .string),
                Attribute("price", .decimal), Attribute("specs", .json), Attribute("code", .uuid),
                Attribute("link", .uri), Attribute("due", .date), Attribute("isNew", .boolean),
            ],
            relationships: [.many("sizes", "Size", inverse: "item")]
        ),
        EntityDescription(
            "Size",
            attributes: [Attribute("width", .decimal)],
            relationships: [.one("item", "Item", inverse: "sizes")]
        ),
    ])

    private static func object(_ id: Int) -> FakeJSON {
        [
            "id": .number("\(id)"), "name": "one", "price": "1.50", "specs": ["a": 1],
            "code": "b7e0b3a1-6a0c-4b0e-9c7b-0b1a2c3d4e5f", "link": "https://example.org/a",
            "due": "2026-01-01", "is_new": true, "sizes": [["width": "2.50"]],
        ]
    }

    private func mirror() async throws -> PlainMirror {
        let service = PlainService(["items": [Self.object(1), Self.object(2)]])
        let mirror = try PlainMirror(Self.model, [("Item", "items")], with: service)
        try await mirror.pull()
        return mirror
    }

    /// The stored bytes of a value.
    private func stored(_ column: String, _ mirror: PlainMirror) async throws -> String? {
        try await mirror.store.writer.read { db in
            try String.fetchOne(db, sql: "SELECT quote(\(column)) FROM Item WHERE id = 1")
        }
    }

    @Test(arguments: [
        ("price", "'1,5'", "is not a number"), ("price", "''", "is not a number"),
        ("price", "'abc'", "is not a number"), ("price", "'1,500'", "is not a number"),
        ("price", "'true'", "is not a number"),
        ("price", "'1e999'", "is out of the range of type decimal"),
        ("specs", "'{bad'", "is not JSON"), ("specs", "''", "is not JSON"),
        ("code", "'xyz'", "is not a UUID"), ("link", "'a b'", "is not a URI"),
        ("isNew", "5", "is neither true nor false"),
        ("due", "1e15", "is not a date between the years 0 and 9999"),
        ("name", "CAST(x'61FF' AS TEXT)", "is not valid UTF-8, and JSON has no other text"),
    ])
    func `a change to a value that is not of the type is rejected, and nothing is sent`(
        column: String,
        value: String,
        reason: String
    ) async throws {
        let mirror = try await mirror()
        try await mirror.edit("UPDATE Item SET \(column) = \(value) WHERE id = 1")
        let written = try await stored(column, mirror)
        try await mirror.update("Item:2", ["name": .string("two")])
        let report = try await mirror.push()
        #expect(report.entities["Item"] == PushReport.Counts(updated: 1, rejected: 1))
        #expect(mirror.service.takeWrites() == [#"PATCH items/2 {"name":"two"}"#])
        let changes = try mirror.changes()
        #expect(changes.count == 1)
        let start = "Item#1 update, rejected: The value of \(column) in Item#1 \(reason)"
        #expect(changes.first?.hasPrefix(start) == true, "\(changes)")
        #expect(try await stored(column, mirror) == written)
        // Neither another push nor a pull sends or replaces it.
        _ = try await mirror.engine().sync()
        #expect(mirror.service.takeWrites() == [])
        #expect(try await stored(column, mirror) == written)
        // The user corrects it.
        try await mirror.edit("UPDATE Item SET \(column) = NULL WHERE id = 1")
        _ = try await mirror.push()
        #expect(try mirror.changes() == [])
    }

    @Test func `the reason names the row, the attribute, and what to do`() async throws {
        let mirror = try await mirror()
        try await mirror.edit("UPDATE Item SET price = '1,5' WHERE id = 1")
        _ = try await mirror.push()
        #expect(
            try mirror.changes() == [
                """
                Item#1 update, rejected: The value of price in Item#1 is not a number: give the \
                row another value.
                """
            ]
        )
    }

    @Test(arguments: [
        ("1e5", "100000.00"), ("+1.5", "1.50"), ("15e-1", "1.50"), ("1.505", "1.505"),
        ("12", "12.00"),
    ])
    func `a decimal in another spelling is sent as the number that it is`(
        text: String,
        sent: String
    ) async throws {
        let mirror = try await mirror()
        try await mirror.edit("UPDATE Item SET price = '\(text)' WHERE id = 2")
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"PATCH items/2 {"price":"\#(sent)"}"#])
        #expect(try mirror.changes() == [])
    }

    @Test func `a new row with such a value is rejected`() async throws {
        let mirror = try await mirror()
        try await mirror.edit("INSERT INTO Item (name, price) VALUES ('three', '1,5')")
        let report = try await mirror.push()
        #expect(report.entities["Item"] == PushReport.Counts(rejected: 1))
        #expect(mirror.service.takeWrites() == [])
    }

    @Test func `an object without a key with such a value is named`() async throws {
        let mirror = try await mirror()
        try await mirror.edit("UPDATE Size SET width = 'wide' WHERE _id = 1")
        _ = try await mirror.push()
        #expect(
            try mirror.changes() == [
                """
                Item#1 update, rejected: The value of width in Size#1 is not a number: give the \
                row another value.
                """
            ]
        )
        #expect(mirror.service.takeWrites() == [])
    }

    @Test func `another change of a row with such a value is sent`() async throws {
        let mirror = try await mirror()
        try await mirror.edit("UPDATE Item SET price = '1,5' WHERE id = 1")
        // As if the service had it, so that it is not a change.
        try await mirror.edit("DELETE FROM _tidemark_base; DELETE FROM _tidemark_change")
        try await mirror.update("Item:1", ["name": .string("two")])
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"PATCH items/1 {"name":"two"}"#])
    }
}
