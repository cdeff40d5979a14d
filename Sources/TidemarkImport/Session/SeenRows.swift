import Foundation
import GRDB
import TidemarkStore

/// The rows that an import session has seen, stored between its transactions.
///
/// The marks are blocks of bits over row numbers. They are written in the transaction of the rows
/// that they describe, so that a session that is interrupted by a crash resumes with the state of
/// its last commit.
struct SeenRows {
    private let db: Database
    private let resource: String
    private let layout: StoreLayout

    /// The meaning of a bit in a block.
    private enum Mark: String, CaseIterable {
        /// The list contains the row.
        case seen
        /// The row was removed from its parent's list of a relationship.
        case left
        /// The row has no key and has lost a link.
        case unlinked
        /// The list has an object that may be any row of the table.
        case nameless
        /// The row belongs to an item of the list.
        case item
        /// The service reported the row's object as deleted.
        case gone
        /// The deletion of the row awaits approval.
        case pending
        /// The deletion of the rows that await approval was rejected.
        case rejected
        /// The block number is the highest row number of the table when the list was requested.
        case highest
    }

    init(_ db: Database, _ resource: String, _ layout: StoreLayout) {
        self.db = db
        self.resource = resource
        self.layout = layout
    }

    /// Passes the children that were removed from a list, and the rows without a key that lost a
    /// link, on to a session that starts over.
    ///
    /// The new session would not find them: they are already unlinked, and no list contains them.
    /// Children that a list has contained since are not passed on.
    func keepLeftOut(_ begin: () throws -> Void) throws {
        let left = try Row.fetchAll(
            db,
            sql: """
                SELECT mark, block, bits FROM _tidemark_sweep \
                WHERE resource = ? AND (mark LIKE ? OR mark LIKE ?)
                """,
            arguments: [resource, "\(Mark.left.rawValue):%", "\(Mark.unlinked.rawValue):%"]
        )
        let kept = try left.compactMap { block -> (mark: String, number: Int64, bits: [UInt8])? in
            let mark: String = block[0]
            let bits: Data = block[2]
            if case .unlinked? = place(mark) { return (mark, block[1], Array(bits)) }
            guard case .left(let name)? = place(mark), let relationship = layout.relationships[name]
            else { return nil }
            let table = layout.entities[relationship.destination].table
            let named = try stored(.seen, table, block[1])
            let rest = bits.enumerated().map { $1 & ~($0 < named.count ? named[$0] : 0) }
            return (mark, block[1], rest)
        }
        // Deletes the marks of the session, which refer to it with ON DELETE CASCADE.
        try begin()
        for block in kept { try write(block.mark, block.number, block.bits) }
    }

    /// Returns the stored bits of a block; empty if there is no such block.
    private func stored(_ mark: Mark, _ table: Int, _ block: Int64) throws -> [UInt8] {
        let bits = try Data.fetchOne(
            db,
            sql: "SELECT bits FROM _tidemark_sweep WHERE resource = ? AND mark = ? AND block = ?",
            arguments: [resource, name(mark, table), block]
        )
        return bits.map(Array.init) ?? []
    }

    /// Loads the marks of earlier transactions into a run.
    func load(into run: ImportRun) throws {
        let blocks = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT mark, block, bits FROM _tidemark_sweep WHERE resource = ?"
            ),
            arguments: [resource]
        )
        while let block = try blocks.next() {
            let name: String = block[0]
            // Marks of tables that the model no longer has are ignored.
            guard let place = place(name) else { continue }
            let bits: Data = block[2]
            switch place {
            case .seen(let table):
                run.marks(\.seen, in: table).add(block: block[1], bytes: Array(bits))
            case .left(let relationship):
                run.leftOut(of: relationship).add(block: block[1], bytes: Array(bits))
            case .unlinked(let table):
                run.writer.unlinked(in: table).add(block: block[1], bytes: Array(bits))
            case .nameless(let table):
                run.namelessTables.insert(table)
            case .item(let table):
                run.marks(\.itemsBefore, in: table).add(block: block[1], bytes: Array(bits))
            case .gone(let table):
                run.marks(\.gone, in: table).add(block: block[1], bytes: Array(bits))
            case .pending(let table):
                run.marks(\.pending, in: table).add(block: block[1], bytes: Array(bits))
            case .rejected:
                run.isDeletionRejected = true
            case .highest(let table):
                run.highest[table] = block[1]
            }
        }
    }

    /// Saves the marks that a run has added.
    func save(_ run: ImportRun) throws {
        for (table, rows) in run.seen.sorted(by: { $0.key < $1.key }) {
            try save(rows, as: name(.seen, table))
        }
        for (relationship, rows) in run.leftOut.sorted(by: { $0.key < $1.key }) {
            try save(rows, as: "\(Mark.left.rawValue):\(relationship)")
        }
        for (table, rows) in run.writer.unlinked.sorted(by: { $0.key < $1.key }) {
            try save(rows, as: name(.unlinked, table))
        }
        for table in run.namelessTables.sorted() { try write(name(.nameless, table), 0, []) }
        for (table, rows) in run.gone.sorted(by: { $0.key < $1.key }) {
            try save(rows, as: name(.gone, table))
        }
        for (table, rows) in run.items.sorted(by: { $0.key < $1.key }) {
            // A stored block is replaced, so it must include the items of earlier transactions.
            let items = run.marks(\.itemsBefore, in: table)
            for row in rows.rows { items.insert(row) }
            try save(items, as: name(.item, table))
        }
    }

    /// Records which rows were stored when the pull started.
    ///
    /// Rows that it inserts itself do not count towards the limits of a guard.
    func save(_ stored: StoredRows) throws {
        for (table, row) in stored.highest.sorted(by: { $0.key < $1.key }) {
            try write("\(Mark.highest.rawValue):\(table)", row, [])
        }
    }

    /// Adds rows to those whose deletion awaits approval.
    func addPending(_ rows: [Int: [Int64]]) throws {
        for (table, numbers) in rows.sorted(by: { $0.key < $1.key }) {
            let all = RowSet(numbers)
            for (number, _) in all.allBlocks() {
                all.add(block: number, bytes: try stored(.pending, table, number))
            }
            for (number, bytes) in all.allBlocks() {
                try write(name(.pending, table), number, bytes)
            }
        }
    }

    /// Records whether the deletion of the rows that await approval was rejected.
    func setRejected(_ isRejected: Bool, _ entity: EntityLayout) throws {
        let mark = name(.rejected, entity.table)
        guard !isRejected else { return try write(mark, 0, []) }
        try db.execute(
            sql: "DELETE FROM _tidemark_sweep WHERE resource = ? AND mark = ?",
            arguments: [resource, mark]
        )
    }

    /// Adds rows that the list of one parent lacks to those that the session of its resource
    /// gathers.
    ///
    /// The later list decides: a row that an earlier list contained is marked as not seen.
    func gather(_ rows: [Int: [Int64]]) throws {
        try addPending(rows)
        for (table, numbers) in rows {
            for (number, bytes) in RowSet(numbers).allBlocks() {
                let named = try stored(.seen, table, number)
                let rest = named.enumerated().map { $1 & ~($0 < bytes.count ? bytes[$0] : 0) }
                if rest != named { try write(name(.seen, table), number, rest) }
            }
        }
    }

    /// Returns whether the list contains a row.
    func hasNamed(_ row: Int64, in table: Int) throws -> Bool {
        for (number, _) in RowSet([row]).allBlocks() {
            let named = RowSet()
            named.add(block: number, bytes: try stored(.seen, table, number))
            if named.contains(row) { return true }
        }
        return false
    }

    /// Removes rows from those whose deletion awaits approval, because a list contains them.
    func withdrawPending(_ rows: RowSet, in table: Int) throws {
        for (number, named) in rows.allBlocks() {
            let bits = try stored(.pending, table, number)
            let rest = bits.enumerated().map { $1 & ~($0 < named.count ? named[$0] : 0) }
            if rest != bits { try write(name(.pending, table), number, rest) }
        }
    }

    /// Adds the marks of another run: its rows count as seen by this session.
    func merge(_ rows: RowSet, in table: Int) throws {
        let all = RowSet()
        for (number, bytes) in rows.allBlocks() {
            all.add(block: number, bytes: try stored(.seen, table, number))
            all.add(block: number, bytes: bytes)
        }
        for (number, bytes) in all.allBlocks() {
            try write(name(.seen, table), number, bytes)
        }
    }

    private func save(_ rows: RowSet, as mark: String) throws {
        // A transaction touches few of the blocks, of 8 KiB each: the others are not written again.
        for (number, bytes) in rows.takeChangedBlocks() { try write(mark, number, bytes) }
    }

    private func write(_ mark: String, _ number: Int64, _ bytes: [UInt8]) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_sweep (resource, mark, block, bits) VALUES (?, ?, ?, ?) \
                ON CONFLICT DO UPDATE SET bits = excluded.bits
                """
        ).execute(arguments: [resource, mark, number, Data(bytes)])
    }

    private func name(_ mark: Mark, _ table: Int) -> String {
        "\(mark.rawValue):\(layout.tables[table].name)"
    }

    /// The subject of a block.
    private enum Place {
        case seen(Int)
        case left(String)
        case unlinked(Int)
        case nameless(Int)
        case item(Int)
        case gone(Int)
        case pending(Int)
        case rejected
        case highest(Int)
    }

    private func place(_ name: String) -> Place? {
        let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let mark = Mark(rawValue: parts[0]) else { return nil }
        let table = layout.tables.firstIndex { $0.name == parts[1] }
        switch mark {
        case .seen: return table.map(Place.seen)
        case .left: return .left(parts[1])
        case .unlinked: return table.map(Place.unlinked)
        case .nameless: return table.map(Place.nameless)
        case .item: return table.map(Place.item)
        case .gone: return table.map(Place.gone)
        case .pending: return table.map(Place.pending)
        case .rejected: return .rejected
        case .highest: return table.map(Place.highest)
        }
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
    func markOtherWalks(except own: String?, _ entity: EntityImport) throws {
        let sessions = try Row.fetchAll(
            writer.db.cachedStatement(
                sql: "SELECT resource, entity FROM _tidemark_walk WHERE resource IS NOT ?"
            ),
            arguments: [own]
        )
        for session in sessions {
            let marks = SeenRows(writer.db, session[0], layout)
            let listed = layout.index(of: session[1]).map { layout.entities[$0].table }
            for sets in [counted, namedAgain] {
                for (table, rows) in sets.sorted(by: { $0.key < $1.key }) where rows.count > 0 {
                    guard table != listed || table == entity.plan.entity.table else { continue }
                    try marks.merge(rows, in: table)
                    try marks.withdrawPending(rows, in: table)
                }
            }
        }
    }
}
