import Foundation
import GRDB
import TidemarkModel
import TidemarkStore

/// The items of an import that are tried again when all have been read.
///
/// They are kept in the store, so that memory does not grow with them and a walk finds them again
/// in its last transaction.
final class RetryQueue {
    /// The walk they belong to; nil for an import in one transaction.
    private let resource: String?

    /// The highest number of an item that is not tried again in this transaction.
    private let after: Int64

    /// The highest number of an item that somebody else has put off.
    private let others: Int64

    private let limit: Int

    /// How many wait, those that earlier transactions of the walk have put off among them.
    private(set) var count: Int

    /// Whether the index by which they are found is there for sure.
    private var isIndexed = false

    /// Whether items may be put off.
    var isAllowed = true

    /// Whether the item that is being imported has to be tried again.
    private(set) var isNeeded = false

    /// The number of the item that is being tried again.
    private(set) var current: Int64?

    /// An item that was put off.
    struct Item {
        let text: [UInt8]
        let row: Int64?
        let place: Int64
        /// Its primary key as text, the same one for each way to write it.
        let key: String?
    }

    /// Begins with none.
    ///
    /// - Parameters:
    ///   - after: the highest number of an item that somebody else has put off.
    ///   - limit: how many may wait.
    init(after: Int64, limit: Int) {
        resource = nil
        self.after = after
        others = after
        self.limit = limit
        count = 0
    }

    /// Begins with those of a walk.
    ///
    /// - Parameters:
    ///   - db: the transaction.
    ///   - resource: the walk.
    ///   - after: the highest number of an item that is not tried again in this transaction.
    ///   - limit: how many may wait.
    /// - Throws: `DatabaseError`.
    init(_ db: Database, of resource: String, after: Int64, limit: Int) throws {
        self.resource = resource
        self.after = after
        others = 0
        self.limit = limit
        count =
            try Int.fetchOne(
                db.cachedStatement(
                    sql: "SELECT count(*) FROM _tidemark_retry WHERE resource IS ?"
                ),
                arguments: [resource]
            ) ?? 0
    }

    /// Whether the items are those of a walk.
    var isOfWalk: Bool { resource != nil }

    /// Whether any items wait.
    var isWaiting: Bool { count > 0 }

    /// Has the item that is being imported tried again; false when it may not be.
    func request() -> Bool {
        guard isAllowed, current != nil || count < limit else { return false }
        isNeeded = true
        return true
    }

    /// Whether an item with this key waits, ahead of another: later ones then wait behind it.
    func isWaiting(_ key: String, before number: Int64 = .max, _ db: Database) throws -> Bool {
        let found = try Int.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT 1 FROM _tidemark_retry \
                    WHERE resource IS ? AND key = ? AND _id > ? AND _id < ? LIMIT 1
                    """
            ),
            arguments: [resource, key, others, number]
        )
        return found != nil
    }

    func put(
        off node: JSONNode,
        _ key: String?,
        _ context: ObjectContext,
        at place: Int64,
        _ db: Database
    ) throws {
        if !isIndexed {
            try db.execute(sql: SystemTables.retryIndex)
            isIndexed = true
        }
        var text: [UInt8] = []
        node.compactText(into: &text)
        var row: Int64?
        switch context.row {
        case .number(let number), .place(let number): row = number
        case .byKey, .candidate, .new: break
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_retry (resource, place, row, key, item) VALUES (?, ?, ?, ?, ?)
                """
        ).execute(arguments: [resource, place, row, key, Data(text)])
        count += 1
        end()
    }

    func begin(again number: Int64) {
        isNeeded = false
        current = number
    }

    func end() {
        isNeeded = false
        current = nil
    }

    func isAny(_ db: Database) throws -> Bool {
        try !numbers(db, limit: 1).isEmpty
    }

    /// The items in the order of the document.
    func numbers(_ db: Database, limit: Int = -1) throws -> [Int64] {
        try Int64.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT _id FROM _tidemark_retry WHERE resource IS ? AND _id > ? \
                    ORDER BY _id LIMIT ?
                    """
            ),
            arguments: [resource, after, limit]
        )
    }

    func item(_ number: Int64, _ db: Database) throws -> Item? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT item, row, place, key FROM _tidemark_retry WHERE _id = ?"
            ),
            arguments: [number]
        )
        return row.map {
            Item(text: Array($0[0] as Data), row: $0[1], place: $0[2], key: $0[3])
        }
    }

    func remove(_ number: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM _tidemark_retry WHERE _id = ?")
            .execute(arguments: [number])
        count -= db.changesCount
    }

    /// The highest number of an item.
    static func highest(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT coalesce(max(_id), 0) FROM _tidemark_retry")
        ) ?? 0
    }
}
