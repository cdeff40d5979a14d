import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// The operations that an import may perform.
struct OperationTests {
    private func store() throws -> Store {
        let store = try Store.of(
            .named(
                "User",
                [],
                .many("notes", "Note", inverse: "user"),
                .one("company", "Company")
            ),
            .named("Note", [], .one("user", "User", inverse: "notes")),
            .named("Company")
        )
        try store.load(
            "User",
            """
            [{"id": 1, "name": "a", "notes": [{"id": 1, "name": "a"}, {"id": 2}]},
             {"id": 2, "company": {"id": 1, "name": "a"}}]
            """
        )
        return store
    }

    private static let document = """
        [{"id": 1, "name": "b", "notes": [{"id": 1, "name": "b"}, {"id": 3}],
          "company": {"id": 2, "name": "b"}}, {"id": 3, "company": {"id": 1, "name": "b"}}]
        """

    @Test(
        arguments: [
            ([], "nothing"),
            ([.insert], "Company ~1, User +1"),
            ([.update], "Company +1, Note ~1, User ~1, ?1"),
            ([.delete], "User -1"),
            ([.insert, .update], "Company +1 ~1, Note ~1, User +1 ~1, ?1"),
            ([.update, .insertRelationships], "Company +1, Note +1 ~1, User ~1"),
            ([.update, .updateRelationships], "Company +1, Note ~2, User ~1, ?1"),
            ([.update, .deleteRelationships], "Company +1, Note -1, User ~1, ?1"),
            ([.insert, .insertRelationships, .updateRelationships], "Company ~1, User +1"),
            (.upsert, "Company +1 ~1, Note +1 ~2, User +1 ~1"),
            (.all, "Company +1 ~1, Note +1 ~1 -1, User +1 ~1 -1"),
        ] as [(ImportOperations, String)]
    )
    func `each flag permits one operation, and to-one objects are written with their row`(
        _ operations: ImportOperations,
        _ report: String
    ) throws {
        let lines = try store().load("User", Self.document, operations).split(separator: "\n")
        expect(lines.first.map(String.init) ?? "", is: report)
    }

    @Test(
        arguments: [
            ([.insert, .update], [excludedMessage, notUpdated]),
            ([.update], [excludedMessage, notUpdated]),
            ([.insert, .update, .insertRelationships], [notUpdated]),
            ([.insert, .update, .updateRelationships], [excludedMessage]), (.upsert, []),
            (.all, []),
            ([.insert], []), ([], []),
        ] as [(ImportOperations, Set<String>)]
    )
    func `nested objects that the operations exclude are reported`(
        _ operations: ImportOperations,
        _ reported: Set<String>
    ) throws {
        let report = try store().report(
            "User",
            Self.document,
            ImportOptions(operations: operations)
        )
        #expect(Set(report.diagnostics.map(\.text)) == reported)
    }

    private static let excludedMessage =
        "Note:3: The nested object is not inserted: the operations lack insertRelationships."
    private static let notUpdated =
        "Note:1: The nested object is not updated: the operations lack updateRelationships."

    @Test func `a row that may not be updated also keeps its lists`() throws {
        let store = try store()
        try store.load(
            "User",
            Self.document,
            [.insert, .insertRelationships, .deleteRelationships]
        )
        try expect(
            table(of: store),
            is: """
                User
                #  id  name  notes  company
                1  1   a     [1 2]  -
                2  2   -     []     1
                3  3   -     []     1

                Note
                #  id  name  user
                1  1   a     1
                2  2   -     1

                Company
                #  id  name
                1  1   b
                """
        )
    }

    @Test func `a nested object that may not be inserted links to a row of the same document`()
        throws
    {
        let store = try Store.of(.named("Post", [], .many("related", "Post")))
        let document = #"[{"id": 1, "related": [{"id": 2}, 3]}, {"id": 2}, {"id": 3}]"#
        for _ in 1...2 {
            try store.load("Post", document, [.insert, .update])
            try expect(
                table(of: store),
                is: """
                    Post
                    #  id  name  related
                    1  1   -     [2 3]
                    2  2   -     []
                    3  3   -     []
                    """
            )
        }
    }
}
