import TidemarkModel
import TidemarkTestSupport

/// The six resources of the Star Wars API, and a model for them.
enum StarWars {
    static let kinds = [
        ("films", "Film"), ("people", "Person"), ("planets", "Planet"), ("species", "Species"),
        ("starships", "Starship"), ("vehicles", "Vehicle"),
    ]

    static let model = Model(entities: [
        entity(
            "Film",
            [
                .init("title", .string), .init("episode", .integer16, remoteKey: "episode_id"),
                .init("openingCrawl", .string), .init("releaseDate", .date),
            ],
            [
                .many("characters", "Person", inverse: "films"),
                .many("planets", "Planet", inverse: "films"),
                .many("species", "Species", inverse: "films"),
                .many("starships", "Starship", inverse: "films"),
                .many("vehicles", "Vehicle", inverse: "films"),
            ]
        ),
        entity(
            "Person",
            [
                .init("name", .string), .init("height", .integer16, nullValues: ["unknown"]),
                .init("mass", .string), .init("gender", .string, nullValues: ["n/a"]),
            ],
            [
                .one("homeworld", "Planet", inverse: "residents"),
                .many("films", "Film", inverse: "characters"),
                .many("species", "Species", inverse: "people"),
                .many("starships", "Starship", inverse: "pilots"),
                .many("vehicles", "Vehicle", inverse: "pilots"),
            ]
        ),
        entity(
            "Planet",
            [.init("name", .string), .init("climate", .string)],
            [
                .many("residents", "Person", inverse: "homeworld"),
                .many("films", "Film", inverse: "planets"),
                .many("natives", "Species", inverse: "homeworld"),
            ]
        ),
        entity(
            "Species",
            [.init("name", .string), .init("language", .string)],
            [
                .one("homeworld", "Planet", inverse: "natives"),
                .many("people", "Person", inverse: "species"),
                .many("films", "Film", inverse: "species"),
            ]
        ),
        entity(
            "Starship",
            [.init("name", .string), .init("megalights", .string, remoteKey: "MGLT")],
            [
                .many("pilots", "Person", inverse: "starships"),
                .many("films", "Film", inverse: "starships"),
            ]
        ),
        entity(
            "Vehicle",
            [.init("name", .string), .init("length", .double, nullValues: ["unknown"])],
            [
                .many("pilots", "Person", inverse: "vehicles"),
                .many("films", "Film", inverse: "vehicles"),
            ]
        ),
    ])

    private static func entity(
        _ name: String,
        _ attributes: [Attribute],
        _ relationships: [Relationship]
    ) -> EntityDescription {
        EntityDescription(
            name,
            attributes: [
                .init("id", .integer64, remoteKey: "url"), .init("created", .date),
                .init("edited", .date),
            ] + attributes,
            relationships: relationships
        )
    }
}
