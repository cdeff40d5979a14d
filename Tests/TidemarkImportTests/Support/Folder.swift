import Foundation

/// A folder that is gone after a test.
struct Folder: ~Copyable {
    let path: String

    init() throws {
        let place = FileManager.default.temporaryDirectory
            .appendingPathComponent("tidemark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        path = place.path
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            // A folder that a test moved away needs no cleaning.
        }
    }

    /// Writes a file, and returns its path.
    @discardableResult
    func write(_ data: Data, to name: String) throws -> String {
        let place = "\(path)/\(name)"
        try data.write(to: URL(filePath: place))
        return place
    }

    /// The path of a file.
    func place(_ name: String) -> String { "\(path)/\(name)" }
}
