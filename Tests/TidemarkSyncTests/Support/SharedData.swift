import Foundation

/// Data that lies beside the package, where it does.
enum SharedData {
    static let swapi = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../shared/data/swapi/api").standardized

    static let hasSWAPI = FileManager.default.fileExists(atPath: swapi.path)
}
