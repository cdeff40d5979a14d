import Foundation

/// Test data in a folder next to the package, if it exists.
enum SharedData {
    static let swapi = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent()
        .appending(path: "../../../../shared/data/swapi/api").standardized

    static let hasSWAPI = FileManager.default.fileExists(atPath: swapi.path)
}
