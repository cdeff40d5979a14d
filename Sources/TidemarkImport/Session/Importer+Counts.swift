import Foundation
package import GRDB
import TidemarkModel
package import TidemarkStore

extension Importer {
    /// What tells the items that a walk has been given so far from others: two readings of a list
    /// that has not moved between them have the same.
    ///
    /// It is made of the rows that the items name, whatever their order.
    ///
    /// - Parameters:
    ///   - db: The connection.
    ///   - walk: The walk, which was begun.
    /// - Returns: The digest as text.
    /// - Throws: `DatabaseError`.
    package func digest(_ db: Database, of walk: ImportSession) throws -> String {
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
    package func hasUnlistedRows(_ db: Database, _ walk: ImportSession) throws -> Bool {
        let (run, entity, highest) = try open(db, walk, postponedAfter: 0)
        guard case .children(let parent) = walk.scope else {
            return try run.hasUnnamedRow(entity, after: highest)
        }
        return try run.unnamedChildren(of: parent, entity).contains { $0 > highest }
    }

    /// How many rows that a list decides about have a key, and how many of these await approval.
    package func countKeyed(
        _ db: Database,
        by walk: ImportSession
    ) throws -> (rows: Int, pending: Int) {
        let pending = try pendingRows(db, by: walk)
        guard case .children(let parent) = walk.scope else {
            return (try countKeyed(db, of: walk.entity), pending.count)
        }
        let (run, entity) = try reading(db, walk)
        let rows = try run.children(of: parent, entity).count {
            try run.reader.hasKey($0, of: entity.plan.entity)
        }
        return (rows, pending.count)
    }

    /// How many of the rows that a list decides about await approval.
    package func pendingRowCount(_ db: Database, by walk: ImportSession) throws -> Int {
        try pendingRows(db, by: walk).count
    }

    /// Withdraws the rows that a list decides about from those that await approval: the service has
    /// them.
    package func withdrawPending(_ db: Database, by walk: ImportSession) throws {
        let table = try store.layout.entity(walk.entity).table
        try SeenRows(db, ImportSession.pendingPrefix + walk.decidingResource, store.layout)
            .withdrawPending(RowSet(pendingRows(db, by: walk)), in: table)
    }

    /// The rows of the list's own entity that await approval, among those it decides about.
    private func pendingRows(_ db: Database, by walk: ImportSession) throws -> [Int64] {
        let table = try store.layout.entity(walk.entity).table
        let pending = try pendingRows(db, of: walk.decidingResource).byTable[table] ?? []
        guard !pending.isEmpty else { return [] }
        let (run, entity) = try reading(db, walk)
        let keyed = try pending.filter { try run.reader.hasKey($0, of: entity.plan.entity) }
        guard case .children(let parent) = walk.scope else { return keyed }
        let children = RowSet(try run.children(of: parent, entity))
        return keyed.filter(children.contains)
    }

    /// The rows whose children some rows that await approval are; nil where not all are children.
    ///
    /// - Parameters:
    ///   - db: The connection.
    ///   - resource: The name of the resource.
    ///   - relationship: The to-one relationship that leads to the parent.
    /// - Returns: The numbers of the parents' rows.
    /// - Throws: `DatabaseError`.
    package func parentsOfPending(
        _ db: Database,
        _ resource: String,
        _ relationship: RelationshipLayout
    ) throws -> Set<Int64>? {
        let pending = try pendingRows(db, of: resource).byTable
        guard pending.keys.allSatisfy({ $0 == relationship.table }) else { return nil }
        let reader = try StoreReader(db, store)
        return try Set(
            (pending[relationship.table] ?? []).flatMap { try reader.linked(relationship, of: $0) }
        )
    }

    /// A run that reads rows outside of a session.
    private func reading(_ db: Database, _ walk: ImportSession) throws -> (ImportRun, EntityImport)
    {
        let run = try ImportRun(
            db,
            self,
            walk.options,
            postponing: RetryQueue(after: 0, limit: 0)
        )
        return (run, try run.entity(store.layout.place(of: walk.entity)))
    }

    /// How many rows of an entity have a key: those that a service can know of.
    ///
    /// - Parameters:
    ///   - db: The connection.
    ///   - entity: The entity; rows of those that inherit from it count too.
    /// - Returns: The number of rows.
    /// - Throws: `StoreError`, `DatabaseError`.
    package func countKeyed(_ db: Database, of entity: String) throws -> Int {
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
