import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Children of entities without a primary key, which are part of the row that contains them.
struct KeylessChildTests {
    private static func place(_ relationships: Relationship...) -> EntityDescription {
        EntityDescription(
            "Place",
            attributes: [Attribute("city", .string)],
            relationships: relationships
        )
    }

    private func numbers(_ store: Store, _ documents: [String]) throws -> [Int] {
        try documents.map { json in
            try store.load("User", #"[{"id": 1, \#(json)}]"#)
            return try store.read { db in try db.fetch(RecordRequest("Place")).count }
        }
    }

    private static let lists = ["x,y", "z", "x,y", "z", "x,y,z", "z", ""].map { names in
        let objects = names.split(separator: ",").map { #"{"city": "\#($0)"}"# }
        return #""places": [\#(objects.joined(separator: ","))]"#
    }

    @Test(
        arguments: [
            [.many("places", "Place")], [.many("places", "Place", inverse: "user")],
            [.many("places", "Place", inverse: "users")],
            [.many("places", "Place", isOrdered: true)],
        ] as [[Relationship]]
    )
    func `children beyond the length of the list are deleted, with or without an inverse`(
        _ relationships: [Relationship]
    ) throws {
        let inverses: [String?: EntityDescription] = [
            nil: Self.place(), "user": Self.place(.one("user", "User", inverse: "places")),
            "users": Self.place(.many("users", "User", inverse: "places")),
        ]
        let place = try #require(inverses[relationships[0].inverse])
        let user = EntityDescription(
            "User",
            attributes: [Attribute("id", .integer64)],
            relationships: relationships
        )
        try #expect(numbers(.of(user, place), Self.lists) == [2, 1, 2, 1, 3, 1, 0])
        let store = try Store.of(user, place)
        try #expect(numbers(store, ["\"places\": [{}, {}]", "\"places\": null"]) == [2, 0])
    }

    @Test(arguments: [nil, "user", "users"])
    func `an object replaced by null is deleted, with or without an inverse`(
        _ inverse: String?
    ) throws {
        let place =
            switch inverse {
            case "user": Self.place(.one("user", "User", inverse: "home"))
            case "users": Self.place(.many("users", "User", inverse: "home"))
            default: Self.place()
            }
        let store = try Store.of(.named("User", [], .one("home", "Place", inverse: inverse)), place)
        let object = #""home": {"city": "x"}"#
        try #expect(
            numbers(store, [object, #""home": null"#, object, object, #""name": "a""#])
                == [1, 0, 1, 1, 1]
        )
    }

    @Test func `children that only a deleted child contains are deleted with it`() throws {
        let store = try Store.of(
            .named("User", [], .one("home", "Home")),
            EntityDescription(
                "Home",
                relationships: [
                    .many("rooms", "Place", inverse: "home"), .one("garden", "Place"),
                ]
            ),
            Self.place(.one("home", "Home", inverse: "rooms"))
        )
        try #expect(
            numbers(
                store,
                [
                    #""home": {"rooms": [{"city": "a"}, {}], "garden": {"city": "c"}}"#,
                    #""home": {"rooms": [{"city": "a"}], "garden": {"city": "c"}}"#,
                    #""home": null"#,
                ]
            ) == [3, 2, 0]
        )
        try expect(store.load("User", #"[{"id": 1}]"#), is: "User =1")
    }

    @Test func `a child that another row contains is kept`() throws {
        let store = try Store.of(
            .named("User", [], .many("places", "Place"), .one("home", "Place")),
            Self.place()
        )
        try store.load("User", #"[{"id": 1, "places": [{"city": "x"}]}]"#)
        try store.insert("User", ["id": .integer(2)], links: ["home": ["Place#1"]])
        try store.load("User", #"[{"id": 1, "places": []}, {"id": 2}]"#)
        try expect(
            table(of: store),
            is: """
                User
                #  id  name  places  home
                1  1   -     []      -
                2  2   -     []      #1

                Place
                #  city
                1  x
                """
        )
    }

    @Test func `children are kept and unlinked if the relationship unlinks orphans`() throws {
        let places = Relationship("places", to: "Place", isToMany: true, orphans: .unlink)
        let store = try Store.of(.named("User", [], places), Self.place())
        try #expect(numbers(store, Array(Self.lists.prefix(2))) == [2, 2])
    }

    @Test func `an import without updateRelationships leaves the list unchanged`() throws {
        let store = try Store.of(.named("User", [], .many("places", "Place")), Self.place())
        try store.load("User", #"[{"id": 1, "places": [{"city": "x"}, {"city": "y"}]}]"#)
        try expect(
            store.load("User", #"[{"id": 1, "places": [{"city": "z"}]}]"#, [.insert, .update]),
            is: """
                User =1
                Place: The nested object is not updated: the operations lack updateRelationships.
                """
        )
        try expect(
            store.load("User", #"[{"id": 1, "places": [{"city": "z"}]}]"#, .upsert),
            is: "Place ~1 -1, User ~1"
        )
    }
}
