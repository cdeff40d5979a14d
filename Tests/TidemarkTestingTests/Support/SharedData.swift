import Foundation

/// Data that lies beside the package, where it does.
enum SharedData {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../shared/data/swapi/api").standardized

    static let isThere = FileManager.default.fileExists(atPath: folder.path)
}
