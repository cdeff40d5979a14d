import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Stores opened with the `sqlite3` shell, which has no code of Tidemark.
@Suite(
    .enabled(if: Shell.isAvailable, "there is no sqlite3 on the PATH; scripts/setup installs it")
)
struct ShellTests {
    /// Creates a store with rows, ordered links and an unresolved reference, and closes it.
    private static func store(in folder: borrowing Folder) throws -> String {
        let path = folder.filePath("store.sqlite")
        let model = Model(entities: [
            EntityDescription(
                "Film",
                attributes: [
                    Attribute("id", .integer64), Attribute("title", .string, isOptional: false),
                    Attribute("price", .decimal), Attribute("seen", .date),
                ],
                relationships: [
                    .many("actors", "Person", inverse: "films", isOrdered: true),
                    .one("director", "Person", inverse: "directed"),
                ],
                uniquenessConstraints: [["title"]]
            ),
            .named(
                "Person",
                [],
                .many("films", "Film", inverse: "actors"),
                .many("directed", "Film", inverse: "director", isOrdered: true, .cascade)
            ),
            .named("Star", parent: "Person", [Attribute("award", .json)]),
        ])
        let store = try Store.open(at: path, model: model).validated()
        try store.insert("Star", ["id": .integer(1), "award": .json("{\"year\":1977}")])
        try store.insert("Person", ["id": .integer(2), "name": .string("O'Neil")])
        try store.insert(
            "Film",
            ["id": .integer(4), "title": .string("A\"b"), "price": .decimal("12.2")],
            links: ["actors": ["Person:2", "Person:1"], "director": ["Person:2"]]
        )
        try store.writer.close()
        return path
    }

    @Test func `passes the foreign key and integrity checks`() throws {
        let folder = try Folder()
        let path = try Self.store(in: folder)
        let output = try Shell.run(path, "PRAGMA foreign_key_check; PRAGMA integrity_check;")
        #expect(output == "ok\n")
    }

    @Test func `reads rows and links with plain SQL`() throws {
        let folder = try Folder()
        let path = try Self.store(in: folder)
        let output = try Shell.run(
            path,
            """
            SELECT title, price FROM Film; \
            SELECT p.id, p._entity, j.position FROM Film f \
            JOIN _tidemark_Film_actors j ON j.owner = f._id JOIN Person p ON p._id = j.member \
            ORDER BY j.position; \
            SELECT d.name FROM Film f JOIN Person d ON d._id = f.director;
            """
        )
        #expect(output == "A\"b|12.2\n2|Person|0\n1|Star|1\nO'Neil\n")
    }

    @Test func `deletes rows without dangling references`() throws {
        let folder = try Folder()
        let path = try Self.store(in: folder)
        let output = try Shell.run(
            path,
            """
            PRAGMA foreign_keys = ON; DELETE FROM Person WHERE id = 2; \
            SELECT count(*) FROM Film; SELECT count(*) FROM _tidemark_Film_actors; \
            PRAGMA foreign_key_check; PRAGMA integrity_check;
            """
        )
        #expect(output == "0\n0\nok\n")
        let store = try Store.open(at: path).validated()
        #expect(try store.read { db in try db.count("Person") } == 1)
    }
}
