public import Foundation

/// A temporary folder, which is deleted at the end of a test.
public struct Folder: ~Copyable, Sendable {
    /// The path of the folder.
    public let path: String

    /// Creates the folder.
    public init() throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "tidemark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        path = directory.path
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            // The test may have moved or deleted the folder.
        }
    }

    /// Writes a text to a file, and returns the path of the file.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        try write(Data(text.utf8), to: name)
    }

    /// Writes a file, creating missing folders, and returns the path of the file.
    @discardableResult
    public func write(_ data: Data, to name: String) throws -> String {
        let file = URL(filePath: filePath(name))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try data.write(to: file)
        return file.path
    }

    /// Returns the path of a file in the folder.
    public func filePath(_ name: String) -> String { "\(path)/\(name)" }
}
