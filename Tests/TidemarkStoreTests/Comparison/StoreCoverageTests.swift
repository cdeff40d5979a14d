import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// The differences that a comparison reports, given the values that documents contain.
struct StoreCoverageTests {
    private static func library() throws -> Store {
        let store = try Store.of(
            .named(
                "Book",
                [],
                .one("shelf", "Shelf", inverse: "books"),
                .many("tags", "Tag", inverse: "books")
            ),
            .named("Shelf", [], .many("books", "Book", inverse: "shelf")),
            .named("Tag", [], .many("books", "Book", inverse: "tags")),
            .named("Novel", parent: "Book")
        )
        try store.insert("Shelf", ["id": .integer(1)])
        try store.insert("Tag", ["id": .integer(1)])
        try store.insert("Book", ["id": .integer(1), "name": .string("b")])
        try store.insert("Novel", ["id": .integer(2), "name": .string("n")])
        try store.update("Shelf:1", links: ["books": ["Book:1", "Book:2"]])
        try store.update("Book:1", links: ["tags": ["Tag:1"]])
        return store
    }

    /// Returns the rows that differ from an unchanged copy, one per line.
    private static func lines(
        _ cover: (StoreCoverage, _ store: Store) throws -> Void
    ) throws -> [String] {
        let store = try library()
        let defaults = store.layout.entities.map { entity in
            entity.name == "Novel"
                ? [entity.attribute("name")?.column ?? 0: Value.string("untitled")] : [:]
        }
        let coverage = StoreCoverage(store.layout, defaults: defaults)
        try cover(coverage, store)
        let differences = try store.differences(
            from: store.temporaryCopy(),
            coveredBy: coverage,
            limit: 100
        )
        return differences.rows.map { row in
            let properties = row.properties.map { property in
                let links = row.other?.links[property]?.map(\.description)
                return "\(property) \(links.map { "\($0)" } ?? "\(row.other?[property] ?? .null)")"
            }
            return ([row.row.description] + properties).joined(separator: " ")
        }
    }

    /// Records that documents contain rows, and the values of the given attributes.
    private static func add(
        _ rows: [(entity: String, row: Int64)],
        with attributes: [String] = [],
        _ coverage: StoreCoverage,
        _ store: Store
    ) throws {
        for (name, row) in rows {
            let entity = try store.layout.entity(name)
            coverage.add(row, in: entity.table)
            for attribute in attributes {
                guard let column = entity.attribute(attribute)?.column else { continue }
                coverage.add(column, of: row, in: entity.table)
            }
        }
    }

    @Test func `rows that no document contains are not compared`() throws {
        #expect(try Self.lines { _, _ in } == [])
        // The documents contain no shelves and no tags, so links to them are local data.
        #expect(
            try Self.lines { try Self.add([("Book", 1)], with: ["name"], $0, $1) } == []
        )
    }

    @Test func `a value that no document contains must be the default of its entity`() throws {
        #expect(
            try Self.lines { try Self.add([("Book", 1), ("Novel", 2)], $0, $1) } == [
                "Book#1 name null", #"Novel#2 name string("untitled")"#,
            ]
        )
    }

    @Test func `exempt rows are not compared`() throws {
        #expect(
            try Self.lines { coverage, store in
                try Self.add([("Book", 1), ("Shelf", 1), ("Tag", 1)], coverage, store)
                coverage.exempt(1, in: try store.layout.entity("Book").table)
            } == ["Novel#2 shelf []"]
        )
    }

    @Test func `a link that no document contains is reported on each side that stores it`() throws {
        #expect(
            try Self.lines { coverage, store in
                let rows = [("Book", 1), ("Shelf", 1), ("Tag", 1)] as [(String, Int64)]
                try Self.add(rows, with: ["name"], coverage, store)
            } == [
                "Book#1 shelf [] tags []", "Novel#2 shelf []", "Tag#1 books []",
            ]
        )
    }

    @Test(arguments: [true, false])
    func `a link that the document of either row contains is not reported`(
        _ isInverse: Bool
    ) throws {
        #expect(
            try Self.lines { coverage, store in
                let rows = [("Book", 1), ("Shelf", 1), ("Tag", 1)] as [(String, Int64)]
                try Self.add(rows, with: ["name"], coverage, store)
                let links: [(String, String, Int64, [Int64])] =
                    isInverse
                    ? [("Shelf", "books", 1, [1, 2]), ("Tag", "books", 1, [1])]
                    : [
                        ("Book", "shelf", 1, [1]), ("Novel", "shelf", 2, [1]),
                        ("Book", "tags", 1, [1]),
                    ]
                for (entity, name, row, others) in links {
                    let relationship = try #require(
                        try store.layout.entity(entity).relationship(name)
                    )
                    coverage.add(relationship, of: row, to: others)
                }
            } == []
        )
    }
}
