import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Unresolved references and unfinished import sessions in a store whose model changes.
struct UnresolvedReferenceMigrationTests {
    private static let library = """
        Book: {attributes: {id: integer64}, relationships: {author: {to: Author, inverse: books}, \
        order: {to: Order}}}, \
        Author: {attributes: {id: integer64, slug: string}, \
        relationships: {books: {to: Book, toMany: true, inverse: author}}}, \
        Order: {primaryKey: [shop, number], attributes: {shop: integer64, number: string}}
        """

    private func library() throws -> Store {
        try store(Self.library) { store in
            try store.insert("Book", ["id": .integer(1)])
            try store.insert("Author", ["id": .integer(5)])
            try store.addUnresolvedReference("Book.author", of: 1, to: "Author", key: .integer(9))
            try store.addUnresolvedReference("Author.books", of: 1, to: "Book", key: .integer(2))
            try store.addUnresolvedReference(
                "Book.order",
                of: 1,
                to: "Order",
                key: .string("7,'it''s, 1'")
            )
        }
    }

    private func unresolved(_ store: Store) throws -> String {
        try store.writer.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT relationship || ' ' || owner || ' ' || destination || ' ' || quote(key) \
                    FROM _tidemark_held ORDER BY relationship
                    """
            )
            .joined(separator: "\n")
        }
    }

    @Test func `discards and counts references that can no longer be resolved`() throws {
        let cases = [
            ("{to: Author, inverse: books}", "{to: Book}", 1),
            ("primaryKey: [shop, number]", "primaryKey: number", 0),
            ("slug: string}", "slug: string}, primaryKey: slug", 1),
            ("{shop: integer64", "{shop: integer64, part: string", 0),
            (
                "[shop, number], attributes: {",
                "[shop, number, part], attributes: {part: string, ", 1
            ),
        ]
        for (text, other, discarded) in cases {
            var changed = Self.library.replacing(text, with: other)
            if other == "{to: Book}" {
                changed = changed.replacing(", inverse: author", with: "")
            }
            let (_, steps) = try library().migrating(to: changed)
            #expect(
                steps.contains("discard \(discarded) references") == (discarded > 0),
                "\(other)"
            )
        }
    }

    @Test func `discards an unresolved reference whose key does not convert`() throws {
        let store = try store(
            """
            A: {attributes: {id: string}, relationships: {next: {to: A}}}
            """
        ) { store in
            try store.insert("A", ["id": .string("1")])
            try store.addUnresolvedReference("A.next", of: 1, to: "A", key: .string("two"))
        }
        let (migrated, steps) = try store.migrating(
            to: "A: {attributes: {id: integer64}, relationships: {next: {to: A}}}"
        )
        expect(
            steps,
            is: """
                change A.id from string to integer64 (1 value is converted)
                discard 1 references
                """
        )
        try expect(unresolved(migrated), is: "")
    }

    @Test func `unresolved references follow renames and conversions, and resolve later`() throws {
        let (migrated, _) = try library().migrating(
            to: """
                Work: {renamedFrom: Book, attributes: {id: string}, \
                relationships: {by: {to: Writer, inverse: works, renamedFrom: author}, \
                order: {to: Order}}}, \
                Writer: {renamedFrom: Author, attributes: {id: decimal, slug: string}, \
                relationships: {works: {to: Work, toMany: true, inverse: by, renamedFrom: books}}}, \
                Order: {primaryKey: [number, shop], attributes: {shop: string, number: string}}
                """
        )
        try expect(
            unresolved(migrated),
            is: """
                Work.by 1 Writer '9'
                Work.order 1 Order '''it''''s, 1'',''7'''
                Writer.works 1 Work '2'
                """
        )
        try migrated.insert("Writer", ["id": .decimal("9")])
        try migrated.insert("Work", ["id": .string("2")])
        try migrated.insert("Order", ["shop": .string("7"), "number": .string("it's, 1")])
        try expect(
            table(of: migrated, "Work", "Writer"),
            is: """
                Work
                #  id  by  order
                1  1   9   [it's, 1,7]
                2  2   5   -

                Writer
                #  id  slug  works
                1  5   -     [2]
                2  9   -     [1]
                """
        )
        try expect(unresolved(migrated), is: "")
    }

    @Test func `discards the unresolved references of dropped entities`() throws {
        let (migrated, steps) = try library().migrating(
            to: "Author: {attributes: {id: integer64, slug: string}}"
        )
        #expect(steps.contains("drop Book (1 row is lost)"))
        #expect(steps.contains("discard 3 references"))
        try expect(unresolved(migrated), is: "")
    }

    // MARK: Import sessions

    private func insertSessions(_ store: Store) throws {
        try store.writer.write { db in
            try db.execute(
                sql: """
                    INSERT INTO _tidemark_walk VALUES ('books', 'Book', '', 1), \
                    ('authors', 'Author', '', 1); \
                    INSERT INTO _tidemark_sweep VALUES ('books', 'seen:Book', 0, x'02'), \
                    ('books', 'seen:Author', 0, x'04'), ('authors', 'left:Author.books', 0, x'06'); \
                    INSERT INTO _tidemark_retry (resource, place, item) VALUES ('books', 0, x'7b')
                    """
            )
        }
    }

    private func sessions(_ store: Store) throws -> String {
        try store.writer.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT resource || ' ' || entity || ' ' || coalesce((SELECT group_concat(mark) \
                    FROM (SELECT mark FROM _tidemark_sweep s WHERE s.resource = w.resource \
                    ORDER BY mark)), '') FROM _tidemark_walk w ORDER BY resource
                    """
            )
            .joined(separator: "\n")
        }
    }

    @Test func `unfinished import sessions continue under the new names`() throws {
        let store = try library()
        try insertSessions(store)
        // The entities exchange their names.
        let (migrated, _) = try store.migrating(
            to: """
                Author: {renamedFrom: Book, attributes: {id: integer64}, \
                relationships: {author: {to: Book, inverse: books}, order: {to: Order}}}, \
                Book: {renamedFrom: Author, attributes: {id: integer64, slug: string}, \
                relationships: {books: {to: Author, toMany: true, inverse: author}}}, \
                Order: {primaryKey: [shop, number], attributes: {shop: integer64, number: string}}
                """
        )
        try expect(
            sessions(migrated),
            is: """
                authors Book left:Book.books
                books Author seen:Author,seen:Book
                """
        )
    }

    @Test func `import sessions that involve a dropped entity are discarded`() throws {
        let store = try library()
        try insertSessions(store)
        let (migrated, _) = try store.migrating(to: "Book: {attributes: {id: integer64}}")
        try expect(sessions(migrated), is: "")
        let retries = try migrated.writer.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM _tidemark_retry")
        }
        #expect(retries == 0)
    }
}
