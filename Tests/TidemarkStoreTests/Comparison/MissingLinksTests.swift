import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Rows that lack a link that the model requires.
struct MissingLinksTests {
    /// Returns a store whose persons need a passport and a team; a to-many link is never missing.
    private static func store() throws -> Store {
        try .of(
            .named(
                "Person",
                [],
                Relationship("passport", to: "Passport", isOptional: false, inverse: "holder"),
                Relationship("team", to: "Team", isOptional: false, inverse: "members"),
                .one("friend", "Person"),
                Relationship(
                    "tags",
                    to: "Tag",
                    isToMany: true,
                    isOptional: false,
                    inverse: "people"
                )
            ),
            .named("Diplomat", parent: "Person"),
            .named(
                "Passport",
                [],
                Relationship("holder", to: "Person", isOptional: false, inverse: "passport")
            ),
            .named("Team", [], .many("members", "Person", inverse: "team")),
            .named("Tag", [], .many("people", "Person", inverse: "tags"))
        )
    }

    private static func missing(_ store: Store, limit: Int = 1_000) throws -> [String] {
        try store.read { db in try db.missingLinks(limit: limit) }
            .map { "\($0.row) \($0.relationship)" }.sorted()
    }

    @Test func `lists rows on either side of the link, including rows of sub-entities`() throws {
        let store = try Self.store()
        #expect(try Self.missing(store) == [])
        try store.insert("Team", ["id": .integer(1)])
        let linked = ["team": ["Team:1"]]
        for id in 1...2 as ClosedRange<Int64> {
            try store.insert("Person", ["id": .integer(id)], links: linked)
            try store.insert("Passport", ["id": .integer(id)], links: ["holder": ["Person:\(id)"]])
        }
        #expect(try Self.missing(store) == [])
        try store.insert("Passport", ["id": .integer(3)])
        try store.insert("Diplomat", ["id": .integer(3)], links: linked)
        try store.update("Person:2", links: ["team": []])
        let expected = ["Diplomat#3 passport", "Passport#3 holder", "Person#2 team"]
        #expect(try Self.missing(store) == expected)
        try store.update("Diplomat:3", links: ["passport": ["Passport:3"]])
        #expect(try Self.missing(store) == ["Person#2 team"])
    }

    @Test(arguments: [0, 1, 4, 9]) func `lists no more rows than the limit`(
        _ limit: Int
    ) throws {
        let store = try Self.store()
        for id in 1...3 as ClosedRange<Int64> { try store.insert("Person", ["id": .integer(id)]) }
        #expect(try Self.missing(store, limit: limit).count == min(limit, 6))
    }
}
