import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Reads text files as a whole.
enum TextFile {
    /// Reads a UTF-8 text file of limited size.
    ///
    /// Symbolic links are followed. The limit applies to the bytes that are actually read, not to
    /// the size that the file system reports.
    static func read(
        _ path: String,
        limit: Int,
        notFound: () -> any Error
    ) throws -> String {
        let file = try file(at: path, notFound)
        guard try isPlain(path) else {
            throw Failure(.data, "\(path) is not a regular file.")
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

    /// Opens a file without blocking.
    ///
    /// Opening a named pipe would otherwise wait for a writer.
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

    /// Returns whether a path leads to a regular file.
    ///
    /// If the file is replaced after it was opened, the limit still bounds how much is read.
    private static func isPlain(_ path: String) throws -> Bool {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let attributes = try FileManager.default.attributesOfItem(atPath: target)
        return attributes[.type] as? FileAttributeType == .typeRegular
    }
}
