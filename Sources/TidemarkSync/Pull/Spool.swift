import Foundation
import GRDB

/// A temporary file for the body of a page that is too long for memory, until the page is applied.
///
/// The file is a temporary SQLite database with the body in chunks. A database without a name is
/// stored in a file without a name, which the system removes when the connection closes or the
/// process is killed. So a rejected page leaves nothing behind, and nothing in the store.
final class Spool: Sendable {
    private let database: DatabaseQueue

    /// The maximum size of a chunk in bytes (1 MiB).
    static let chunkBytes = 1 << 20

    private init(_ database: DatabaseQueue) { self.database = database }

    /// Creates an empty spool.
    ///
    /// - Throws: `DatabaseError`.
    static func create() throws -> Spool {
        var configuration = Configuration()
        configuration.label = "tidemark-spool"
        configuration.prepareDatabase { db in
            // The file is never read after a crash, and its transactions are never rolled back.
            try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        }
        let database = try DatabaseQueue(path: "", configuration: configuration)
        try database.writeWithoutTransaction { db in
            try db.execute(
                sql: "CREATE TABLE chunk (offset INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT"
            )
        }
        return Spool(database)
    }

    /// Writes a chunk that begins at an offset of the body.
    ///
    /// - Throws: `DatabaseError`, `CancellationError`.
    func write(_ bytes: [UInt8], at offset: Int) async throws {
        try await database.writeWithoutTransaction { db in
            try db.cachedStatement(sql: "INSERT INTO chunk (offset, bytes) VALUES (?, ?)")
                .execute(arguments: [offset, Data(bytes)])
        }
    }

    /// Returns a function that reads the body from an offset on, as `JSONItemReader` requires it.
    func reader(from offset: Int) -> (UnsafeMutableRawBufferPointer) throws -> Int {
        let reading = SpoolReader(database, from: offset)
        return { try reading.fill($0) }
    }
}

/// A sequential reader of the chunks of a spool.
private final class SpoolReader {
    private let database: DatabaseQueue
    private var offset: Int
    private var chunk = Data()

    init(_ database: DatabaseQueue, from offset: Int) {
        self.database = database
        self.offset = offset
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        if chunk.isEmpty { chunk = try next() ?? Data() }
        let part = chunk.prefix(buffer.count)
        part.withUnsafeBytes { buffer.copyMemory(from: $0) }
        chunk = chunk.dropFirst(part.count)
        offset += part.count
        return part.count
    }

    /// Returns the rest of the chunk that contains the offset; nil at the end.
    private func next() throws -> Data? {
        // Offsets are primary keys, so that this is one lookup in the B-tree.
        let row = try database.read { [offset] db in
            try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT offset, bytes FROM chunk WHERE offset <= ? \
                        ORDER BY offset DESC LIMIT 1
                        """
                ),
                arguments: [offset]
            )
        }
        guard let row else { return nil }
        let begin: Int = row[0]
        let bytes: Data = row[1]
        return begin + bytes.count > offset ? bytes.dropFirst(offset - begin) : nil
    }
}
