public import TidemarkModel

extension StarWars {
    /// The data model of the demo, which is also that of SWAPI.
    ///
    /// Objects have no id. Their key is the number at the end of `url`. Numbers are strings, and
    /// may be words such as `unknown`.
    public static let model = Model(entities: [film, person, planet, species, starship, vehicle])

    private static let film = EntityDescription(
        "Film",
        attributes: [
            id, text("title"), Attribute("episodeID", .integer16, remoteKey: "episode_id"),
            text("openingCrawl"), text("director"), text("producer"),
            Attribute("releaseDate", .date), created, edited,
        ],
        relationships: [
            many("characters", "Person", "films"), many("planets", "Planet", "films"),
            many("starships", "Starship", "films"), many("vehicles", "Vehicle", "films"),
            many("species", "Species", "films"),
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
            many("films", "Film", "characters"), many("species", "Species", "people"),
            many("vehicles", "Vehicle", "pilots"), many("starships", "Starship", "pilots"),
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
            many("residents", "Person", "homeworld"), many("films", "Film", "planets"),
            many("nativeSpecies", "Species", "homeworld"),
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
            many("people", "Person", "species"), many("films", "Film", "species"),
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
            many("pilots", "Person", "starships"), many("films", "Film", "starships"),
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
            many("pilots", "Person", "vehicles"), many("films", "Film", "vehicles"),
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
        _ destination: String,
        _ inverse: String
    ) -> Relationship {
        Relationship(name, to: destination, isToMany: true, inverse: inverse)
    }
}
