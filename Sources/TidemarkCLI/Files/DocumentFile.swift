import Foundation
import TidemarkModel

/// A JSON document: a file, or standard input.
enum DocumentFile {
    /// Reads the items of a document piece by piece: it may be longer than the memory.
    ///
    /// Where it is no JSON, or holds no list, the error names the file.
    static func withItems<Result>(
        _ path: String,
        root: String?,
        _ body: (inout JSONItemReader) throws -> Result
    ) throws -> Result {
        let handle = try open(path)
        var items = JSONItemReader(root: root) { buffer in
            try handle.read(into: buffer)
        }
        return try naming(path) { try body(&items) }
    }

    /// A whole document, for the verbs that take one object.
    static func document(_ path: String) throws -> JSONDocument {
        let handle = try open(path)
        let data = try handle.readToEnd() ?? Data()
        return try naming(path) { try JSONDocument(Array(data)) }
    }

    private static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result
    {
        let name = path == "-" ? "Standard input" : path
        do {
            return try body()
        } catch let error as JSONError {
            throw Failure(.data, "\(name) is no JSON: \(error).")
        } catch let error as JSONItemsError {
            throw Failure(.data, "\(name) cannot be imported: \(error).")
        }
    }

    private static func open(_ path: String) throws -> FileHandle {
        guard path != "-" else { return .standardInput }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw Failure(.notFound, "There is no file \(path).")
        }
        guard !isFolder.boolValue else {
            throw Failure(.data, "\(path) is a folder. Name a file, or - for standard input.")
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
