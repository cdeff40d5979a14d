package import TidemarkModel
package import TidemarkTesting

/// The demo service: the six Star Wars films with their people, planets, species, starships and
/// vehicles.
///
/// The objects have the format of SWAPI, the Star Wars API: a `url` instead of an id, URLs as
/// references, and numbers as strings.
package enum StarWars {
    /// The prefix of links in the data, which responses replace with the service's base URL.
    static let linkBase = "https://starwars.example/api/"

    /// Creates a service with the data of the demo.
    ///
    /// - Parameters:
    ///   - environment: The clock of the service.
    ///   - writes: The rules for changes of clients; nil for a service that accepts none.
    /// - Returns: The service.
    /// - Throws: `FakeServiceError` if the data is invalid.
    package static func service(
        environment: SystemEnvironment = .manual(),
        accepting writes: FakeWrites? = nil
    ) throws -> FakeService {
        var dialect = FakeDialect.rest()
        dialect.writes = writes
        return FakeService(
            data: try data(),
            dialect: dialect,
            path: "/api/",
            linkBase: linkBase,
            environment: environment
        )
    }

    /// Returns the data of the demo.
    ///
    /// - Throws: `FakeServiceError` if the data is invalid.
    package static func data() throws -> FakeData {
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
