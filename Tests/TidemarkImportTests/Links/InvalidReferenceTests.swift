import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Invalid to-one references under each policy for invalid values.
struct InvalidReferenceTests {
    private static let references: [(String, String)] = [
        (#""author": "x""#, "author: The value is not a number."),
        (#""author_id": "x""#, "author_id: The value is not a number."),
        (#""author": [5]"#, "author: One object was expected here."),
        (
            #""seat_row": "B""#,
            "seat_row: The reference has 1 of the 2 parts of the key of Seat."
        ),
        (
            #""seatNumber": 2"#,
            "seat: The reference has 1 of the 2 parts of the key of Seat."
        ),
        (#""seat_row": "B", "seat_number": "x""#, "seat_row: The value is not a number."),
    ]

    private func store() throws -> Store {
        let store = try Store.of(
            .named("Post", [], .one("author", "Author"), .one("seat", "Seat")),
            .named("Author"),
            EntityDescription(
                "Seat",
                primaryKey: ["row", "number"],
                attributes: [Attribute("row", .string), Attribute("number", .integer16)]
            )
        )
        try store.load("Author", #"[{"id": 5}]"#)
        try store.load("Seat", #"[{"row": "A", "number": 12}]"#)
        try store.load(
            "Post",
            #"[{"id": 1, "name": "a", "author": 5, "seat_row": "A", "seat_number": 12}]"#
        )
        return store
    }

    @Test(arguments: InvalidValuePolicy.allCases)
    func `an invalid reference is handled by the policy`(_ policy: InvalidValuePolicy) throws {
        for (member, message) in Self.references {
            let store = try store()
            let document = #"[{"id": 1, "name": "b", \#(member)}]"#
            guard policy != .abort else {
                #expect(throws: ImportError.self) {
                    try store.load("Post", document, invalid: policy)
                }
                continue
            }
            let report = try store.report("Post", document, ImportOptions(invalid: policy))
            #expect(report.diagnostics.map(\.text) == ["Post:1, \(message)"])
            let isAuthor = member.contains("author")
            let row =
                switch policy {
                case .skip: #"b     5       [A,12]"#
                case .null, .default:
                    isAuthor ? #"b     -       [A,12]"# : "b     5       -"
                case .skipRow, .abort: #"a     5       [A,12]"#
                }
            let text = try table(of: store, "Post").split(separator: "\n").last
            #expect(
                text.map { $0.split(separator: " ").dropFirst(2) } == row.split(separator: " ")[...]
            )
        }
    }

    @Test func `a null part of a composite reference unlinks`() throws {
        let store = try store()
        try expect(store.load("Post", #"[{"id": 1, "seat_row": null}]"#), is: "Post ~1")
    }
}
