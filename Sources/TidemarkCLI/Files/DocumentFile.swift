import Foundation
import TidemarkModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A JSON document: a file, or standard input.
enum DocumentFile {
    /// Reads the items of a document piece by piece: it may be longer than the memory.
    ///
    /// Where it is no JSON, or holds no list, the error names the file.
    static func withItems<Result>(
        _ path: String,
        root: String?,
        _ bar: ProgressBar,
        _ body: (inout JSONItemReader) throws -> Result
    ) throws -> Result {
        let handle = try open(path)
        let progress = ReadingProgress(bar, length: try length(of: path))
        defer { progress.clear() }
        var items = JSONItemReader(root: root) { buffer in
            let count = try fill(buffer, from: handle, path)
            progress.read(count)
            return count
        }
        return try naming(path) { try body(&items) }
    }

    /// Hands a document over whose list is not known yet: piece by piece where it is a list, which
    /// may be longer than the memory, and as a whole where it is anything else.
    static func withSample<Result>(
        _ path: String,
        limits: Limits,
        _ bar: ProgressBar,
        list: (inout JSONItemReader) throws -> Result,
        document: (JSONDocument) throws -> Result
    ) throws -> Result {
        let handle = try open(path)
        let progress = ReadingProgress(bar, length: try length(of: path))
        defer { progress.clear() }
        let read = { (buffer: UnsafeMutableRawBufferPointer) in
            let count = try fill(buffer, from: handle, path)
            progress.read(count)
            return count
        }
        var start = [UInt8](repeating: 0, count: 1 << 16)
        let count = try start.withUnsafeMutableBytes(read)
        start.removeSubrange(count...)
        return try naming(path) {
            guard start.first(where: { !blanks.contains($0) }) == UInt8(ascii: "[") else {
                let bytes = try rest(behind: start, limits.jsonItemBytes, path, read)
                return try document(JSONDocument(bytes, limits: limits))
            }
            var offset = 0
            var items = JSONItemReader(limits: limits) { buffer in
                guard offset < start.count else { return try read(buffer) }
                let count = min(buffer.count, start.count - offset)
                buffer.copyBytes(from: start[offset..<(offset + count)])
                offset += count
                return count
            }
            return try list(&items)
        }
    }

    /// White space, and the bytes of a byte-order mark.
    private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]

    private static func rest(
        behind start: [UInt8],
        _ limit: Int,
        _ path: String,
        _ read: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> [UInt8] {
        var bytes = start
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while !bytes.isEmpty {
            let count = try buffer.withUnsafeMutableBytes(read)
            if count == 0 { break }
            bytes += buffer[..<count]
            guard bytes.count <= limit else {
                throw Failure(
                    .data,
                    "\(path) is longer than \(limit >> 20) MiB and no list. Name the list in it with "
                        + "--root."
                )
            }
        }
        return bytes
    }

    private static func length(of path: String) throws -> Int? {
        guard path != "-" else { return nil }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.size] as? NSNumber)?.intValue
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

    /// Reads straight into the buffer: an import reads gigabytes, and needs no copy of them.
    private static func fill(
        _ buffer: UnsafeMutableRawBufferPointer,
        from handle: FileHandle,
        _ path: String
    ) throws -> Int {
        while true {
            let count = read(handle.fileDescriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else {
                throw Failure(
                    .inputOutput,
                    "\(path) cannot be read to its end: \(String(cString: strerror(errno)))."
                )
            }
        }
    }
}
