package import TidemarkModel

extension StarWars {
    /// The data model of the demo, which is also that of SWAPI.
    ///
    /// Objects have no id. Their key is the number at the end of `url`. Numbers are strings, and
    /// may be words such as `unknown`.
    package static let model = Model(entities: [film, person, planet, species, starship, vehicle])

    private static let film = EntityDescription(
        "Film",
        attributes: [
            id, text("title"), Attribute("episodeID", .integer16, remoteKey: "episode_id"),
            text("openingCrawl"), text("director"), text("producer"),
            Attribute("releaseDate", .date), created, edited,
        ],
        relationships: [
            many("characters", to: "Person", inverse: "films"),
            many("planets", to: "Planet", inverse: "films"),
            many("starships", to: "Starship", inverse: "films"),
            many("vehicles", to: "Vehicle", inverse: "films"),
            many("species", to: "Species", inverse: "films"),
        ]
    )

    private static let person = EntityDescription(
        "Person",
        attributes: [
            id, text("name"), number("height"), number("mass"), text("hairColor"),
            text("skinColor"), text("eyeColor"), text("birthYear"), text("gender"), created,
            edited,
        ],
        relationships: [
            Relationship("homeworld", to: "Planet", inverse: "residents"),
            many("films", to: "Film", inverse: "characters"),
            many("species", to: "Species", inverse: "people"),
            many("vehicles", to: "Vehicle", inverse: "pilots"),
            many("starships", to: "Starship", inverse: "pilots"),
        ]
    )

    private static let planet = EntityDescription(
        "Planet",
        attributes: [
            id, text("name"), number("rotationPeriod"), number("orbitalPeriod"),
            number("diameter"), text("climate"), text("gravity"), text("terrain"),
            text("surfaceWater"), number("population"), created, edited,
        ],
        relationships: [
            many("residents", to: "Person", inverse: "homeworld"),
            many("films", to: "Film", inverse: "planets"),
            many("nativeSpecies", to: "Species", inverse: "homeworld"),
        ]
    )

    private static let species = EntityDescription(
        "Species",
        attributes: [
            id, text("name"), text("classification"), text("designation"),
            number("averageHeight"), text("skinColors"), text("hairColors"), text("eyeColors"),
            text("averageLifespan"), text("language"), created, edited,
        ],
        relationships: [
            Relationship("homeworld", to: "Planet", inverse: "nativeSpecies"),
            many("people", to: "Person", inverse: "species"),
            many("films", to: "Film", inverse: "species"),
        ]
    )

    private static let starship = EntityDescription(
        "Starship",
        attributes: [
            id, text("name"), text("model"), text("manufacturer"), number("costInCredits"),
            text("length"), text("maxAtmospheringSpeed"), text("crew"), text("passengers"),
            text("cargoCapacity"), text("consumables"), text("hyperdriveRating"),
            Attribute("megalightsPerHour", .string, remoteKey: "MGLT"), text("starshipClass"),
            created, edited,
        ],
        relationships: [
            many("pilots", to: "Person", inverse: "starships"),
            many("films", to: "Film", inverse: "starships"),
        ]
    )

    private static let vehicle = EntityDescription(
        "Vehicle",
        attributes: [
            id, text("name"), text("model"), text("manufacturer"), number("costInCredits"),
            text("length"), text("maxAtmospheringSpeed"), text("crew"), text("passengers"),
            text("cargoCapacity"), text("consumables"), text("vehicleClass"), created, edited,
        ],
        relationships: [
            many("pilots", to: "Person", inverse: "vehicles"),
            many("films", to: "Film", inverse: "vehicles"),
        ]
    )

    private static let id = Attribute("id", .integer64, remoteKey: "url")
    private static let created = Attribute("created", .date)
    private static let edited = Attribute("edited", .date)

    private static func text(_ name: String) -> Attribute {
        Attribute(name, .string)
    }

    private static func number(_ name: String) -> Attribute {
        Attribute(name, .double, nullValues: ["unknown", "n/a", "none"])
    }

    private static func many(
        _ name: String,
        to destination: String,
        inverse: String
    ) -> Relationship {
        Relationship(name, to: destination, isToMany: true, inverse: inverse)
    }
}
