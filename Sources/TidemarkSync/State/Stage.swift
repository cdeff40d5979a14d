import Foundation
import GRDB
import TidemarkModel

/// The bytes of a page that is too long for memory: kept in the store in pieces, each written in a
/// short transaction, until the page is applied.
struct Stage: Sendable {
    /// The path of the resource whose page it is.
    let resource: String

    /// How many bytes one piece has at most.
    static let pieceBytes = 1 << 20

    /// Writes a piece.
    func write(_ db: Database, _ bytes: [UInt8], at offset: Int) throws {
        try db.cachedStatement(
            sql: "INSERT INTO _tidemark_stage (resource, offset, bytes) VALUES (?, ?, ?)"
        )
        .execute(arguments: [resource, offset, Data(bytes)])
    }

    /// Forgets the pieces that end before an offset.
    func drop(_ db: Database, before offset: Int) throws {
        try db.cachedStatement(
            sql: "DELETE FROM _tidemark_stage WHERE resource = ? AND offset <= ?"
        )
        .execute(arguments: [resource, offset - Self.pieceBytes])
    }

    /// The resources of which there are pieces.
    static func resources(_ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT DISTINCT resource FROM _tidemark_stage")
    }

    /// Forgets some pieces, for all of them at once may take long; returns whether there were any.
    func dropSome(_ db: Database) throws -> Bool {
        try db.cachedStatement(
            sql: """
                DELETE FROM _tidemark_stage WHERE resource = ?1 AND offset IN (\
                SELECT offset FROM _tidemark_stage WHERE resource = ?1 ORDER BY offset LIMIT 32)
                """
        )
        .execute(arguments: [resource])
        return db.changesCount > 0
    }

    /// What reads the bytes from an offset on, as `JSONItemReader` asks for them.
    func reader(_ db: Database, from offset: Int) -> (UnsafeMutableRawBufferPointer) throws -> Int {
        let reading = StageReading(db, resource, offset)
        return { try reading.fill($0) }
    }
}

/// The pieces of a stage, read one after the other.
private final class StageReading {
    private let db: Database
    private let resource: String
    private var offset: Int
    private var piece = Data()

    init(_ db: Database, _ resource: String, _ offset: Int) {
        self.db = db
        self.resource = resource
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
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT offset, bytes FROM _tidemark_stage \
                    WHERE resource = ? AND offset <= ? ORDER BY offset DESC LIMIT 1
                    """
            ),
            arguments: [resource, offset]
        )
        guard let row else { return nil }
        let begin: Int = row[0]
        let bytes: Data = row[1]
        return begin + bytes.count > offset ? bytes.dropFirst(offset - begin) : nil
    }
}
