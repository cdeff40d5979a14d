import Foundation
package import GRDB
import TidemarkModel
package import TidemarkStore

extension Importer {
    /// Returns a digest of the items that a session has received so far.
    ///
    /// Two reads of a list that did not change between them have the same digest.
    ///
    /// The digest covers the rows of the items, whatever their order.
    ///
    /// - Parameters:
    ///   - db: The connection.
    ///   - session: The session, which was started.
    /// - Returns: The digest as text.
    /// - Throws: `DatabaseError`.
    package func digest(_ db: Database, of session: ImportSession) throws -> String {
        let blocks = try Row.fetchCursor(
            db,
            sql: """
                SELECT mark, block, bits FROM _tidemark_sweep \
                WHERE resource = ? AND mark LIKE 'item:%' ORDER BY mark, block
                """,
            arguments: [session.resource]
        )
        var digest = Fingerprint()
        while let block = try blocks.next() {
            digest.add((block[0] as String).utf8)
            let number: Int64 = block[1]
            // A fixed byte order, because a stored digest may be compared on another machine.
            withUnsafeBytes(of: number.littleEndian) { digest.add($0) }
            digest.add(block[2] as Data)
        }
        return digest.text
    }

    /// Returns whether rows of the list's entity that the list does not contain were inserted after
    /// it was requested: objects that other lists embed.
    package func hasUnlistedRows(_ db: Database, _ session: ImportSession) throws -> Bool {
        let transaction = try SessionTransaction.open(db, session, importer: self)
        let (entity, highest) = (transaction.entity, transaction.highest)
        guard case .children(let parent) = session.scope else {
            return try transaction.run.hasUnlistedRow(of: entity, after: highest)
        }
        return try transaction.unlistedChildren(of: parent).contains { $0 > highest }
    }

    /// Returns how many rows that a list decides about have a primary key, and how many of these
    /// await approval of their deletion.
    package func countKeyed(
        _ db: Database,
        by session: ImportSession
    ) throws -> (rows: Int, pending: Int) {
        let pending = try pendingRows(db, by: session)
        guard case .children(let parent) = session.scope else {
            return (try countKeyed(db, of: session.entity), pending.count)
        }
        let reader = try StoreReader.prepare(db, in: store)
        let entity = try store.layout.entity(session.entity)
        let rows = try StoreWriter.prepare(db, in: store).children(of: parent, in: entity)
            .count { try reader.hasKey($0, of: entity) }
        let difference = try reader.unpushedDifference(
            of: entity,
            linkedBy: entity.relationship(toParent: parent),
            to: parent.row
        )
        return (rows + difference, pending.count)
    }

    /// Returns how many of the rows that a list decides about await approval of their deletion.
    package func pendingRowCount(_ db: Database, by session: ImportSession) throws -> Int {
        try pendingRows(db, by: session).count
    }

    /// Withdraws the pending deletion of the rows that a list decides about, because the service
    /// still has them.
    package func withdrawPending(_ db: Database, by session: ImportSession) throws {
        let table = try store.layout.entity(session.entity).table
        let pending = ImportSession.pendingPrefix + session.decidingResource
        try SeenRows(db, of: pending, layout: store.layout)
            .withdrawPending(RowSet(pendingRows(db, by: session)), in: table)
    }

    /// Returns the rows of the list's own entity that await approval, among those it decides about.
    private func pendingRows(_ db: Database, by session: ImportSession) throws -> [Int64] {
        let entity = try store.layout.entity(session.entity)
        let pending = try pendingRows(db, of: session.decidingResource).byTable[entity.table] ?? []
        guard !pending.isEmpty else { return [] }
        let reader = try StoreReader.prepare(db, in: store)
        let keyed = try pending.filter { try reader.hasKey($0, of: entity) }
        guard case .children(let parent) = session.scope else { return keyed }
        let children = RowSet(
            try StoreWriter.prepare(db, in: store).children(of: parent, in: entity)
        )
        return keyed.filter(children.contains)
    }

    /// Returns the parents of the rows that await approval; nil if not all of these rows are
    /// children.
    ///
    /// - Parameters:
    ///   - db: The connection.
    ///   - resource: The name of the resource.
    ///   - relationship: The to-one relationship that leads to the parent.
    /// - Returns: The row numbers of the parents.
    /// - Throws: `DatabaseError`.
    package func parentsOfPending(
        _ db: Database,
        _ resource: String,
        by relationship: RelationshipLayout
    ) throws -> Set<Int64>? {
        let pending = try pendingRows(db, of: resource).byTable
        guard pending.keys.allSatisfy({ $0 == relationship.table }) else { return nil }
        let reader = try StoreReader.prepare(db, in: store)
        return try Set(
            (pending[relationship.table] ?? []).flatMap { try reader.linked(relationship, of: $0) }
        )
    }

    /// Returns how many rows of an entity have a primary key: only these can be known to a service.
    ///
    /// Rows that were created locally do not count as long as they are not pushed, and rows that
    /// were deleted locally still do.
    ///
    /// - Parameters:
    ///   - db: The connection.
    ///   - entity: The entity. Rows of entities that inherit from it are counted too.
    /// - Returns: The number of rows.
    /// - Throws: `StoreError`, `DatabaseError`.
    package func countKeyed(_ db: Database, of entity: String) throws -> Int {
        let layout = try store.layout.entity(entity)
        let table = store.layout.tables[layout.table]
        let name = table.name.quotedDatabaseIdentifier
        let key = layout.key.map { table.columns[$0].name.quotedDatabaseIdentifier }
        let sql =
            if key.count == 1, layout.familyCondition.isEmpty {
                // SQLite counts all rows of a table without reading them, and finds those without a
                // key in the index on the key.
                "SELECT (SELECT count(*) FROM \(name)) "
                    + "- (SELECT count(*) FROM \(name) WHERE \(key[0]) IS NULL)"
            } else {
                "SELECT count(*) FROM \(name) WHERE "
                    + (key.map { "\($0) IS NOT NULL" } + ["1"]).joined(separator: " AND ")
                    + layout.familyCondition
            }
        let reader = try StoreReader.prepare(db, in: store)
        return try (Int.fetchOne(db, sql: sql) ?? 0) + reader.unpushedDifference(of: layout)
    }
}
