public import Foundation
public import TidemarkModel

extension FakeData {
    /// Reads the files `KIND.all.json` of a folder, or `KIND.json` if no such file exists.
    ///
    /// Each file is an array of objects.
    ///
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
