public import Foundation
public import TidemarkModel

extension FakeData {
    /// Reads the files `KIND.all.json` (or `KIND.json`) of a folder: each an array of objects.
    ///
    /// - Throws: ``FakeServiceError`` where a file is no array of JSON, and what reading it throws.
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

    /// The objects in a file.
    package static func objects(_ bytes: some Sequence<UInt8>, of name: String) throws -> [FakeJSON]
    {
        guard case .array(let objects) = try FakeJSON(parsing: bytes) else {
            throw FakeServiceError("\(name) is no array of objects.")
        }
        return objects
    }
}

extension FakeService {
    /// Creates a service of the files `KIND.all.json` of a folder.
    ///
    /// - Throws: ``FakeServiceError`` where a file is no array of JSON, and what reading it throws.
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
