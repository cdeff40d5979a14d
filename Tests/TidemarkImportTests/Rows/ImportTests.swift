import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Imports of documents into one entity.
struct ImportTests {
    private static let user = EntityDescription.named(
        "User",
        [
            Attribute("age", .integer16, defaultValue: .integer(18)),
            Attribute("birthday", .date),
        ]
    )

    @Test(arguments: [
        ("Nemo", "[]", "The model has no entity Nemo. It has Note, User."),
        (
            "Note", "[]",
            """
            The model’s entity Note has no primary key, so its objects cannot be matched with rows. \
            Declare one: primaryKey in a model in YAML, userInfo tidemark.primaryKey in a Core Data \
            model. Or import the objects as the children of a row.
            """
        ),
    ])
    func `an import into an unknown entity, or one without a primary key, throws`(
        _ entity: String,
        _ json: String,
        _ message: String
    ) throws {
        let store = try Store.of(
            Self.user,
            EntityDescription("Note", attributes: [.init("text", .string)])
        )
        try expect(errorMessage(store.load(entity, json)), is: message)
    }

    @Test func `a truncated document changes nothing`() throws {
        let store = try Store.of(Self.user)
        try store.load("User", #"[{"id": 1, "name": "Ada"}, {"id": 2}]"#)
        let before = try table(of: store)
        let cut = Array(#"[{"id": 1, "name": "Bob"}, {"id": 3}, {"id": 4, "na"#.utf8)
        var offset = 0
        var reader = JSONItemReader { buffer in
            let count = min(buffer.count, cut.count - offset)
            buffer.copyBytes(from: cut[offset..<(offset + count)])
            offset += count
            return count
        }
        #expect(throws: JSONError.self) { try Importer(store).import(&reader, into: "User") }
        try expect(table(of: store), is: before)
    }

    @Test func `inserts, updates and deletes rows, and leaves unchanged rows alone`() throws {
        let store = try Store.of(Self.user)
        try expect(
            store.load(
                "User",
                #"[{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bob", "age": 40}, {"id": 3}]"#
            ),
            is: "User +3"
        )
        try expect(
            store.load(
                "User",
                #"[{"id": 4}, {"id": 2, "name": "Bob", "age": 41}, {"id": 1, "name": "Ada"}]"#
            ),
            is: "User +1 ~1 =1 -1"
        )
        try expect(
            table(of: store),
            is: """
                User
                #  id  name  age  birthday
                1  1   Ada   18   -
                2  2   Bob   41   -
                4  4   -     18   -
                """
        )
        try expect(store.load("User", "[]"), is: "User -3")
        try expect(table(of: store), is: "User: no rows")
    }

    @Test func `importing a document again writes nothing`() throws {
        let store = try Store.of(
            .named(
                "User",
                [Attribute("born", .date), Attribute("weight", .float)],
                .one("company", "Company", inverse: "users"),
                .many("tags", "Tag", inverse: "users", isOrdered: true)
            ),
            .named("Company", [], .many("users", "User", inverse: "company", isOrdered: true)),
            .named("Tag", [], .many("users", "User", inverse: "tags"))
        )
        let document = """
            [{"id": 1, "born": "2014-02-14T10:00:00Z", "weight": 0.1, "company": {"id": 1,
              "users": [{"id": 1}, {"id": 2}]}, "tags": [{"id": 3}, 1, {"id": 2}]},
             {"id": 2, "company_id": 1, "tags": []}]
            """
        try expect(
            store.load("User", document),
            is: "Company +1, Tag +2, User +2, ?1"
        )
        let before = try table(of: store)
        let writes = try store.writer.write { db in db.totalChangesCount }
        try expect(store.load("User", document), is: "Company =1, Tag =2, User =2, ?1")
        try expect(table(of: store), is: before)
        let after = try store.writer.write { db in db.totalChangesCount }
        #expect(after == writes)
    }

    @Test func `a missing or invalid value keeps the stored one, and null clears it`() throws {
        let store = try Store.of(Self.user)
        try store.load(
            "User",
            #"[{"id": 1, "name": "Ada", "age": 30, "birthday": "2014-02-14"}]"#
        )
        try expect(
            store.load("User", #"[{"id": 1, "age": 40000, "birthday": "soon"}]"#),
            is: """
                User =1
                User:1, age: The value does not fit into 16 bits.
                User:1, birthday: The value is not a date in a known form.
                """
        )
        try expect(store.load("User", #"[{"id": 1, "name": null}]"#), is: "User ~1")
        try expect(
            store.load("User", #"[{"id": 1}, {"id": 2, "name": {"a": 1}, "age": 1.5}]"#),
            is: """
                User +1 =1
                User:2, name: The value is not a text.
                User:2, age: The value is not a whole number.
                """
        )
        try expect(
            table(of: store),
            is: """
                User
                #  id  name  age  birthday
                1  1   -     30   2014-02-14T00:00:00Z
                2  2   -     18   -
                """
        )
    }

    @Test func `a null for a required attribute rejects only its row`() throws {
        let store = try Store.of(
            .named("User", [Attribute("email", .string, isOptional: false)])
        )
        try expect(
            store.load(
                "User",
                #"[{"id": 1}, {"id": 2, "email": null}, {"id": 3, "email": "a"}]"#
            ),
            is: """
                User +1 !2
                User:1, email: A row must have a value. ×2
                """
        )
        try expect(
            store.load("User", #"[{"id": 3, "name": "Ada", "email": null}]"#),
            is: """
                User !1
                User:3, email: An update may not clear it.
                """
        )
        try expect(
            table(of: store),
            is: """
                User
                #  id  name  email
                1  3   -     a
                """
        )
    }

    @Test func `only the row that violates a uniqueness constraint is rejected`() throws {
        let store = try Store.of(
            EntityDescription(
                "User",
                attributes: [.init("id", .integer64), .init("code", .string)],
                uniquenessConstraints: [["code"]]
            )
        )
        try expect(
            store.load(
                "User",
                #"[{"id": 1, "code": "a"}, {"id": 2, "code": "a"}, {"id": 3, "code": "b"}]"#
            ),
            is: """
                User +2 !1
                User:2: The row breaks a rule of the store: UNIQUE constraint failed: User.code.
                """
        )
        try expect(
            store.load("User", #"[{"id": 1, "code": "b"}, {"id": 3}]"#),
            is: """
                User =1 !1
                User:1: The row breaks a rule of the store: UNIQUE constraint failed: User.code.
                """
        )
    }

    @Test func `an import that aborts at the first invalid row changes nothing`() throws {
        let store = try Store.of(
            .named(
                "User",
                [Attribute("email", .string, isOptional: false)],
                .one("company", "Company")
            ),
            .named("Company")
        )
        try expect(
            errorMessage(
                store.load(
                    "User",
                    """
                    [{"id": 1, "email": "a", "company_id": 7},
                     {"id": 2, "company": {"id": 8}}]
                    """,
                    invalid: .abort
                )
            ),
            is: """
                User:2, email: A row must have a value. \
                Correct the document, or use another policy for invalid values.
                """
        )
        try expect(table(of: store), is: "User: no rows\n\nCompany: no rows")
    }

    @Test func `fills a row with the attributes of an object, including its key`() throws {
        let store = try Store.of(Self.user)
        try store.load("User", #"[{"id": 1, "name": "Ada"}, {"id": 2}]"#)
        func fill(_ row: String, _ json: String) throws -> [String] {
            try store.writer.write { db in
                try Importer(store).fill(
                    db,
                    RecordLocator(row),
                    with: JSONDocument(Array(json.utf8))
                )
                .changed
            }
        }
        #expect(try fill("User:1", #"{"id": 7, "name": "Ada", "age": "30"}"#) == ["age", "id"])
        #expect(throws: StoreError.self) { try fill("User:1", "{}") }
        #expect(throws: ImportError.self) { try fill("User:7", "[]") }
        #expect(throws: ImportError.self) { try fill("User:7", #"{"id": 2}"#) }
        try expect(
            table(of: store),
            is: """
                User
                #  id  name  age  birthday
                1  7   Ada   30   -
                2  2   -     18   -
                """
        )
    }
}
