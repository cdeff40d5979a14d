import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Invalid values under each policy.
struct InvalidValueTests {
    private func store() throws -> Store {
        try .of(
            EntityDescription(
                "Order",
                attributes: [
                    .init("id", .integer64),
                    .init("count", .integer16, validation: .init(minimum: 0, maximum: 9)),
                    .init(
                        "status",
                        .string,
                        isOptional: false,
                        defaultValue: .string("new"),
                        validation: .init(pattern: "new|paid|sent")
                    ),
                    .init("size", .integer16, defaultValue: .integer(3)),
                    .init("note", .string, isOptional: false),
                ]
            )
        )
    }

    private static let stored =
        #"[{"id": 1, "count": 5, "status": "paid", "size": 7, "note": "a"}]"#

    /// Updates with an invalid value.
    ///
    /// The value does not convert, violates a rule, violates the rule of a required attribute, or
    /// is null for a required attribute.
    private static let updates = [
        #"[{"id": 1, "size": "x", "note": "b"}]"#, #"[{"id": 1, "count": 10, "note": "b"}]"#,
        #"[{"id": 1, "status": "lost", "note": "b"}]"#,
        #"[{"id": 1, "status": null, "note": "b"}]"#,
    ]

    /// The row after each update, by policy.
    private static let rows: [InvalidValuePolicy: [String]] = [
        .skip: ["5 paid 7 b", "5 paid 7 a", "5 paid 7 a", "5 paid 7 a"],
        .null: ["5 paid - b", "- paid 7 b", "5 paid 7 b", "5 paid 7 b"],
        .default: ["5 paid 3 b", "- paid 7 b", "5 new 7 b", "5 new 7 b"],
        .skipRow: ["5 paid 7 a", "5 paid 7 a", "5 paid 7 a", "5 paid 7 a"],
        .abort: ["5 paid 7 a", "5 paid 7 a", "5 paid 7 a", "5 paid 7 a"],
    ]

    @Test(arguments: InvalidValuePolicy.allCases)
    func `an invalid value in an update is handled by the policy`(
        _ policy: InvalidValuePolicy
    ) throws {
        let expected = try #require(Self.rows[policy])
        for (update, row) in zip(Self.updates, expected) {
            let store = try store()
            try store.load("Order", Self.stored)
            let before = try table(of: store)
            let outcome = Result { try store.load("Order", update, invalid: policy) }
            let values = "1  1   " + row.replacing(" ", with: "|")
            let after = try table(of: store)
            #expect(after.split(separator: "\n").last.map(Self.barSeparated) == values, "\(update)")
            switch outcome {
            case .success(let text): #expect(text.contains("\nOrder:1, "), "\(update): \(text)")
            case .failure(let error): #expect(error is ImportError && policy == .abort)
            }
            if policy == .abort { #expect(after == before) }
            // Importing the update again changes nothing.
            _ = try errorMessage(store.load("Order", update, invalid: policy))
            #expect(try table(of: store) == after)
        }
    }

    /// Returns a line of a table with the values separated by bars.
    private static func barSeparated(_ line: Substring) -> String {
        let cells = line.split(separator: " ")
        return "\(cells[0])  \(cells[1])   " + cells.dropFirst(2).joined(separator: "|")
    }

    @Test func `an invalid value of a new row becomes null or the default, or rejects the row`()
        throws
    {
        let document = """
            [{"id": 1, "count": 10, "status": "lost", "size": "x", "note": "a"},
             {"id": 2, "status": "paid", "note": null}]
            """
        let store = try store()
        try expect(
            store.load("Order", document, invalid: .null),
            is: """
                Order +1 !1
                Order:1, size: The value is not a number.
                Order:1, count: The value must be at most 9.
                Order:1, status: The text does not match the regular expression “new|paid|sent”.
                Order:2, note: A row must have a value. ×2
                """
        )
        try expect(
            table(of: store),
            is: """
                Order
                #  id  count  status  size  note
                1  1   -      new     -     a
                """
        )
        let other = try self.store()
        try expect(
            other.load("Order", document, invalid: .skipRow),
            is: """
                Order !2
                Order:1, size: The value is not a number.
                Order:2, note: A row must have a value.
                """
        )
        try expect(table(of: other), is: "Order: no rows")
    }

    @Test(arguments: [
        (
            #"[{"id": 5, "note": "a"}, {"id": null, "note": "x"}]"#,
            "Order, id: The object has no usable primary key."
        ),
        (#"[{"id": 5, "note": "a"}, {"id": "x"}]"#, "Order:x, id: The value is not a number."),
        (#"[{"id": 5, "note": "a"}, 7]"#, "Order: An object was expected here."),
        (#"[{"id": 5, "note": "a", "size": "x"}]"#, "Order:5, size: The value is not a number."),
        (#"[{"id": 5}]"#, "Order:5, note: A row must have a value."),
    ])
    func `an import that aborts at invalid data stores nothing`(
        _ document: String,
        _ message: String
    ) throws {
        let store = try store()
        try expect(
            errorMessage(store.load("Order", document, invalid: .abort)),
            is: message
                + " Correct the document, or use another policy for invalid "
                + "values."
        )
        try expect(table(of: store), is: "Order: no rows")
    }

    @Test func `invalid references abort an import too`() throws {
        let model = [
            EntityDescription.named("Team", [], .many("users", "User", inverse: "team")),
            EntityDescription.named("User", [], .one("team", "Team", inverse: "users")),
        ]
        for document in [
            #"[{"id": 1, "team": "x"}]"#, #"[{"id": 1, "team": [1]}]"#,
            #"[{"id": 1, "team_id": "x"}]"#,
        ] {
            let store = try Store.of(model[0], model[1])
            let text = try errorMessage(store.load("User", document, invalid: .abort))
            #expect(text.hasPrefix("User:1, team"), "\(text)")
            try expect(table(of: store), is: "Team: no rows\n\nUser: no rows")
        }
        let store = try Store.of(model[0], model[1])
        let text = try errorMessage(
            store.load("Team", #"[{"id": 1, "users": "none"}]"#, invalid: .abort)
        )
        #expect(
            text.hasPrefix("Team:1, users: An array of objects or keys was expected."),
            "\(text)"
        )
        try expect(table(of: store), is: "Team: no rows\n\nUser: no rows")
    }

    @Test func `the invalid value and the violated rule are shown on request`() throws {
        var items = try JSONDocument(
            Array(#"[{"id": 1, "status": "lost\u0021", "note": "a"}]"#.utf8)
        ).items()
        var options = ImportOptions(invalid: .null)
        options.showsValues = true
        let report = try Importer(store()).import(&items, into: "Order", options: options)
        #expect(
            report.diagnostics == [
                Diagnostic(
                    .error,
                    entity: "Order",
                    key: "1",
                    path: "status",
                    message: "The text does not match the regular expression “new|paid|sent”.",
                    value: #""lost\u0021""#
                )
            ]
        )
    }
}
