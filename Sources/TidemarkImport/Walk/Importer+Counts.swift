import Foundation
public import GRDB
import TidemarkModel
import TidemarkStore

extension Importer {
    /// What tells the items that a walk has been given so far from others: two readings of a list
    /// that has not moved between them have the same.
    ///
    /// It is made of the rows that the items name, whatever their order.
    public func digest(_ db: Database, of walk: Walk) throws -> String {
        let blocks = try Row.fetchCursor(
            db,
            sql: """
                SELECT mark, block, bits FROM _tidemark_sweep \
                WHERE resource = ? AND mark LIKE 'item:%' ORDER BY mark, block
                """,
            arguments: [walk.resource]
        )
        var digest = Fingerprint()
        while let block = try blocks.next() {
            digest.add((block[0] as String).utf8)
            let number: Int64 = block[1]
            withUnsafeBytes(of: number.littleEndian) { digest.add($0) }
            digest.add(block[2] as Data)
        }
        return digest.text
    }

    /// Whether rows of a list's entity were inserted since the list was requested that it has not
    /// named: objects that other lists embed.
    package func hasUnlistedRows(_ db: Database, _ walk: Walk) throws -> Bool {
        let (run, entity, highest) = try open(db, walk, postponedAfter: 0)
        return try run.hasUnnamedRow(entity, after: highest)
    }

    /// How many rows of an entity have a key: those that a service can know of.
    public func countKeyed(_ db: Database, of entity: String) throws -> Int {
        let layout = try store.layout.entity(entity)
        let table = store.layout.tables[layout.table]
        let name = table.name.quotedDatabaseIdentifier
        let key = layout.key.map { table.columns[$0].name.quotedDatabaseIdentifier }
        let sql =
            if key.count == 1, layout.familyCondition.isEmpty {
                // SQLite counts a whole table without looking at its rows, and finds those without
                // a key by the key's index.
                "SELECT (SELECT count(*) FROM \(name)) "
                    + "- (SELECT count(*) FROM \(name) WHERE \(key[0]) IS NULL)"
            } else {
                "SELECT count(*) FROM \(name) WHERE "
                    + (key.map { "\($0) IS NOT NULL" } + ["1"]).joined(separator: " AND ")
                    + layout.familyCondition
            }
        return try Int.fetchOne(db, sql: sql) ?? 0
    }
}
