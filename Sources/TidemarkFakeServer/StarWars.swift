public import TidemarkModel
public import TidemarkTesting

/// A demo: the six films, and the people, planets, species, starships and vehicles that they show.
///
/// The objects have the shapes of SWAPI, the Star Wars API: no id but a `url`, links for
/// relationships, numbers as text.
public enum StarWars {
    /// What links begin with in the data; the service answers with its own address instead.
    static let linkBase = "https://starwars.example/api/"

    /// A service that holds the demo's data.
    ///
    /// - Throws: `FakeServiceError` where the data is damaged.
    public static func service(environment: SystemEnvironment = .manual()) throws -> FakeService {
        FakeService(data: try data(), path: "/api/", linkBase: linkBase, environment: environment)
    }

    /// The demo's data.
    ///
    /// - Throws: `FakeServiceError` where the data is damaged.
    public static func data() throws -> FakeData {
        FakeData(
            try files.map { name, bytes in
                (name: name, objects: try FakeData.objects(bytes, of: name))
            }
        )
    }

    private static let files: KeyValuePairs<String, [UInt8]> = [
        "people": PackageResources.people_json,
        "planets": PackageResources.planets_json,
        "films": PackageResources.films_json,
        "species": PackageResources.species_json,
        "vehicles": PackageResources.vehicles_json,
        "starships": PackageResources.starships_json,
    ]
}
