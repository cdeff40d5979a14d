public import Foundation

extension FakeData {
    /// Reads the files `KIND.all.json` of a folder, or `KIND.json` if no such file exists.
    ///
    /// Each file is an array of objects; `KIND` becomes the name of the collection. Collections are
    /// sorted by name. Use it to serve recorded responses of a real service: with `linkBase`, the
    /// links in them lead to the fake one.
    ///
    /// ```swift
    /// let fixtures = URL(filePath: "Tests/Fixtures")  // films.json, people.json
    /// let swapi = FakeService(data: try .read(from: fixtures), linkBase: "https://swapi.dev/api/")
    /// ```
    ///
    /// - Parameter folder: The folder.
    /// - Returns: The objects of all files.
    /// - Throws: ``FakeServiceError`` if a file is not a JSON array, and the errors of reading the
    ///   files.
    public static func read(from folder: URL) throws -> FakeData {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let whole = names.filter { $0.hasSuffix(".all.json") }
        let chosen = whole.isEmpty ? names.filter { $0.hasSuffix(".json") } : whole
        return FakeData(
            try chosen.map { name in
                let bytes = try Data(contentsOf: folder.appending(path: name))
                let kind = name.prefix { $0 != "." }
                return (name: String(kind), objects: try objects(bytes, of: name))
            }
        )
    }

    /// Returns the objects in a file.
    package static func objects(_ bytes: some Sequence<UInt8>, of name: String) throws -> [FakeJSON]
    {
        guard case .array(let objects) = try FakeJSON(parsing: bytes) else {
            throw FakeServiceError("\(name) is not an array of objects.")
        }
        return objects
    }
}
