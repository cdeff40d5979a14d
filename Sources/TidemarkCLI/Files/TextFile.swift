import Foundation

/// A text file that is read as a whole.
enum TextFile {
    /// Reads a file of limited size.
    static func read(
        _ path: String,
        limit: Int,
        notFound: () -> any Error
    ) throws -> String {
        guard let size = try size(of: path) else { throw notFound() }
        guard size <= limit else {
            throw Failure(.data, "\(path) is larger than \(limit >> 20) MiB.")
        }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw Failure(.notAllowed, "\(path) cannot be read.")
        }
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        guard let text = String(data: data, encoding: .utf8) else {
            throw Failure(.data, "\(path) is not a text in UTF-8.")
        }
        return text
    }

    private static func size(of path: String) throws -> Int? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.size] as? NSNumber)?.intValue
    }
}
