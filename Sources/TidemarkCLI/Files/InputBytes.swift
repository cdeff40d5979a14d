import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The bytes of a file or of standard input, read incrementally.
final class InputBytes {
    /// The name of the input in messages.
    let name: String

    /// The number of bytes of a regular file; nil for a pipe, a terminal or a device.
    let length: Int?

    private var file: FileHandle
    private var start: off_t
    private var isPlainFile: Bool

    /// The bytes that were read ahead, and the number of them that have been consumed.
    private var head: [UInt8] = []
    private var offset = 0

    /// Whether ``head`` contains all remaining bytes.
    private var isComplete = false

    /// The number of bytes of a pipe that are buffered in memory.
    ///
    /// Longer input is spooled to a temporary file.
    private static let memoryLimit = 8 << 20

    /// Opens a file; `-` is standard input.
    static func open(_ path: String) throws -> InputBytes {
        InputBytes(try file(at: path), name: path == "-" ? "Standard input" : path)
    }

    private init(_ file: FileHandle, name: String) {
        self.name = name
        self.file = file
        var status = stat()
        let isKnown = fstat(file.fileDescriptor, &status) == 0
        isPlainFile = isKnown && status.st_mode & S_IFMT == S_IFREG
        // Standard input may be a file that a shell has already read from: start at its position.
        start = isPlainFile ? lseek(file.fileDescriptor, 0, SEEK_CUR) : 0
        length = isPlainFile ? Int(status.st_size - start) : nil
    }

    private static func file(at path: String) throws -> FileHandle {
        guard path != "-" else { return .standardInput }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw Failure(.notFound, "There is no file \(path).")
        }
        guard !isFolder.boolValue else {
            throw Failure(.data, "\(path) is a folder. Name a file, or - for standard input.")
        }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw Failure(.notAllowed, "\(path) cannot be read.")
        }
        return file
    }

    // MARK: Reading

    /// Fills a buffer with the next bytes, and returns their number; 0 at the end of the input.
    ///
    /// It reads directly into the buffer: an import reads gigabytes, and a copy would slow it down.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard offset == head.count else {
            let count = min(buffer.count, head.count - offset)
            buffer.copyBytes(from: head[offset..<(offset + count)])
            offset += count
            return count
        }
        return isComplete ? 0 : try read(into: buffer)
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            #if canImport(Glibc)
            let count = Glibc.read(file.fileDescriptor, buffer.baseAddress, buffer.count)
            #elseif canImport(Musl)
            let count = Musl.read(file.fileDescriptor, buffer.baseAddress, buffer.count)
            #elseif canImport(Darwin)
            let count = Darwin.read(file.fileDescriptor, buffer.baseAddress, buffer.count)
            #endif
            if count >= 0 { return count }
            guard errno == EINTR else {
                throw Failure(
                    .inputOutput,
                    "\(name) cannot be read to its end: \(String(cString: strerror(errno)))."
                )
            }
        }
    }

    /// Reads ahead until `count` bytes are buffered or the input ends, and returns all buffered
    /// bytes without consuming them.
    ///
    /// Call it before the first byte is consumed.
    func peek(_ count: Int) throws -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while head.count < count, !isComplete {
            let got = try piece.withUnsafeMutableBytes(read(into:))
            head += piece[..<got]
            isComplete = got == 0
        }
        return head
    }

    /// Reads all remaining bytes.
    ///
    /// - Throws: ``Failure`` if there are more than `limit` bytes.
    func readAll(upTo limit: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let got = try piece.withUnsafeMutableBytes(fill)
            guard got > 0 else { return bytes }
            bytes += piece[..<got]
            guard bytes.count <= limit else {
                throw Failure(
                    .data,
                    "\(name) is longer than \(limit >> 20) MiB, the limit of one object."
                )
            }
        }
    }

    // MARK: Reading again

    /// Continues reading from the start of the input.
    ///
    /// Call ``spool()`` first.
    func rewind() {
        offset = 0
        guard isPlainFile else { return }
        head = []
        isComplete = false
        lseek(file.fileDescriptor, start, SEEK_SET)
    }

    /// Reads a pipe, a terminal or a device to its end, so that reading the document never waits
    /// for the writer and can be repeated.
    ///
    /// Does nothing for regular files. Input of more than 8 MiB is copied to a temporary file that
    /// no other process can open.
    func spool() throws {
        guard !isPlainFile else { return }
        // Input that cannot be JSON is not spooled: the parser rejects its first byte, and a device
        // such as /dev/zero would fill the disk.
        let beginning = try peek(1 << 16).first { !Self.blanks.contains($0) }
        guard let beginning, Self.beginnings.contains(beginning) else {
            isComplete = true
            return
        }
        _ = try peek(Self.memoryLimit)
        guard !isComplete else { return }
        let copy = try temporaryFile()
        try write(head, to: copy)
        head = []
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let got = try piece.withUnsafeMutableBytes(read(into:))
            if got == 0 { break }
            try write(piece[..<got], to: copy)
        }
        file = copy
        start = 0
        isPlainFile = true
        rewind()
    }

    private func temporaryFile() throws -> FileHandle {
        let folder = FileManager.default.temporaryDirectory.path
        var path = Array("\(folder)/tidemark-XXXXXX".utf8CString)
        let number = mkstemp(&path)
        guard number >= 0 else { throw unspooled(errno) }
        // An unlinked file is deleted by the system as soon as the process ends, even if it is
        // killed.
        unlink(path)
        return FileHandle(fileDescriptor: number, closeOnDealloc: true)
    }

    private func write(_ bytes: some Sequence<UInt8>, to copy: FileHandle) throws {
        do {
            try copy.write(contentsOf: Data(bytes))
        } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            throw unspooled(Int32(cause?.code ?? Int(EIO)))
        }
    }

    private func unspooled(_ number: Int32) -> Failure {
        Failure(
            .inputOutput,
            "\(name) cannot be copied to a temporary file in "
                + "\(FileManager.default.temporaryDirectory.path): "
                + "\(String(cString: strerror(number))). Set TMPDIR to a folder with more room."
        )
    }

    /// White space and the bytes of a UTF-8 byte order mark.
    static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]

    /// The bytes with which a JSON value can begin.
    private static let beginnings = Set("{[\"-0123456789tfn".utf8)
}
