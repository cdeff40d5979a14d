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
    /// The path as the caller specified it, which is used in errors and passed to SQLite.
    let path: String

    /// Whether a file exists at the path, with symbolic links followed.
    let exists: Bool

    /// Checks a path.
    ///
    /// - Returns: The file, which may not exist.
    /// - Throws: ``StoreError`` if the path is not that of a regular file, or the file is too short
    ///   for a database.
    static func inspect(_ path: String) throws -> StoreFile {
        // SQLite treats these as an in-memory database and as a URI.
        guard !path.isEmpty, path != ":memory:", !path.hasPrefix("file:") else {
            throw StoreError(
                .notAStore,
                "“\(path)” is not the path of a file.",
                hint: "Use one such as ./store.sqlite."
            )
        }
        switch creation.withLock({ status(of: path) }) {
        case .success(let status):
            let file = StoreFile(path: path, exists: true)
            try file.checkContents(status)
            return file
        case .failure(let error) where error.code == .ENOENT || error.code == .ENOTDIR:
            return StoreFile(path: path, exists: false)
        case .failure(let error):
            throw StoreError(
                error.code == .EACCES ? .permissionDenied : .notAStore,
                "The store \(path) cannot be opened: \(reason(error))."
            )
        }
    }

    /// Checks that the file can be a database.
    ///
    /// Opening a FIFO would block the process, and SQLite treats a file of one byte as an empty
    /// database.
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

    /// Whether a killed process left a rollback journal, from which SQLite restores the file.
    ///
    /// The smallest database has one page of 512 bytes. A file that was being written may be
    /// shorter.
    private var hasJournal: Bool { Self.size(of: realPath + "-journal") > 0 }

    static let otherPath = "Choose another path for the store."

    /// The error for a file that is not a SQLite database.
    var notADatabase: StoreError {
        StoreError(.notAStore, "\(path) is not a SQLite database.", hint: Self.otherPath)
    }

    // MARK: Creating

    /// Creates an empty file that only its owner can read and write, unless one exists by now.
    ///
    /// An existing file is never replaced: another process may have created it since the check, and
    /// may have committed rows.
    ///
    /// - Throws: ``StoreError/Code/cannotCreate``.
    func create() throws {
        try Self.creation.withLock { try createUnlocked() }
    }

    /// A lock that is held while a file is created.
    ///
    /// Closing a file descriptor releases all POSIX locks that the process has on the file, so no
    /// other thread may have opened it by then.
    private static let creation = NSLock()

    private func createUnlocked() throws {
        let flags = O_CREAT | O_RDWR | O_CLOEXEC
        var descriptor = open(path, flags | O_EXCL, 0o600)
        if descriptor < 0, errno == EEXIST {
            guard case .failure(let error) = Self.status(of: path), error.code == .ENOENT else {
                return
            }
            // A symbolic link whose target does not exist: this creates the target and keeps the
            // link.
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

    /// Checks that SQLite can write to the file, and create the write-ahead log in its folder.
    ///
    /// - Throws: ``StoreError/Code/permissionDenied``.
    func checkIsWritable() throws {
        for item in [path, folder] where access(item, W_OK) != 0 {
            let error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EACCES)
            throw StoreError(
                .permissionDenied,
                "The store \(path) cannot be written: \(Self.reason(error)).",
                hint: "The file and its folder must be writable."
            )
        }
    }

    // MARK: Reading

    /// Opens a connection that changes neither the file nor its folder.
    ///
    /// If the database is in WAL mode, reads do not wait for writers.
    ///
    /// - Parameter configuration: The configuration of the connection.
    /// - Returns: The connection.
    /// - Throws: ``StoreError/Code/permissionDenied``, `DatabaseError`.
    func openForReading(_ configuration: Configuration) throws -> DatabaseQueue {
        guard access(path, R_OK) == 0 else {
            throw StoreError(
                .permissionDenied,
                "The store \(path) cannot be read: permission denied."
            )
        }
        // A read-only connection creates the log and its index if they are missing, and does not
        // remove them. A writable connection removes them when it is the last to close, but then it
        // also checkpoints frames that a killed process left in the log. So it is used only if the
        // log is empty.
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

    /// The error for a database that SQLite can only read by creating the log's index or by
    /// changing the log or journal, which is not permitted.
    private var unreadable: StoreError {
        // SQLite rebuilds the index of the log (-shm), so it does not have to be copied.
        let companions = ["-wal", "-journal"].filter { Self.size(of: realPath + $0) > 0 }
        let files = ([""] + companions).map { path + $0 }.joined(separator: " and ")
        return StoreError(
            .permissionDenied,
            "The store \(path) cannot be read: SQLite has to write into its folder.",
            hint: "Copy \(files) into a folder that you can write, while no process writes to it."
        )
    }

    /// The URI with which SQLite opens the database without locks, ignoring any log.
    ///
    /// It is only valid for a database that no process can change: otherwise, a read could see
    /// parts of two commits.
    private var immutableURI: String {
        let allowed = CharacterSet.urlPathAllowed
        let path = realPath.addingPercentEncoding(withAllowedCharacters: allowed) ?? realPath
        return "file:\(path)?immutable=1"
    }

    /// Whether neither this process nor any other can change the file.
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
    /// Whether SQLite could not create or change a file next to the database.
    fileprivate var isOwedToFolder: Bool {
        resultCode == .SQLITE_CANTOPEN || resultCode == .SQLITE_READONLY
    }
}

/// Rejects every commit of a connection that was opened for reading.
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
