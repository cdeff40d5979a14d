import Foundation
import GRDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Android)
import Android
#endif

/// The file at a store's path, which is checked before SQLite opens it.
struct StoreFile {
    /// The path as the caller gave it: errors name it, and SQLite opens it.
    let path: String

    /// Whether there is something at the path, links being followed.
    let exists: Bool

    /// Checks a path.
    ///
    /// - Throws: ``StoreError`` when the path is not that of a file, or the file is too short for a
    ///   database.
    init(_ path: String) throws {
        // SQLite reads these as a database in memory and as a URI.
        guard !path.isEmpty, path != ":memory:", !path.hasPrefix("file:") else {
            throw StoreError(
                .notAStore,
                "“\(path)” is not the path of a file.",
                hint: "Use one such as ./store.sqlite."
            )
        }
        self.path = path
        switch Self.creation.withLock({ Self.status(of: path) }) {
        case .success(let status):
            exists = true
            try checkContents(status)
        case .failure(let error) where error.code == .ENOENT || error.code == .ENOTDIR:
            exists = false
        case .failure(let error):
            throw StoreError(
                error.code == .EACCES ? .notPermitted : .notAStore,
                "The store \(path) cannot be opened: \(Self.reason(error))."
            )
        }
    }

    /// A FIFO would block the process that opens it, and SQLite takes a file of one byte for an
    /// empty one.
    private func checkContents(_ status: stat) throws {
        let type = status.st_mode & S_IFMT
        guard type == S_IFREG else {
            throw StoreError(
                .notAStore,
                type == S_IFDIR ? "\(path) is a folder." : "\(path) is not a regular file.",
                hint: Self.otherPath
            )
        }
        guard status.st_size == 0 || status.st_size >= 512 || hasJournal else {
            throw notADatabase
        }
    }

    /// Whether a process that was killed left a journal, by which SQLite restores the file.
    ///
    /// The smallest database has one page of 512 bytes; one that was being written may be shorter.
    private var hasJournal: Bool { Self.size(of: realPath + "-journal") > 0 }

    static let otherPath = "Choose another path for the store."

    /// The file holds something else.
    var notADatabase: StoreError {
        StoreError(.notAStore, "\(path) is not a SQLite database.", hint: Self.otherPath)
    }

    // MARK: Creating

    /// Creates an empty file that only its owner can read and write, unless there is one by now.
    ///
    /// A file is never replaced: another process may have created it since the check, and have
    /// committed rows.
    ///
    /// - Throws: ``StoreError/Code/cannotCreate``.
    func create() throws {
        try Self.creation.withLock { try createUnlocked() }
    }

    /// Held while a file is created: closing a descriptor of a file releases all locks that this
    /// process has on it, so no thread may have opened the file by then.
    private static let creation = NSLock()

    private func createUnlocked() throws {
        let flags = O_CREAT | O_RDWR | O_CLOEXEC
        var descriptor = open(path, flags | O_EXCL, 0o600)
        if descriptor < 0, errno == EEXIST {
            guard case .failure(let error) = Self.status(of: path), error.code == .ENOENT else {
                return
            }
            // A link whose target does not exist: the target is created, and the link stays.
            descriptor = open(path, flags, 0o600)
        }
        guard descriptor >= 0 else {
            let error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            throw StoreError(
                .cannotCreate,
                "The store \(path) cannot be created: \(Self.reason(error)).",
                hint: "Its folder must exist and be writable."
            )
        }
        close(descriptor)
    }

    /// Checks that SQLite can write the file, and the log in the same folder.
    ///
    /// - Throws: ``StoreError/Code/notPermitted``.
    func checkIsWritable() throws {
        for place in [path, folder] where access(place, W_OK) != 0 {
            let error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EACCES)
            throw StoreError(
                .notPermitted,
                "The store \(path) cannot be written: \(Self.reason(error)).",
                hint: "The file and its folder must be writable."
            )
        }
    }

    // MARK: Reading

    /// Opens a connection that leaves the file and its folder as they are, and waits for no writer
    /// where the database has a write-ahead log.
    ///
    /// - Parameter configuration: the settings of the connection.
    /// - Returns: the connection.
    /// - Throws: ``StoreError/Code/notPermitted``, `DatabaseError`.
    func openForReading(_ configuration: Configuration) throws -> DatabaseQueue {
        guard access(path, R_OK) == 0 else {
            throw StoreError(.notPermitted, "The store \(path) cannot be read: permission denied.")
        }
        // A connection that cannot write creates the log and its index where they are missing, and
        // leaves them behind; one that can removes them when it is the last to close. Frames that
        // a killed process left in the log would be written into the database then.
        if logSize == 0, access(path, W_OK) == 0, access(folder, W_OK) == 0 {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            queue.add(transactionObserver: CommitRefusal(), extent: .databaseLifetime)
            return queue
        }
        var configuration = configuration
        configuration.readonly = true
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch let error as DatabaseError where error.isOwedToFolder {
            guard logSize == 0, !hasJournal, isUnchangeable else { throw unreadable }
            return try DatabaseQueue(path: immutableURI, configuration: configuration)
        }
    }

    /// SQLite has to create the index of the log, or to change the log, and cannot.
    private var unreadable: StoreError {
        // The index can be rebuilt, and is of no use elsewhere.
        let companions = ["-wal", "-journal"].filter { Self.size(of: realPath + $0) > 0 }
        let files = ([""] + companions).map { path + $0 }.joined(separator: " and ")
        return StoreError(
            .notPermitted,
            "The store \(path) cannot be read: SQLite has to write into its folder.",
            hint: "Copy \(files) into a folder that you can write, while no process writes to it."
        )
    }

    /// The URI by which SQLite opens the database without locks and without looking for a log.
    ///
    /// Only for a database that no process can change: its reader would see parts of two commits.
    private var immutableURI: String {
        let allowed = CharacterSet.urlPathAllowed
        let path = realPath.addingPercentEncoding(withAllowedCharacters: allowed) ?? realPath
        return "file:\(path)?immutable=1"
    }

    /// Whether no process, not only this one, can change the file.
    private var isUnchangeable: Bool {
        guard case .success(let status) = Self.status(of: realPath) else { return false }
        return FileSystem.isReadOnly(realPath, device: UInt64(truncatingIfNeeded: status.st_dev))
    }

    private var realPath: String { URL(filePath: path).resolvingSymlinksInPath().path }

    private var folder: String { URL(filePath: realPath).deletingLastPathComponent().path }

    private var logSize: Int64 { Self.size(of: realPath + "-wal") }

    // MARK: System calls

    private static func size(of path: String) -> Int64 {
        guard case .success(let status) = status(of: path) else { return 0 }
        return Int64(status.st_size)
    }

    private static func status(of path: String) -> Result<stat, POSIXError> {
        var status = stat()
        guard stat(path, &status) == 0 else {
            return .failure(POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
        }
        return .success(status)
    }

    private static func reason(_ error: POSIXError) -> String {
        String(cString: strerror(error.code.rawValue))
    }
}

extension DatabaseError {
    /// Whether SQLite could not create or change a file beside the database.
    fileprivate var isOwedToFolder: Bool {
        resultCode == .SQLITE_CANTOPEN || resultCode == .SQLITE_READONLY
    }
}

/// Refuses every commit of a connection that was opened for reading.
private final class CommitRefusal: TransactionObserver {
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseWillCommit() throws {
        throw DatabaseError(
            resultCode: .SQLITE_READONLY,
            message: "The store was opened for reading."
        )
    }

    func databaseDidCommit(_ db: Database) {}

    func databaseDidRollback(_ db: Database) {}
}
