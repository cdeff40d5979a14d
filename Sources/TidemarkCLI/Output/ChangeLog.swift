import Foundation
import TidemarkModel
import TidemarkStore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Writes the changes that a verb commits, a JSON line for each row.
struct ChangeLog: Sendable {
    private enum Target {
        case nothing
        case standardOutput
        case file(FileHandle, path: String)
    }

    private let target: Target

    /// Opens a file, which is made for its owner only; `-` is standard output.
    ///
    /// The file keeps what it holds until a verb has looked whether it may be overwritten.
    ///
    /// - Parameter path: The path of the file; nil where no changes are wanted.
    /// - Throws: ``Failure`` where the file cannot be written.
    init(_ path: String?) throws {
        switch path {
        case nil: target = .nothing
        case "-": target = .standardOutput
        case let path?:
            let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw Self.failure(path, errno) }
            target = .file(
                FileHandle(fileDescriptor: descriptor, closeOnDealloc: true),
                path: path
            )
        }
    }

    // MARK: Recording

    /// Runs a body that changes a store, and writes the changes after it.
    ///
    /// - Parameters:
    ///   - store: The store that the body changes.
    ///   - files: The paths of files that must not be overwritten: the store, and what is read.
    ///   - body: What changes the store.
    /// - Returns: What `body` returns.
    /// - Throws: ``Failure`` where the changes cannot be written; what `body` throws.
    func recording<Result>(
        _ store: Store,
        sparing files: [String],
        _ body: () throws -> Result
    ) throws -> Result {
        guard try begin(sparing: files) else { return try body() }
        let batches = try store.changes()
        let result = try body()
        while let batch = try batches.poll() { try write(batch) }
        return result
    }

    /// Runs a body that changes a store in several commits, and writes the changes meanwhile.
    ///
    /// When they cannot be written any longer, the body is cancelled. However the body ends, what
    /// it has committed is written.
    ///
    /// - Parameters:
    ///   - store: The store that the body changes.
    ///   - files: The paths of files that must not be overwritten.
    ///   - body: What changes the store; what it prints as a result goes where changes do not.
    /// - Throws: ``Failure`` where the changes cannot be written; what `body` throws.
    func recording(
        _ store: Store,
        sparing files: [String],
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard try begin(sparing: files) else { return try await body() }
        let batches: ChangeBatches = try await store.changes()
        // This task is not cancelled with the body, so that no batch is lost.
        let writing = Task { for try await batch in batches { try write(batch) } }
        let stream = reportStream
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { batches.finish() }
                try await Console.$resultStream.withValue(stream, operation: body)
            }
            group.addTask { try await writing.value }
            do {
                try await group.waitForAll()
            } catch {
                batches.finish()
                _ = await writing.result
                throw error
            }
        }
    }

    /// Prints a report where the changes do not go.
    func withReport(_ body: () throws -> Void) rethrows {
        try Console.$resultStream.withValue(reportStream, operation: body)
    }

    private var reportStream: Console.Stream {
        switch target {
        case .standardOutput: .error
        case .nothing, .file: .output
        }
    }

    // MARK: Writing

    /// Empties the file, unless changes were written to it already, and returns whether changes
    /// are wanted.
    private func begin(sparing others: [String]) throws -> Bool {
        switch target {
        case .nothing: return false
        case .standardOutput: return true
        case .file(let handle, let path):
            let own = FileIdentity(handle.fileDescriptor)
            // SQLite keeps its log and its index in companion files.
            let companions = others.flatMap { ["\($0)-wal", "\($0)-shm", "\($0)-journal"] }
            let files = others + companions + others.flatMap(Self.contents)
            if let other = files.first(where: { FileIdentity($0) == own }) {
                throw Failure(
                    .usage,
                    "--changes \(path) would overwrite \(other). Name another file."
                )
            }
            // A pipe and a device have no length. A store may be migrated before it is filled.
            guard own?.isRegular == true, lseek(handle.fileDescriptor, 0, SEEK_CUR) == 0,
                ftruncate(handle.fileDescriptor, 0) != 0
            else { return true }
            throw Self.failure(path, errno)
        }
    }

    /// The files in a folder, such as a Core Data model; none where the path is that of a file.
    private static func contents(of path: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return names.map { "\(path)/\($0)" }
    }

    private func write(_ batch: ChangeBatch) throws {
        var lines = Data()
        for change in batch.changes {
            var writer = JSONWriter()
            change.write(into: &writer)
            writer.drain { lines.append(contentsOf: $0) }
            lines.append(UInt8(ascii: "\n"))
        }
        switch target {
        case .nothing: return
        case .standardOutput: try Console.put(lines, to: .output)
        case .file(let handle, let path):
            do {
                try handle.write(contentsOf: lines)
            } catch {
                let error = error as NSError
                let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
                throw Self.failure(
                    path,
                    Int32(truncatingIfNeeded: cause.code),
                    " What was committed stays in the store."
                )
            }
        }
    }

    private static func failure(_ path: String, _ code: Int32, _ rest: String = "") -> Failure {
        Failure(
            [EACCES, EPERM, EROFS].contains(code) ? .notAllowed : .inputOutput,
            "The changes cannot be written to \(path): \(String(cString: strerror(code))).\(rest)"
        )
    }
}

/// What identifies a file, whatever its path.
private struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64
    let isRegular: Bool

    private init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }

    init?(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}

extension RowChange {
    /// Writes the change as a JSON object.
    fileprivate func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("change")
        writer.string(kind.rawValue)
        writer.key("entity")
        writer.string(entity)
        writer.key("row")
        writer.integer(row)
        writer.key("key")
        write(key?.parts ?? [.null], into: &writer)
        writer.key("properties")
        writer.beginArray()
        for property in properties { writer.string(property) }
        writer.endArray()
        writer.endObject()
    }

    /// Writes the parts of a key: one as it is, several as a list.
    private func write(_ parts: [Value], into writer: inout JSONWriter) {
        guard parts.count != 1 else { return RecordCells.write(parts[0], into: &writer) }
        writer.beginArray()
        for part in parts { RecordCells.write(part, into: &writer) }
        writer.endArray()
    }
}
