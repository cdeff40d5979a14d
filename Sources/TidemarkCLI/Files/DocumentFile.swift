import Foundation
import TidemarkModel

/// A JSON document: a file, or standard input.
enum DocumentFile {
    /// The items of a document, read piece by piece: it may be longer than the memory.
    static func items(_ path: String, root: String?) throws -> JSONItemReader {
        let handle = try open(path)
        return JSONItemReader(root: root) { buffer in
            try handle.read(into: buffer)
        }
    }

    /// A whole document, for the verbs that take one object.
    static func document(_ path: String) throws -> JSONDocument {
        let handle = try open(path)
        let data = try handle.readToEnd() ?? Data()
        return try JSONDocument(Array(data))
    }

    private static func open(_ path: String) throws -> FileHandle {
        guard path != "-" else { return .standardInput }
        guard FileManager.default.fileExists(atPath: path) else {
            throw Failure(.notFound, "There is no file \(path).")
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw Failure(.notAllowed, "\(path) cannot be read.")
        }
        return handle
    }
}

extension FileHandle {
    fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let data = try read(upToCount: buffer.count) else { return 0 }
        data.copyBytes(to: buffer)
        return data.count
    }
}
