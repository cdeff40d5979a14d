import Foundation
import GRDB

/// The bytes of a page that is too long for memory, until the page is applied.
///
/// They are in a temporary database of their own, in pieces. SQLite keeps a database without a name
/// in a file without a name, which the system removes when the connection closes or the process is
/// killed: a page that is rejected leaves nothing in the store.
final class Spool: Sendable {
    private let database: DatabaseQueue

    /// How many bytes one piece has at most.
    static let pieceBytes = 1 << 20

    /// Creates an empty stage.
    ///
    /// - Throws: `DatabaseError`.
    init() throws {
        var configuration = Configuration()
        configuration.label = "tidemark-stage"
        configuration.prepareDatabase { db in
            // Nothing of it is read after a crash, and nothing is rolled back.
            try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        }
        database = try DatabaseQueue(path: "", configuration: configuration)
        try database.writeWithoutTransaction { db in
            try db.execute(
                sql: "CREATE TABLE piece (offset INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT"
            )
        }
    }

    /// Writes a piece.
    ///
    /// - Throws: `DatabaseError`, `CancellationError`.
    func write(_ bytes: [UInt8], at offset: Int) async throws {
        try await database.writeWithoutTransaction { db in
            try db.cachedStatement(sql: "INSERT INTO piece (offset, bytes) VALUES (?, ?)")
                .execute(arguments: [offset, Data(bytes)])
        }
    }

    /// What reads the bytes from an offset on, as `JSONItemReader` asks for them.
    func reader(from offset: Int) -> (UnsafeMutableRawBufferPointer) throws -> Int {
        let reading = SpoolReader(database, offset)
        return { try reading.fill($0) }
    }
}

/// The pieces of a stage, read one after the other.
private final class SpoolReader {
    private let database: DatabaseQueue
    private var offset: Int
    private var piece = Data()

    init(_ database: DatabaseQueue, _ offset: Int) {
        self.database = database
        self.offset = offset
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        if piece.isEmpty { piece = try next() ?? Data() }
        let part = piece.prefix(buffer.count)
        part.withUnsafeBytes { buffer.copyMemory(from: $0) }
        piece = piece.dropFirst(part.count)
        offset += part.count
        return part.count
    }

    /// What is left of the piece that holds the offset; nil at the end.
    private func next() throws -> Data? {
        let row = try database.read { [offset] db in
            try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT offset, bytes FROM piece WHERE offset <= ? \
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
