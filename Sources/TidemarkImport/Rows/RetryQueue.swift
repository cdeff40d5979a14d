import Foundation
import GRDB
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The items of an import that are retried after all items have been read.
///
/// They are kept in the store, so that memory does not grow with their number, and so that the last
/// transaction of a session finds them.
final class RetryQueue {
    /// The session that the items belong to; nil for an import in one transaction.
    private let resource: String?

    /// The number of the last item that is not retried in this transaction.
    private let after: Int64

    /// The number of the last item that another import has postponed.
    private let others: Int64

    private let limit: Int

    /// The number of postponed items, including those of earlier transactions of the session.
    private(set) var count: Int

    /// Whether items may be postponed.
    var isAllowed = true

    /// Whether the item that is being imported has to be retried.
    private(set) var isNeeded = false

    /// The number of the item that is being retried.
    private(set) var current: Int64?

    /// The rows that failed because of unique values, while conflicts are being collected.
    var conflicts: UniqueConflicts?

    /// A postponed item.
    struct Item {
        let text: [UInt8]
        let row: Int64?
        let position: Int64
        /// The primary key as text, independent of its JSON spelling.
        let key: String?
    }

    private init(of resource: String?, after: Int64, others: Int64, limit: Int, count: Int) {
        self.resource = resource
        self.after = after
        self.others = others
        self.limit = limit
        self.count = count
    }

    /// Returns an empty queue for an import in one transaction.
    static func open(_ db: Database, limit: Int) throws -> RetryQueue {
        let highest = try highest(db)
        return RetryQueue(of: nil, after: highest, others: highest, limit: limit, count: 0)
    }

    /// Returns the queue of a session.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - resource: The name of the session.
    ///   - after: The number of the last item that is not retried in this transaction.
    ///   - limit: The maximum number of postponed items.
    /// - Returns: The queue.
    /// - Throws: `DatabaseError`.
    static func open(
        _ db: Database,
        of resource: String,
        after: Int64,
        limit: Int
    ) throws -> RetryQueue {
        let count = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM _tidemark_retry WHERE resource IS ?"),
            arguments: [resource]
        )
        return RetryQueue(of: resource, after: after, others: 0, limit: limit, count: count ?? 0)
    }

    /// A queue that takes no items: conflicts of unique values are reported immediately.
    static var disabled: RetryQueue {
        RetryQueue(of: nil, after: 0, others: 0, limit: 0, count: 0)
    }

    /// Whether the items belong to a session.
    var isOfSession: Bool { resource != nil }

    /// Whether any items are postponed.
    var isWaiting: Bool { count > 0 }

    /// Requests a retry of the item that is being imported; false if it must not be postponed.
    func request() -> Bool {
        guard isAllowed, current != nil || count < limit else { return false }
        isNeeded = true
        return true
    }

    func begin(again number: Int64) {
        isNeeded = false
        current = number
    }

    func end() {
        isNeeded = false
        current = nil
    }

    // MARK: The stored items

    /// Returns whether an item with this key is postponed before another item.
    ///
    /// Later items with the key have to wait for it.
    func isWaiting(_ db: Database, key: String, before number: Int64 = .max) throws -> Bool {
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

    /// Postpones an item.
    func add(
        _ db: Database,
        _ node: JSONNode,
        key: String?,
        row: ObjectContext.Row,
        at position: Int64
    ) throws {
        var text: [UInt8] = []
        node.compactText(into: &text)
        let number: Int64? =
            switch row {
            case .number(let number), .atPosition(let number): number
            case .byKey, .candidate, .new: nil
            }
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_retry (resource, place, row, key, item) VALUES (?, ?, ?, ?, ?)
                """
        ).execute(arguments: [resource, position, number, key, Data(text)])
        count += 1
        end()
    }

    func isAny(_ db: Database) throws -> Bool {
        try !numbers(db, limit: 1).isEmpty
    }

    /// Returns the numbers of the items to retry, in the order of the document.
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

    func item(_ db: Database, number: Int64) throws -> Item? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT item, row, place, key FROM _tidemark_retry WHERE _id = ?"
            ),
            arguments: [number]
        )
        return row.map {
            Item(text: Array($0[0] as Data), row: $0[1], position: $0[2], key: $0[3])
        }
    }

    func remove(_ db: Database, number: Int64) throws {
        try db.cachedStatement(sql: "DELETE FROM _tidemark_retry WHERE _id = ?")
            .execute(arguments: [number])
        count -= db.changesCount
    }

    /// Returns the highest number of an item.
    static func highest(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT coalesce(max(_id), 0) FROM _tidemark_retry")
        ) ?? 0
    }
}
