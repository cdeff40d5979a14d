import Foundation
import GRDB
import TidemarkStore

/// What a walk has seen, kept in the store between its transactions.
///
/// The marks are blocks of bits over row numbers, written with the rows they speak of, so that a
/// walk that dies knows what it knew at its last commit.
struct SweepMarks {
    private let db: Database
    private let resource: String
    private let layout: StoreLayout

    /// What the bits of a block say of a table's rows.
    private enum Mark: String, CaseIterable {
        /// The list has named the row.
        case seen
        /// The row left its parent's list of a relationship.
        case left
        /// The list has an object that may be any of the table's rows.
        case nameless
        /// An item of the list has named the row.
        case item
    }

    init(_ db: Database, _ resource: String, _ layout: StoreLayout) {
        self.db = db
        self.resource = resource
        self.layout = layout
    }

    /// Hands the children that left a list on to a walk that begins over.
    ///
    /// It will not find them in any list again. Those that somebody has named since are not gone.
    func keepLeftOut(_ begin: () throws -> Void) throws {
        let left = try Row.fetchAll(
            db,
            sql: "SELECT mark, block, bits FROM _tidemark_sweep WHERE resource = ? AND mark LIKE ?",
            arguments: [resource, "\(Mark.left.rawValue):%"]
        )
        let kept = try left.compactMap { block -> (mark: String, number: Int64, bits: [UInt8])? in
            let mark: String = block[0]
            guard case .left(let relationship)? = place(mark),
                case .inverse(let table, _, _)? = layout.relationships[relationship]?.storage
            else { return nil }
            let bits: Data = block[2]
            let named = try stored(.seen, table, block[1])
            let rest = bits.enumerated().map { $1 & ~($0 < named.count ? named[$0] : 0) }
            return (mark, block[1], rest)
        }
        try begin()
        for block in kept { try write(block.mark, block.number, block.bits) }
    }

    /// The bits of a block as they are kept; none where there is no such block.
    private func stored(_ mark: Mark, _ table: Int, _ block: Int64) throws -> [UInt8] {
        let bits = try Data.fetchOne(
            db,
            sql: "SELECT bits FROM _tidemark_sweep WHERE resource = ? AND mark = ? AND block = ?",
            arguments: [resource, name(mark, table), block]
        )
        return bits.map(Array.init) ?? []
    }

    /// Gives a run the marks of the transactions before.
    func load(into run: ImportRun) throws {
        let blocks = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT mark, block, bits FROM _tidemark_sweep WHERE resource = ?"
            ),
            arguments: [resource]
        )
        while let block = try blocks.next() {
            let name: String = block[0]
            guard let place = place(name) else { continue }
            let bits: Data = block[2]
            switch place {
            case .seen(let table):
                run.marks(\.seen, in: table).add(block: block[1], bytes: Array(bits))
            case .left(let relationship):
                run.leftOut(of: relationship).add(block: block[1], bytes: Array(bits))
            case .nameless(let table):
                run.namelessTables.insert(table)
            case .item(let table):
                run.marks(\.itemsBefore, in: table).add(block: block[1], bytes: Array(bits))
            }
        }
    }

    /// Keeps the marks that a run has added.
    func save(_ run: ImportRun) throws {
        for (table, rows) in run.seen.sorted(by: { $0.key < $1.key }) {
            try save(rows, as: name(.seen, table))
        }
        for (relationship, rows) in run.leftOut.sorted(by: { $0.key < $1.key }) {
            try save(rows, as: "\(Mark.left.rawValue):\(relationship)")
        }
        for table in run.namelessTables.sorted() { try write(name(.nameless, table), 0, []) }
        for (table, rows) in run.items.sorted(by: { $0.key < $1.key }) {
            let items = run.marks(\.itemsBefore, in: table)
            for row in rows.rows { items.insert(row) }
            try save(items, as: name(.item, table))
        }
    }

    /// Keeps marks of another run: what it has named, this walk need not see again.
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

    /// What a block is about.
    private enum Place {
        case seen(Int)
        case left(String)
        case nameless(Int)
        case item(Int)
    }

    private func place(_ name: String) -> Place? {
        let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let mark = Mark(rawValue: parts[0]) else { return nil }
        let table = layout.tables.firstIndex { $0.name == parts[1] }
        switch mark {
        case .seen: return table.map(Place.seen)
        case .left: return .left(parts[1])
        case .nameless: return table.map(Place.nameless)
        case .item: return table.map(Place.item)
        }
    }
}

extension ImportRun {
    /// Tells the other walks that are open which rows this transaction has named.
    func markOtherWalks(except own: String?) throws {
        let walks = try String.fetchAll(
            writer.db.cachedStatement(
                sql: "SELECT resource FROM _tidemark_walk WHERE resource IS NOT ?"
            ),
            arguments: [own]
        )
        for walk in walks {
            let marks = SweepMarks(writer.db, walk, layout)
            for sets in [counted, namedAgain] {
                for (table, rows) in sets.sorted(by: { $0.key < $1.key }) where rows.count > 0 {
                    try marks.merge(rows, in: table)
                }
            }
        }
    }
}
