import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A text file that is read as a whole.
enum TextFile {
    /// Reads a file of limited size.
    ///
    /// A link is followed. What is measured is what comes, and no more of it is read than the
    /// limit, however much there is.
    static func read(
        _ path: String,
        limit: Int,
        notFound: () -> any Error
    ) throws -> String {
        let file = try file(at: path, notFound)
        guard try isPlain(path) else {
            throw Failure(.data, "\(path) is no plain file.")
        }
        let data = try file.read(upToCount: limit + 1) ?? Data()
        guard data.count <= limit else {
            throw Failure(.data, "\(path) is larger than \(limit >> 20) MiB.")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw Failure(.data, "\(path) is not a text in UTF-8.")
        }
        return text
    }

    /// Opens a file without waiting for anybody who might write to it, as one does at a pipe.
    private static func file(
        at path: String,
        _ notFound: () -> any Error
    ) throws -> FileHandle {
        let number = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard number < 0 else { return FileHandle(fileDescriptor: number, closeOnDealloc: true) }
        guard errno == ENOENT || errno == ENOTDIR else {
            throw Failure(.notAllowed, "\(path) cannot be read.")
        }
        throw notFound()
    }

    /// Whether a path leads to a plain file; one that is put in its place meanwhile is read no
    /// further than the limit.
    private static func isPlain(_ path: String) throws -> Bool {
        let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let attributes = try FileManager.default.attributesOfItem(atPath: place)
        return attributes[.type] as? FileAttributeType == .typeRegular
    }
}
