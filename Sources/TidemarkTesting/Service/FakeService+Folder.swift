public import Foundation
public import TidemarkModel

extension FakeData {
    /// Reads the files `KIND.all.json` of a folder, or `KIND.json` if no such file exists.
    ///
    /// Each file is an array of objects; `KIND` becomes the name of the collection. Collections are
    /// sorted by name.
    ///
    /// ```swift
    /// let fixtures = URL(filePath: "Tests/Fixtures")  // films.json, people.json
    /// let fake = FakeService(data: try FakeData(folder: fixtures))
    /// ```
    ///
    /// - Parameter folder: The folder.
    /// - Throws: ``FakeServiceError`` if a file is not a JSON array, and the errors of reading the
    ///   files.
    public init(folder: URL) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let whole = names.filter { $0.hasSuffix(".all.json") }
        let chosen = whole.isEmpty ? names.filter { $0.hasSuffix(".json") } : whole
        self.init(
            try chosen.map { name in
                let bytes = try Data(contentsOf: folder.appending(path: name))
                let kind = name.prefix { $0 != "." }
                return (name: String(kind), objects: try Self.objects(bytes, of: name))
            }
        )
    }

    /// Returns the objects in a file.
    package static func objects(_ bytes: some Sequence<UInt8>, of name: String) throws -> [FakeJSON]
    {
        guard case .array(let objects) = try FakeJSON(parsing: bytes) else {
            throw FakeServiceError("\(name) is no array of objects.")
        }
        return objects
    }
}

extension FakeService {
    /// Creates a service from the files `KIND.all.json` of a folder, or `KIND.json` if no such
    /// file exists.
    ///
    /// Use it to serve recorded responses of a real service. With `linkBase`, the links in them
    /// lead to this service.
    ///
    /// ```swift
    /// let swapi = try FakeService(
    ///     folder: URL(filePath: "Tests/Fixtures"),
    ///     linkBase: "https://swapi.dev/api/"
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - folder: The folder with the files.
    ///   - dialect: The API dialect. Defaults to ``FakeDialect/rest(pageSize:_:)``.
    ///   - path: The path of the collections.
    ///   - linkBase: The prefix of links in the data that responses replace with the base URL.
    ///   - environment: The clock of the service.
    /// - Throws: ``FakeServiceError`` if a file is not a JSON array, and the errors of reading the
    ///   files.
    public convenience init(
        folder: URL,
        dialect: FakeDialect = .rest(),
        path: String = "/api/",
        linkBase: String? = nil,
        environment: SystemEnvironment = .manual()
    ) throws {
        self.init(
            data: try FakeData(folder: folder),
            dialect: dialect,
            path: path,
            linkBase: linkBase,
            environment: environment
        )
    }
}
