import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Values that Parse sends with a `__type`.
struct TypedReferenceTests {
    private func store() throws -> Store {
        try .of(
            EntityDescription(
                "Player",
                primaryKey: ["objectId"],
                attributes: [
                    .init("objectId", .string), .init("photo", .uri), .init("birthday", .date),
                    .init("icon", .binary, encoding: .base64),
                    .init("latitude", .double, remoteKey: "location.latitude"),
                ],
                relationships: [
                    .one("team", "Team", inverse: "players"),
                    .many("friends", "Player", inverse: "friends"),
                ]
            ),
            EntityDescription(
                "Team",
                primaryKey: ["objectId"],
                attributes: [.init("objectId", .string), .init("name", .string)],
                relationships: [.many("players", "Player", inverse: "team")]
            )
        )
    }

    @Test func `a pointer is a reference, not an object without values`() throws {
        let store = try store()
        let document = #"""
            [{"objectId": "p", "team": {"__type": "Pointer", "className": "Team", "objectId": "t"},
              "friends": [{"__type": "Pointer", "className": "Player", "objectId": "q"}]}]
            """#
        try expect(store.load("Player", document), is: "Player +1, ?2")
        try expect(
            store.load("Team", #"[{"objectId": "t", "name": "Reds"}]"#),
            is: "Player ~1, Team +1"
        )
        try expect(store.load("Player", document), is: "Player =1, ?1")
    }

    @Test func `a relation changes no links, because it does not list its members`() throws {
        let store = try store()
        try store.load(
            "Team",
            #"[{"objectId": "t", "players": [{"objectId": "p"}]}]"#
        )
        let document =
            #"[{"objectId": "t", "players": {"__type": "Relation", "className": "Player"}}]"#
        try expect(store.load("Team", document), is: "Team =1")
    }

    @Test func `an included object is imported as an object, and typed values by their type`()
        throws
    {
        let store = try store()
        try expect(
            store.load(
                "Player",
                #"""
                [{"objectId": "p",
                  "team": {"__type": "Object", "className": "Team", "objectId": "t", "name": "Reds"},
                  "photo": {"__type": "File", "name": "a.png", "url": "https://files/a.png"},
                  "birthday": {"__type": "Date", "iso": "1970-01-01T00:00:01.000Z"},
                  "icon": {"__type": "Bytes", "base64": "AQI="},
                  "location": {"__type": "GeoPoint", "latitude": 40.5, "longitude": -30}}]
                """#
            ),
            is: """
                Player +1, Team +1
                Player:p, location.longitude: The model has no attribute or relationship for this key.
                """
        )
        try expect(
            table(of: store, "Player", "Team"),
            is: """
                Player
                #  objectId  photo                birthday              icon     latitude  team  friends
                1  p         https://files/a.png  1970-01-01T00:00:01Z  x'0102'  40.5      t     []

                Team
                #  objectId  name  players
                1  t         Reds  [p]
                """
        )
    }
}
