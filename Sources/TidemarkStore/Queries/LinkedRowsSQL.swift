import GRDB
import TidemarkModel

/// The SQL that selects the rows to which a to-many relationship leads from many rows at once.
struct LinkedRowsSQL {
    private let request: RequestSQL

    /// The tables of the links and of the linked rows.
    private let source: SQLText

    /// The number of the row that a linked row belongs to.
    private let owner: String

    /// The order of the links; empty without one.
    private let position: [SQLText]

    /// Creates the SQL for some rows of a relationship.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - request: Which of the linked rows are selected, and their order.
    ///   - layout: The layout of the store.
    init(_ relationship: RelationshipLayout, _ request: RequestSQL, in layout: StoreLayout) {
        self.request = request
        var place: String?
        switch relationship.storage {
        case .column(let column):
            // A to-one relationship: the rows are those of the reference.
            let table = layout.name(of: relationship.table)
            let reference = layout.name(of: column, in: relationship.table)
            source = """
                \(request.source) JOIN \(sql: table) AS _l \
                ON _l.\(sql: reference) = \(sql: RequestSQL.number)
                """
            owner = "_l._id"
        case .inverse(let table, let column, let position):
            source = request.source
            owner = "\(PredicateSQL.row).\(layout.name(of: column, in: table))"
            place = position.map { "\(PredicateSQL.row).\(layout.name(of: $0, in: table))" }
        case .join(let join, let side):
            let pairs = layout.joins[join].name.quotedDatabaseIdentifier
            place = layout.joins[join].positionColumn(side).map { "_l.\($0)" }
            if side == .either {
                source = """
                    (SELECT owner, member FROM \(sql: pairs) \
                    UNION SELECT member, owner FROM \(sql: pairs)) AS _l \
                    JOIN \(request.source) ON \(sql: RequestSQL.number) = _l.member
                    """
                owner = "_l.owner"
            } else {
                source = """
                    \(sql: pairs) AS _l JOIN \(request.source) \
                    ON \(sql: RequestSQL.number) = _l.\(sql: side.otherColumn)
                    """
                owner = "_l.\(side.ownColumn)"
            }
        }
        // SQLite sorts NULL first, but rows without a position come last.
        position = place.map { ["\(sql: $0) IS NULL", "\(sql: $0)"] } ?? []
    }

    /// Returns the statement that selects the linked rows of rows: their numbers, columns, and the
    /// rows that they belong to, in the order of the request or, without one, of the links.
    func select(_ columns: [String], of owners: ArraySlice<Int64>) -> SQLText {
        let terms = request.order.isEmpty ? position : request.order
        let order = (terms + ["\(sql: RequestSQL.number)"]).joined(by: ", ")
        let columns = ([RequestSQL.number] + columns + [owner]).joined(separator: ", ")
        let rows: SQLText = """
            FROM \(source)\(request.joins) \
            WHERE (\(request.condition)) AND \(sql: owner) IN (\(.each(owners)))
            """
        guard request.limit != nil || request.offset != 0 else {
            return "SELECT \(sql: columns) \(rows) ORDER BY \(order)"
        }
        // The limit is that of each list.
        let last = request.limit.map { limit in
            limit < 0 ? "" : " AND _rank <= \(request.offset.addingSaturating(limit))"
        }
        return """
            SELECT * FROM (SELECT \(sql: columns), \
            row_number() OVER (PARTITION BY \(sql: owner) ORDER BY \(order)) AS _rank \(rows)) \
            WHERE _rank > \(sql: String(request.offset))\(sql: last ?? "") ORDER BY _rank
            """
    }

    /// Returns the statement that selects rows and the numbers of their linked rows, without those
    /// that have none.
    func count(of owners: ArraySlice<Int64>) -> SQLText {
        """
        SELECT \(sql: owner), count(*) FROM \(source) \
        WHERE (\(request.condition)) AND \(sql: owner) IN (\(.each(owners))) GROUP BY \(sql: owner)
        """
    }
}

extension Int {
    fileprivate func addingSaturating(_ other: Int) -> Int {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }
}
