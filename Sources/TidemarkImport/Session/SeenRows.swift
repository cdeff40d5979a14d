import Foundation
import GRDB
import TidemarkStore

/// The rows that an import session has seen, stored between its transactions.
///
/// A record is a block of bits over row numbers, with a mark that says what the bits mean. Blocks
/// are written in the transaction of the rows that they describe, so that a session that is
/// interrupted by a crash resumes with the state of its last commit.
struct SeenRows {
    private let db: Database
    private let resource: String
    private let layout: StoreLayout

    /// The meaning of a block.
    ///
    /// The raw values are part of the store's format, followed by the name of a table or, for
    /// ``removed``, of a relationship.
    private enum Mark: String {
        /// The list contains the row.
        case seen
        /// The row was removed from its parent's list of a relationship.
        case removed = "left"
        /// The row has no key and has lost a link.
        case unlinked
        /// The list has an object that may be any row of the table.
        case unidentified = "nameless"
        /// The row belongs to an item of the list.
        case item
        /// The service reported the row's object as deleted.
        case reportedDeleted = "gone"
        /// The deletion of the row awaits approval.
        case pending
        /// The deletion of the rows that await approval was rejected.
        case rejected
        /// No guard decides about the rows that await approval.
        case held
        /// The block number is the highest row number of the table when the list was requested.
        case highest
    }

    init(_ db: Database, of resource: String, layout: StoreLayout) {
        self.db = db
        self.resource = resource
        self.layout = layout
    }

    // MARK: A transaction of the session

    /// Loads the marks of earlier transactions.
    func load(into transaction: SessionTransaction) throws {
        let run = transaction.run
        let blocks = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT mark, block, bits FROM _tidemark_sweep WHERE resource = ?"
            ),
            arguments: [resource]
        )
        while let block = try blocks.next() {
            guard let (mark, subject) = Self.parse(block[0]) else { continue }
            let (number, bits): (Int64, Data) = (block[1], block[2])
            func add(to rows: RowSet) { rows.add(block: number, bytes: Array(bits)) }
            if mark == .removed {
                let rows = run.unlisted.children[subject] ?? RowSet()
                add(to: rows)
                run.unlisted.children[subject] = rows
            }
            if mark == .rejected { transaction.restoreRejection() }
            if mark == .held { transaction.restoreHold() }
            // Marks of tables that the model no longer has are ignored.
            guard let index = table(named: subject) else { continue }
            let table = run.table(index)
            switch mark {
            case .removed, .rejected, .held: break
            case .seen: add(to: table.seen)
            case .unlinked: add(to: run.writer.unlinked(in: index))
            case .unidentified: table.hasUnidentifiedObject = true
            case .item: add(to: table.earlierItems)
            case .reportedDeleted: add(to: table.reportedDeleted)
            case .pending: add(to: table.pending)
            case .highest: transaction.restore(storedRow: number, ofTable: index)
            }
        }
    }

    /// Saves the marks that a run has added.
    func save(_ run: ImportRun) throws {
        for (index, table) in run.usedTables {
            try save(table.seen, as: name(.seen, of: index))
            try save(table.reportedDeleted, as: name(.reportedDeleted, of: index))
            if table.hasUnidentifiedObject { try write(name(.unidentified, of: index)) }
            // A stored block is replaced, so it must include the items of earlier transactions.
            for row in table.items.rows { table.earlierItems.insert(row) }
            try save(table.earlierItems, as: name(.item, of: index))
        }
        for (relationship, rows) in run.unlisted.children.sorted(by: { $0.key < $1.key }) {
            try save(rows, as: "\(Mark.removed.rawValue):\(relationship)")
        }
        for (table, rows) in run.writer.unlinked.sorted(by: { $0.key < $1.key }) {
            try save(rows, as: name(.unlinked, of: table))
        }
    }

    private func save(_ rows: RowSet, as mark: String) throws {
        // A transaction touches few of the blocks, of 8 KiB each: the others are not written again.
        for (number, bytes) in rows.takeChangedBlocks() {
            try write(mark, block: number, bits: bytes)
        }
    }

    /// Records which rows were stored when the pull started.
    ///
    /// Rows that it inserts itself do not count towards the limits of a guard.
    func save(_ stored: StoredRows) throws {
        for (table, row) in stored.highest.sorted(by: { $0.key < $1.key }) {
            try write("\(Mark.highest.rawValue):\(table)", block: row)
        }
    }

    /// Passes the children that were removed from a list, and the rows without a key that lost a
    /// link, on to a session that starts over.
    ///
    /// The new session would not find them: they are already unlinked, and no list contains them.
    /// Children that a list has contained since are not passed on.
    func keepRemovedChildren(_ begin: () throws -> Void) throws {
        let removed = try Row.fetchAll(
            db,
            sql: """
                SELECT mark, block, bits FROM _tidemark_sweep \
                WHERE resource = ? AND (mark LIKE ? OR mark LIKE ?)
                """,
            arguments: [resource, "\(Mark.removed.rawValue):%", "\(Mark.unlinked.rawValue):%"]
        )
        let kept = try removed.compactMap { block -> (String, Int64, [UInt8])? in
            let (name, number, bits): (String, Int64, Data) = (block[0], block[1], block[2])
            guard let (mark, subject) = Self.parse(name) else { return nil }
            if mark == .unlinked {
                return table(named: subject).map { _ in (name, number, Array(bits)) }
            }
            guard let relationship = layout.relationships[subject] else { return nil }
            let destination = layout.entities[relationship.destination]
            let seen = try stored(.seen, of: destination.table, block: number)
            return (name, number, Array(bits).subtracting(seen))
        }
        // Deletes the marks of the session, which refer to it with ON DELETE CASCADE.
        try begin()
        for (mark, number, bits) in kept { try write(mark, block: number, bits: bits) }
    }

    // MARK: Other sessions

    /// Returns whether the list contains a row.
    func hasSeen(_ row: Int64, in table: Int) throws -> Bool {
        for (number, _) in RowSet([row]).allBlocks() {
            let seen = RowSet()
            seen.add(block: number, bytes: try stored(.seen, of: table, block: number))
            if seen.contains(row) { return true }
        }
        return false
    }

    /// Adds rows that another session has seen: they count as seen by this session, too, and their
    /// deletion is no longer pending.
    func merge(_ rows: RowSet, in table: Int) throws {
        try add(rows, as: .seen, in: table)
        try withdrawPending(rows, in: table)
    }

    /// Adds rows to those whose deletion awaits approval.
    func addPending(_ rows: [Int: [Int64]]) throws {
        for (table, numbers) in rows.sorted(by: { $0.key < $1.key }) {
            try add(RowSet(numbers), as: .pending, in: table)
        }
    }

    private func add(_ rows: RowSet, as mark: Mark, in table: Int) throws {
        for (number, bytes) in rows.allBlocks() {
            let all = RowSet()
            all.add(block: number, bytes: try stored(mark, of: table, block: number))
            all.add(block: number, bytes: bytes)
            for (number, bytes) in all.allBlocks() {
                try write(name(mark, of: table), block: number, bits: bytes)
            }
        }
    }

    /// Adds rows that the list of one parent lacks to those that the session of its resource
    /// gathers.
    ///
    /// The later list decides: a row that an earlier list contained is marked as not seen.
    func gather(_ rows: [Int: [Int64]]) throws {
        try addPending(rows)
        for (table, numbers) in rows { try remove(RowSet(numbers), from: .seen, in: table) }
    }

    /// Removes rows from those whose deletion awaits approval, because a list contains them.
    func withdrawPending(_ rows: RowSet, in table: Int) throws {
        try remove(rows, from: .pending, in: table)
    }

    private func remove(_ rows: RowSet, from mark: Mark, in table: Int) throws {
        for (number, removed) in rows.allBlocks() {
            let bits = try stored(mark, of: table, block: number)
            let rest = bits.subtracting(removed)
            if rest != bits { try write(name(mark, of: table), block: number, bits: rest) }
        }
    }

    /// Records whether the deletion of the rows that await approval was rejected.
    func setRejected(_ isRejected: Bool, for entity: EntityLayout) throws {
        try set(.rejected, isRejected, for: entity)
    }

    /// Records whether a guard may decide about the rows that await approval.
    func setHeld(_ isHeld: Bool, for entity: EntityLayout) throws {
        try set(.held, isHeld, for: entity)
    }

    private func set(_ mark: Mark, _ isSet: Bool, for entity: EntityLayout) throws {
        let mark = name(mark, of: entity.table)
        guard !isSet else { return try write(mark) }
        try db.execute(
            sql: "DELETE FROM _tidemark_sweep WHERE resource = ? AND mark = ?",
            arguments: [resource, mark]
        )
    }

    // MARK: Blocks

    /// Returns the stored bits of a block; empty if there is no such block.
    private func stored(_ mark: Mark, of table: Int, block: Int64) throws -> [UInt8] {
        let bits = try Data.fetchOne(
            db,
            sql: "SELECT bits FROM _tidemark_sweep WHERE resource = ? AND mark = ? AND block = ?",
            arguments: [resource, name(mark, of: table), block]
        )
        return bits.map(Array.init) ?? []
    }

    private func write(_ mark: String, block: Int64 = 0, bits: [UInt8] = []) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_sweep (resource, mark, block, bits) VALUES (?, ?, ?, ?) \
                ON CONFLICT DO UPDATE SET bits = excluded.bits
                """
        ).execute(arguments: [resource, mark, block, Data(bits)])
    }

    private func name(_ mark: Mark, of table: Int) -> String {
        "\(mark.rawValue):\(layout.tables[table].name)"
    }

    private func table(named name: String) -> Int? {
        layout.tables.firstIndex { $0.name == name }
    }

    /// Parses a mark and the name of the table or relationship that it is about.
    private static func parse(_ name: String) -> (mark: Mark, subject: String)? {
        let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let mark = Mark(rawValue: parts[0]) else { return nil }
        return (mark, parts[1])
    }
}

extension [UInt8] {
    /// Returns the bits that are not set in another block.
    fileprivate func subtracting(_ other: [UInt8]) -> [UInt8] {
        enumerated().map { $1 & ~($0 < other.count ? other[$0] : 0) }
    }
}

extension ImportRun {
    /// Marks the rows of this transaction as seen in the other open sessions.
    ///
    /// Only a list of an entity decides which rows the entity has: an object embedded in another
    /// list does not prove that its own list contains it. So a session takes over rows in the table
    /// of its own list only from lists of that table.
    ///
    /// - Parameters:
    ///   - own: The name of the session of this transaction; nil for an import of one document.
    ///   - entity: The entity of the list that the transaction reads.
    /// - Throws: `DatabaseError`.
    func markSeenInOtherSessions(than own: String?, from entity: EntityImport) throws {
        let sessions = try Row.fetchAll(
            writer.db.cachedStatement(
                sql: "SELECT resource, entity FROM _tidemark_walk WHERE resource IS NOT ?"
            ),
            arguments: [own]
        )
        for session in sessions {
            let seen = SeenRows(writer.db, of: session[0], layout: layout)
            let listed = layout.index(of: session[1]).map { layout.entities[$0].table }
            for (table, progress) in usedTables {
                guard table != listed || table == entity.plan.entity.table else { continue }
                try seen.merge(progress.firstSeen, in: table)
                try seen.merge(progress.seenAgain, in: table)
            }
        }
    }
}
