import Foundation

/// Test data in a folder next to the package, if that folder exists.
enum SharedData {
    private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent()
        .appending(path: "../../../../shared/data/swapi/api").standardized

    static let isAvailable = FileManager.default.fileExists(atPath: folder.path)

    /// Returns the JSON text of all objects of a kind, such as `films`.
    static func all(_ kind: String) throws -> String {
        let location = folder.appending(path: "\(kind).all.json")
        return String(decoding: try Data(contentsOf: location), as: UTF8.self)
    }
}
