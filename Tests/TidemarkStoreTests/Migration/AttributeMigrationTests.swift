import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Migrations that add, drop and change attributes of existing rows.
struct AttributeMigrationTests {
    /// Returns a store of users with an attribute `x` of the given type and values.
    private func users(_ type: String, _ values: Value...) throws -> Store {
        try store("User: {attributes: {id: integer64, x: \(type)}}") { store in
            for value in values { try store.insert("User", ["x": value]) }
        }
    }

    private func user(_ x: String) -> String {
        "User: {attributes: {id: integer64, x: \(x)}}"
    }

    // MARK: Rejected migrations

    @Test func `rejects values that do not convert, and reports their number`() throws {
        let store = try users(
            "string",
            .string("12"),
            .string("twelve"),
            .string("12.5"),
            .null,
            .string("99999999999999999999")
        )
        try expect(
            store.rejections(of: user("integer64")),
            is: """
                User.x: 3 values do not convert from string to integer64, the first in User#2: \
                The value is not a number. \
                Change or clear them first, or give the attribute another name.
                """
        )
    }

    @Test(arguments: [
        ("integer64", "integer16", Value.integer(40_000), "The value does not fit into 16"),
        ("double", "integer64", .double(1.5), "The value is not a whole number"),
        ("string", "date", .string("soon"), "The value is not a date"),
        ("string", "uuid", .string("7"), "The value is not a UUID"),
        ("string", "uri", .string("a b"), "The value is not a URI"),
        ("string", "boolean", .string("maybe"), "The value is neither true nor false"),
        ("integer64", "boolean", .integer(2), "The value is neither true nor false"),
        ("date", "integer64", .date(0), "The value is not a number"),
        ("json", "string", .json("[1]"), "The value is not a text"),
        ("binary", "string", .binary([1]), "The value is not a text"),
    ])
    func `rejects a value that does not convert to the new type`(
        from: String,
        to: String,
        value: Value,
        reason: String
    ) throws {
        let rejection = try users(from, value).rejections(of: user(to))
        #expect(rejection.contains("1 value does not convert"))
        #expect(rejection.contains("the first in User#1: \(reason)"))
    }

    @Test func `rejects a required attribute for which rows have no value`() throws {
        let store = try users("string", .null, .string("a"), .null)
        let required = "{type: string, optional: false}"
        try expect(
            store.rejections(of: user(required)),
            is: """
                User.x: 2 rows have no value for it, the first User#1, and it is required. \
                Give it a default value, or make it optional.
                """
        )
        try expect(
            store.rejections(of: "\(user("string").dropLast(2)), y: \(required)}}"),
            is: """
                User.y: 3 rows have no value for it, the first User#1, and it is required. \
                Give it a default value, or make it optional.
                """
        )
    }

    @Test func `rejects a uniqueness constraint that rows violate, and names two of them`() throws {
        let store = try users("string", .string("a"), .null, .string("b"), .null, .string("a"))
        let unique = "\(user("string").dropLast()), unique: [[x]]}"
        try expect(
            store.rejections(of: unique),
            is: """
                User: User#1 and User#5 have the same x, which must be unique. \
                Change or delete one of them first.
                """
        )
    }

    @Test func `rejects a conversion that makes two primary keys equal`() throws {
        let store = try store("User: {attributes: {id: string}}") { store in
            try store.insert("User", ["id": .string("7")])
            try store.insert("User", ["id": .string("07")])
        }
        try expect(
            store.rejections(of: "User: {attributes: {id: integer64}}"),
            is: """
                User: User#1 and User#2 have the same id, which must be unique. \
                Change or delete one of them first.
                """
        )
    }

    @Test func `rejects a new primary key whose values are not unique`() throws {
        let attributes = "attributes: {id: integer64, slug: string}"
        let store = try store("User: {\(attributes)}") { store in
            for _ in 0..<3 { try store.insert("User", ["slug": .string("ada")]) }
            for _ in 0..<2 { try store.insert("User", ["slug": .string("bob")]) }
        }
        try expect(
            store.rejections(of: "User: {primaryKey: slug, \(attributes)}"),
            is: """
                User: User#1 and User#3 have the same slug, which must be unique, \
                and so have 1 other group of rows. Change or delete one of them first.
                """
        )
    }

    // MARK: Values that convert

    @Test(arguments: [
        ("string", "integer64", Value.string(" 12"), "refused"),
        ("string", "integer64", .string("12"), "12"),
        ("string", "double", .string("1.5"), "1.5"),
        ("string", "decimal", .string("1.50"), "1.5"),
        ("string", "boolean", .string("yes"), "true"),
        ("string", "date", .string("2014-02-14"), "2014-02-14T00:00:00Z"),
        ("string", "json", .string("a"), "\"a\""),
        (
            "string", "uuid", .string("0b11a5a2-5d1e-4e8c-9c7f-0a1b2c3d4e5f"),
            "0B11A5A2-5D1E-4E8C-9C7F-0A1B2C3D4E5F"
        ),
        ("integer64", "string", .integer(12), "12"),
        ("integer64", "integer16", .integer(12), "12"),
        ("integer16", "integer64", .integer(12), "12"),
        ("integer64", "double", .integer(12), "12.0"),
        ("integer64", "boolean", .integer(1), "true"),
        ("integer64", "date", .integer(1_000_000_000), "2001-09-09T01:46:40Z"),
        ("boolean", "integer16", .boolean(true), "1"),
        ("boolean", "string", .boolean(false), "false"),
        ("double", "integer64", .double(3), "3"),
        ("double", "string", .double(1.5), "1.5"),
        ("decimal", "string", .decimal("12.2"), "12.2"),
        ("date", "string", .date(0), "1970-01-01T00:00:00Z"),
        (
            "uuid", "string", .uuid("0B11A5A2-5D1E-4E8C-9C7F-0A1B2C3D4E5F"),
            "0B11A5A2-5D1E-4E8C-9C7F-0A1B2C3D4E5F"
        ),
        ("uri", "string", .uri("http://a/b"), "http://a/b"),
        ("json", "string", .json("\"a\""), "a"),
        ("json", "integer64", .json("null"), "-"),
    ])
    func `converts values by the rules for JSON`(
        from: String,
        to: String,
        value: Value,
        expected: String
    ) throws {
        let store = try users(from, value, .null)
        guard expected != "refused" else {
            #expect(try !store.rejections(of: user(to)).isEmpty)
            return
        }
        let (migrated, steps) = try store.migrating(to: user(to))
        expect(steps, is: "change User.x from \(from) to \(to) (1 value is converted)")
        let cell = try table(of: migrated).split(separator: "\n")[2]
            .split(separator: " ", omittingEmptySubsequences: true).last
        #expect(cell.map(String.init) == expected)
    }

    // MARK: Steps

    /// A change of the entity, with the expected steps and rows.
    struct Change: CustomTestStringConvertible {
        let name: String
        let from: String
        let to: String
        let steps: String
        let rows: String
        var testDescription: String { name }
    }

    @Test(arguments: Change.all) func `changes attributes and keeps the rows`(
        change: Change
    ) throws {
        let store = try store("User: {\(change.from)}") { store in
            try store.insert("User", ["id": .integer(6), "name": .string("Ada")])
            try store.insert("User", ["id": .integer(7)])
            try store.insert("User", ["name": .string("Cid")])
            try store.delete("User:7")
            try store.insert("User", ["id": .integer(8), "name": .string("Dee")])
        }
        let (migrated, steps) = try store.migrating(to: "User: {\(change.to)}")
        expect(steps, is: change.steps)
        try expect(table(of: migrated), is: change.rows)
        // AUTOINCREMENT continues after the table is rebuilt: no row number is reused.
        #expect(try migrated.insert("User", ["id": .integer(9)]).number == 5)
    }
}

extension AttributeMigrationTests.Change {
    private static let plain = "attributes: {id: integer64, name: string}"

    private static func attributes(_ others: String) -> String {
        "attributes: {id: integer64, \(others)}"
    }

    private static let unchanged = """
        User
        #  id  name
        1  6   Ada
        3  -   Cid
        4  8   Dee
        """

    static let all = [
        AttributeMigrationTests.Change(
            name: "added",
            from: plain,
            to: attributes("name: string, size: integer16, when: date"),
            steps: "add User.size\nadd User.when",
            rows: """
                User
                #  id  name  size  when
                1  6   Ada   -     -
                3  -   Cid   -     -
                4  8   Dee   -     -
                """
        ),
        AttributeMigrationTests.Change(
            name: "added with a default",
            from: plain,
            to: attributes(
                "name: string, size: {type: integer16, default: 7}"
            ),
            steps: "add User.size (3 rows get the default)",
            rows: """
                User
                #  id  name  size
                1  6   Ada   7
                3  -   Cid   7
                4  8   Dee   7
                """
        ),
        AttributeMigrationTests.Change(
            name: "added, required and with a default",
            from: plain,
            to: attributes(
                """
                name: string, is: {type: boolean, default: true, optional: false}
                """
            ),
            steps: "add User.is (3 rows get the default)",
            rows: """
                User
                #  id  is    name
                1  6   true  Ada
                3  -   true  Cid
                4  8   true  Dee
                """
        ),
        AttributeMigrationTests.Change(
            name: "dropped",
            from: attributes("name: string, size: {type: date, default: 0}"),
            to: plain,
            steps: "drop User.size (3 values are lost)",
            rows: unchanged
        ),
        AttributeMigrationTests.Change(
            name: "transient",
            from: plain,
            to: attributes("name: {type: string, transient: true}"),
            steps: "drop User.name (3 values are lost)",
            rows: """
                User
                #  id
                1  6
                3  -
                4  8
                """
        ),
        AttributeMigrationTests.Change(
            name: "required with a default",
            from: plain.replacing("string", with: "{type: string, default: \"?\"}"),
            to: attributes(
                "name: {type: string, optional: false, default: \"?\"}"
            ),
            steps: "require User.name",
            rows: unchanged
        ),
        AttributeMigrationTests.Change(
            name: "optional",
            from: attributes(
                "name: {type: string, optional: false, default: \"?\"}"
            ),
            to: plain,
            steps: "make User.name optional\nannotate User.name",
            rows: unchanged
        ),
        AttributeMigrationTests.Change(
            name: "annotated",
            from: plain,
            to: attributes("name: {type: string, remoteKey: full.name}"),
            steps: "annotate User.name",
            rows: unchanged
        ),
        AttributeMigrationTests.Change(
            name: "unique and indexed",
            from: plain,
            to: plain
                + ", unique: [[name]], indexes: [{name: byName, on: [name, id]}]",
            steps: "add uniqueness User(name)\nadd index User.byName",
            rows: unchanged
        ),
        AttributeMigrationTests.Change(
            name: "neither unique nor indexed",
            from: plain + ", unique: [[name]], indexes: [{name: byName, on: [name]}]",
            to: plain,
            steps: "drop uniqueness User(name)\ndrop index User.byName",
            rows: unchanged
        ),
        AttributeMigrationTests.Change(
            name: "indexed otherwise",
            from: plain + ", indexes: [{name: byName, on: [name]}]",
            to: plain + ", indexes: [{name: byName, on: [id, name]}]",
            steps: "drop index User.byName\nadd index User.byName",
            rows: unchanged
        ),
        AttributeMigrationTests.Change(
            name: "another key",
            from: plain,
            to: "primaryKey: name, " + plain,
            steps: "change key of User from id to name",
            rows: unchanged
        ),
        AttributeMigrationTests.Change(
            name: "a composite key",
            from: plain,
            to: "primaryKey: [name, id], " + plain,
            steps: "change key of User from id to name, id",
            rows: unchanged
        ),
    ]
}
