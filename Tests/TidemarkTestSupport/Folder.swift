package import Foundation

/// A folder that is gone after a test.
package struct Folder: ~Copyable {
    package let path: String

    package init() throws {
        let place = FileManager.default.temporaryDirectory
            .appending(path: "tidemark-\(UUID().uuidString)")
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

    /// Writes a text, and returns the path of its file.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(Data(text.utf8), to: name)
    }

    /// Writes a file, making the folders it needs, and returns its path.
    @discardableResult
    package func write(_ data: Data, to name: String) throws -> String {
        let place = URL(filePath: self.place(name))
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try data.write(to: place)
        return place.path
    }

    /// The path of a file.
    package func place(_ name: String) -> String { "\(path)/\(name)" }
}
