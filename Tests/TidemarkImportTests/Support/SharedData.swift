import Foundation

/// Data that lies beside the package, where it does.
enum SharedData {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../shared/data/swapi/api").standardized

    static let isThere = FileManager.default.fileExists(atPath: folder.path)

    /// The text of all objects of a kind.
    static func all(_ kind: String) throws -> String {
        let place = folder.appending(path: "\(kind).all.json")
        return String(decoding: try Data(contentsOf: place), as: UTF8.self)
    }
}
