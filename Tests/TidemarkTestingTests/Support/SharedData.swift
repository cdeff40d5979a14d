import Foundation

/// Recorded responses of SWAPI, in a folder next to the package that may not exist.
enum SharedData {
    static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent()
        .appending(path: "../../../../shared/data/swapi/api").standardized

    static let isAvailable = FileManager.default.fileExists(atPath: folder.path)
}
