import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Unique values that rows exchange or compete for.
struct UniqueValueTests {
    private func store(isRequired: Bool = false) throws -> Store {
        try .of(
            EntityDescription(
                "User",
                attributes: [
                    .init("id", .integer64), .init("email", .string, isOptional: !isRequired),
                    .init("rank", .integer32, isOptional: !isRequired, defaultValue: .integer(0)),
                ],
                relationships: [
                    .init("notes", to: "Note", isToMany: true, inverse: "user")
                ],
                uniquenessConstraints: [["email"]]
            ),
            .named("Note", [], .one("user", "User", inverse: "notes"))
        )
    }

    @Test(arguments: [true, false])
    func `two rows swap a unique value`(isRequired: Bool) throws {
        let store = try store(isRequired: isRequired)
        try store.load("User", #"[{"id": 1, "email": "a"}, {"id": 2, "email": "b"}]"#)
        try expect(
            store.load("User", #"[{"id": 1, "email": "b"}, {"id": 2, "email": "a"}]"#),
            is: "User ~2"
        )
        try expect(table(of: store, "User"), is: users((1, "b"), (2, "a")))
    }

    @Test func `rows that shift their unique values by one are all updated, in either order`()
        throws
    {
        for isReversed in [true, false] {
            let store = try store()
            let before = (1...50).map { #"{"id": \#($0), "email": "\#($0)"}"# }
            let after = (1...50).map { #"{"id": \#($0), "email": "\#($0 + 1)"}"# }
            try store.load("User", "[\(before.joined(separator: ","))]")
            let document = (isReversed ? after.reversed() : after).joined(separator: ",")
            try expect(store.load("User", "[\(document)]"), is: "User ~50")
            try expect(store.load("User", "[\(document)]"), is: "User =50")
        }
    }

    @Test func `rows swap composite unique values that include their parent`() throws {
        let store = try Store.validated(
            model: Model(entities: [
                .named("Row", [], .many("seats", "Seat", inverse: "row", isOrdered: true)),
                EntityDescription(
                    "Seat",
                    attributes: [.init("id", .integer64), .init("number", .integer32)],
                    relationships: [.one("row", "Row", inverse: "seats")],
                    uniquenessConstraints: [["row", "number"]]
                ),
            ])
        )
        try store.load(
            "Row",
            #"""
            [{"id": 7, "seats": [{"id": 1, "number": 1}, {"id": 2, "number": 2}]},
             {"id": 8, "seats": [{"id": 3, "number": 2}, {"id": 4, "number": 1}]}]
            """#
        )
        try expect(
            store.load(
                "Seat",
                #"""
                [{"id": 1, "number": 2, "row_id": 8}, {"id": 2},
                 {"id": 3, "number": 1, "row_id": 7}, {"id": 4}]
                """#
            ),
            is: "Seat ~2 =2"
        )
        try expect(
            table(of: store, "Row", "Seat"),
            is: """
                Row
                #  id  name  seats
                1  7   -     [2 3]
                2  8   -     [4 1]

                Seat
                #  id  number  row
                1  1   2       8
                2  2   2       7
                3  3   1       7
                4  4   1       8
                """
        )
    }

    @Test func `a swap that a trigger rejects is not applied partially`() throws {
        let store = try store()
        try store.load("User", #"[{"id": 1, "email": "a"}, {"id": 2, "email": "b"}]"#)
        try store.writer.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER spared AFTER UPDATE ON "User" WHEN NEW.email = 'b' \
                    BEGIN SELECT raise(ABORT, 'not b'); END
                    """
            )
        }
        try expect(
            store.load("User", #"[{"id": 2, "email": "a"}, {"id": 1, "email": "b"}]"#),
            is: """
                User !2
                User:2: The row breaks a rule of the store: UNIQUE constraint failed: User.email. ×2
                """
        )
        try expect(table(of: store, "User"), is: users((1, "a"), (2, "b")))
    }

    @Test func `a new row takes the unique value of a row that is deleted`() throws {
        let store = try store()
        try store.load("User", #"[{"id": 1, "email": "a", "notes": [{"id": 7}]}]"#)
        try expect(
            store.load("User", #"[{"id": 2, "email": "a", "notes": [{"id": 7}, {"id": 8}]}]"#),
            is: "Note +1 ~1, User +1 -1"
        )
        try expect(
            table(of: store, "User", "Note"),
            is: """
                User
                #  id  email  rank  notes
                2  2   a      0     [7 8]

                Note
                #  id  name  user
                1  7   -     2
                2  8   -     2
                """
        )
    }

    @Test func `all but the first of several rows with the same unique value are rejected`() throws
    {
        let store = try store()
        try expect(
            store.load(
                "User",
                #"[{"id": 1, "email": "a"}, {"id": 2, "email": "a"}, {"id": 3, "email": "a"}]"#
            ),
            is: """
                User +1 !2
                User:2: The row breaks a rule of the store: UNIQUE constraint failed: User.email. ×2
                """
        )
    }

    @Test func `rows in a chain that ends at an unavailable unique value keep their values`() throws
    {
        let store = try store()
        try store.load(
            "User",
            #"""
            [{"id": 1, "email": "a"}, {"id": 2, "email": "b"}, {"id": 3, "email": "c"},
             {"id": 4, "email": "d"}]
            """#
        )
        try expect(
            store.load(
                "User",
                #"""
                [{"id": 1, "email": "b"}, {"id": 2, "email": "c"}, {"id": 3, "email": "d"}]
                """#,
                .upsert
            ),
            is: """
                User !3
                User:1: The row breaks a rule of the store: UNIQUE constraint failed: User.email. ×3
                """
        )
        try expect(
            table(of: store, "User"),
            is: users((1, "a"), (2, "b"), (3, "c"), (4, "d"))
        )
    }

    @Test func `a row rejected at the end rolls the import back if the policy is abort`() throws {
        let store = try store()
        try store.load("User", #"[{"id": 1, "email": "a"}, {"id": 2, "email": "b"}]"#)
        let before = try store.anonymousTables()
        try expect(
            errorMessage(
                store.load("User", #"[{"id": 1, "email": "b"}]"#, .upsert, invalid: .abort)
            ),
            is: """
                User:1: The row breaks a rule of the store: UNIQUE constraint failed: User.email. \
                Correct the document, or use another policy for invalid values.
                """
        )
        try expect(store.anonymousTables(), is: before)
        try expect(
            store.load(
                "User",
                #"[{"id": 1, "email": "b"}, {"id": 2, "email": "a"}]"#,
                invalid: .abort
            ),
            is: "User ~2"
        )
    }

    @Test func `a postponed row that the document contains again has the last values`() throws {
        let store = try store()
        try store.load("User", #"[{"id": 1, "email": "a"}, {"id": 2, "email": "b"}]"#)
        try expect(
            store.load(
                "User",
                #"""
                [{"id": 1, "email": "b"}, {"id": 2, "email": "c"}, {"id": 1, "email": "z"}]
                """#
            ),
            is: """
                User ~2
                User:1, id: The document has several objects with this key.
                """
        )
        try expect(table(of: store, "User"), is: users((1, "z"), (2, "c")))
    }

    @Test func `a diagnostic about a retried row is reported once`() throws {
        let store = try store()
        try store.load("User", #"[{"id": 1, "email": "a"}, {"id": 2, "email": "b"}]"#)
        try expect(
            store.load(
                "User",
                #"""
                [{"id": 1, "email": "b", "rank": "x", "new": 1},
                 {"id": 2, "email": "a", "notes": [{"text": "no key"}]}]
                """#
            ),
            is: """
                Note !1, User ~2
                User:1, new: The model has no attribute or relationship for this key.
                User:1, rank: The value is not a number.
                Note, text: The model has no attribute or relationship for this key.
                Note, id: The object has no usable primary key.
                """
        )
    }

    @Test func `nested rows swap their unique values`() throws {
        let store = try Store.of(
            .named("Team", [], .many("users", "User", inverse: "team")),
            EntityDescription(
                "User",
                attributes: [.init("id", .integer64), .init("email", .string)],
                relationships: [.one("team", "Team", inverse: "users")],
                uniquenessConstraints: [["email"]]
            )
        )
        try store.load(
            "Team",
            #"[{"id": 1, "users": [{"id": 1, "email": "a"}, {"id": 2, "email": "b"}]}]"#
        )
        try expect(
            store.load(
                "Team",
                #"""
                [{"id": 1, "users": [{"id": 3, "email": "b"}, {"id": 1, "email": "c"}]},
                 {"id": 2, "users": [{"id": 2, "email": "a"}]}]
                """#
            ),
            is: "Team +1 =1, User +1 ~2"
        )
        try expect(
            table(of: store, "User"),
            is: """
                User
                #  id  email  team
                1  1   c      1
                2  2   a      2
                3  3   b      1
                """
        )
    }

    @Test func `a session retries postponed items after each page and when it finishes`() throws {
        let store = try store()
        try store.load(
            "User",
            #"[{"id": 1, "email": "a"}, {"id": 2, "email": "b"}, {"id": 3, "email": "c"}]"#
        )
        let importer = Importer(store)
        let session = ImportSession("users", into: "User")
        try store.writer.write { db in try importer.begin(db, session) }
        let pages = [
            // 1 is postponed until 2 is read on the next page, 4 until the unlisted 3 is deleted.
            #"[{"id": 1, "email": "b"}, {"id": 4, "email": "c"}]"#,
            #"[{"id": 2, "email": "a"}]"#,
        ]
        var reports = try pages.map { page in
            var items = try JSONDocument(Array(page.utf8)).items()
            return try store.writer.write { db in try importer.apply(db, &items, of: session).text }
        }
        reports.append(try store.writer.write { db in try importer.finish(db, session).text })
        #expect(reports == ["nothing", "nothing", "User +1 ~2 -1"])
        try expect(table(of: store, "User"), is: users((1, "b"), (2, "a"), (4, "c")))
        let left = try store.writer.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM _tidemark_retry")
        }
        #expect(left == 0)
    }

    @Test func `rows beyond the limit on postponed items are rejected at once`() throws {
        let store = try store()
        try store.load("User", #"[{"id": 1, "email": "a"}, {"id": 2, "email": "b"}]"#)
        var limits = Limits()
        limits.postponedItems = 0
        try expect(
            store.report(
                "User",
                #"[{"id": 1, "email": "b"}, {"id": 2, "email": "a"}]"#,
                limits: limits
            ).text,
            is: """
                User !2
                User:1: The row breaks a rule of the store: UNIQUE constraint failed: User.email. ×2
                """
        )
    }

    private func users(_ rows: (Int, String)...) -> String {
        let lines = rows.map { "\($0.0)  \($0.0)   \($0.1)      0     []" }
        return (["User", "#  id  email  rank  notes"] + lines).joined(separator: "\n")
    }
}
