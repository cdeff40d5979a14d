import Foundation
import TidemarkJSON
import TidemarkModel
import TidemarkStore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Writes the changes that a verb commits, as one JSON line per row.
struct ChangeLog: Sendable {
    private enum Target {
        case nothing
        case standardOutput
        case file(FileHandle, path: String)
    }

    private let target: Target

    /// Opens the file, with permissions for its owner only if it is created; `-` is standard
    /// output.
    ///
    /// The contents of an existing file are not removed until ``recording(_:sparing:during:)`` has
    /// checked that it may be overwritten.
    ///
    /// - Parameter path: The path of the file; nil to write no changes.
    /// - Returns: The change log.
    /// - Throws: ``Failure`` if the file cannot be written.
    static func writing(to path: String?) throws -> ChangeLog {
        switch path {
        case nil: return ChangeLog(target: .nothing)
        case "-": return ChangeLog(target: .standardOutput)
        case let path?:
            let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw failure(writing: path, code: errno) }
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            return ChangeLog(target: .file(file, path: path))
        }
    }

    // MARK: Recording

    /// Runs a closure that changes a store, and then writes the changes.
    ///
    /// - Parameters:
    ///   - store: The store that the closure changes.
    ///   - files: The paths of files that must not be overwritten: the store and all input files.
    ///   - body: The closure.
    /// - Returns: The result of `body`.
    /// - Throws: ``Failure`` if the changes cannot be written; the errors of `body`.
    func recording<Result>(
        _ store: Store,
        sparing files: [String],
        during body: () throws -> Result
    ) throws -> Result {
        guard try begin(sparing: files) else { return try body() }
        let batches = try store.changes()
        let result = try body()
        while let batch = try batches.poll() { try write(batch) }
        return result
    }

    /// Runs a closure that changes a store in several commits, and writes the changes concurrently.
    ///
    /// If the changes can no longer be written, the closure is cancelled. Everything that it has
    /// committed is written, even if it throws.
    ///
    /// - Parameters:
    ///   - store: The store that the closure changes.
    ///   - files: The paths of files that must not be overwritten.
    ///   - body: The closure. The results that it prints go to standard error if the changes go to
    ///     standard output.
    /// - Throws: ``Failure`` if the changes cannot be written; the errors of `body`.
    func recording(
        _ store: Store,
        sparing files: [String],
        during body: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard try begin(sparing: files) else { return try await body() }
        let batches: ChangeBatches = try await store.changes()
        // An unstructured task is not cancelled with the closure, so that no batch is lost.
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

    /// Prints a report to standard error if the changes go to standard output.
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

    /// Truncates the file, unless changes have already been written to it.
    ///
    /// Returns whether changes are wanted.
    private func begin(sparing others: [String]) throws -> Bool {
        switch target {
        case .nothing: return false
        case .standardOutput: return true
        case .file(let handle, let path):
            let own = FileIdentity(descriptor: handle.fileDescriptor)
            // SQLite keeps its write-ahead log, its index and its rollback journal in companion
            // files.
            let companions = others.flatMap { ["\($0)-wal", "\($0)-shm", "\($0)-journal"] }
            let files = others + companions + others.flatMap(Self.contents)
            if let own, let other = files.first(where: { FileIdentity(path: $0) == own }) {
                throw Failure(
                    .usage,
                    "--changes \(path) would overwrite \(other). Name another file."
                )
            }
            // Pipes and devices cannot be truncated. The offset is not 0 if a migration wrote
            // changes before.
            guard own?.isRegular == true, lseek(handle.fileDescriptor, 0, SEEK_CUR) == 0,
                ftruncate(handle.fileDescriptor, 0) != 0
            else { return true }
            throw Self.failure(writing: path, code: errno)
        }
    }

    /// Returns the files in a folder, such as a Core Data model; empty if the path is not a folder.
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
                    writing: path,
                    code: Int32(truncatingIfNeeded: cause.code),
                    consequence: " What was committed stays in the store."
                )
            }
        }
    }

    private static func failure(
        writing path: String,
        code: Int32,
        consequence: String = ""
    ) -> Failure {
        Failure(
            [EACCES, EPERM, EROFS].contains(code) ? .notAllowed : .inputOutput,
            "The changes cannot be written to \(path): \(String(cString: strerror(code))).\(consequence)"
        )
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
        writer.integer(rowNumber)
        writer.key("key")
        write(key?.parts ?? [.null], into: &writer)
        writer.key("properties")
        writer.beginArray()
        for property in properties { writer.string(property) }
        writer.endArray()
        writer.endObject()
    }

    /// Writes a key: a single part as a value, several parts as an array.
    private func write(_ parts: [Value], into writer: inout JSONWriter) {
        guard parts.count != 1 else { return RecordCells.write(parts[0], into: &writer) }
        writer.beginArray()
        for part in parts { RecordCells.write(part, into: &writer) }
        writer.endArray()
    }
}
