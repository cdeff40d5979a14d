package import GRDB
import TidemarkModel

package import struct Foundation.Date

/// A local change of a row that was not pushed yet.
package struct CapturedChange: Sendable, Hashable {
    package typealias Kind = LocalChangeKind
    package typealias State = LocalChangeState

    /// The number of the change; negative if it is not recorded yet.
    package let number: Int64

    /// The row, with the entity that the service knows.
    package let row: RowReference

    /// The index of the row's table.
    package let table: Int

    package let kind: Kind
    package let state: State

    /// When the change was first noticed; nil until then.
    package let since: Date?

    /// The values of changed properties before the change.
    ///
    /// A creation has none, and a deletion those of all columns.
    package var base: [BaseValue]
}

/// The last value of a property that is known to the service.
package struct BaseValue: Sendable, Hashable {
    package let property: CapturedProperty

    /// The linked or contained row; see ``CapturedProperty``.
    package let member: Int64

    package let value: DatabaseValue
}

/// What a base value belongs to.
package enum CapturedProperty: Sendable, Hashable {
    /// A column of the row.
    case column(String)
    /// The links of a relationship, by its identifier.
    ///
    /// The value is 1 if the member was linked, 0 if it was not, and 2 if it was contained in
    /// another row. The member −1 means the order of the links, and a smaller one an unresolved
    /// reference, whose key is the value.
    case links(String)
    /// A column with the position of the link to the member.
    case position(of: String, column: String)
    /// A column of the contained row that is the member.
    case part(table: String, column: String)
    /// A property of the relationship of a contained row.
    indirect case ofPart(Int64, CapturedProperty)

    /// Reads a property as triggers write it: see ``CapturePlan``.
    init(_ text: String) {
        var components = text.split(separator: ":", omittingEmptySubsequences: false)
        var part: Int64?
        if components.count > 1, let number = components.last.flatMap({ Int64($0) }) {
            part = number
            components.removeLast()
        }
        let name = String(components[0])
        let column = components.count > 1 ? String(components[1]) : nil
        let property: CapturedProperty =
            switch (name.contains("."), column) {
            case (true, let column?): .position(of: name, column: column)
            case (true, nil): .links(name)
            case (false, let column?): .part(table: name, column: column)
            case (false, nil): .column(name)
            }
        self = part.map { .ofPart($0, property) } ?? property
    }

    /// The property as triggers write it.
    var text: String {
        switch self {
        case .column(let name), .links(let name): name
        case .position(let name, let column), .part(let name, let column): "\(name):\(column)"
        case .ofPart(let part, let property): "\(property.text):\(part)"
        }
    }
}

extension StoreReader {
    /// Returns the change that came after the request of a row was sent; nil without one.
    package func changeAfterRequest(of change: CapturedChange) throws -> CapturedChange? {
        let number = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT _id FROM _tidemark_change \
                    WHERE tree = ? AND row = ? AND frozen = 0 AND _id <> ?
                    """
            ),
            arguments: [
                layout.tables[change.table].name, change.row.number, change.number,
            ]
        )
        return try number.flatMap { try capturedChanges([$0]).first }
    }

    /// Returns the local changes that were not pushed yet, in the order in which they were first
    /// made.
    ///
    /// Creations that were not collected yet are not among them: see ``Capture/collect()``.
    ///
    /// - Parameter numbers: The numbers of the changes to return; nil for all.
    /// - Returns: The changes; none if the store records no local changes.
    /// - Throws: `DatabaseError`.
    package func capturedChanges(_ numbers: [Int64]? = nil) throws -> [CapturedChange] {
        guard try Capture.isInstalled(db) else { return [] }
        var arguments = StatementArguments()
        var condition = { (_: String) in "" }
        if let number = numbers?.first, numbers?.count == 1 {
            arguments = [number]
            condition = { "WHERE \($0) = ?" }
        } else if let numbers {
            arguments = ["[\(numbers.map(String.init).joined(separator: ","))]"]
            condition = { "WHERE \($0) IN (SELECT value FROM json_each(?))" }
        }
        var base = try BaseValues(db, condition("change"), arguments)
        let tables = Dictionary(
            layout.tables.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT _id, tree, row, entity, kind, state, since FROM _tidemark_change \
                    \(condition("_id")) ORDER BY _id
                    """
            ),
            arguments: arguments
        )
        var changes: [CapturedChange] = []
        while let row = try rows.next() {
            let (number, tree): (Int64, String) = (row[0], row[1])
            guard let table = tables[tree],
                let kind = CapturedChange.Kind(rawValue: row[4]),
                let state = CapturedChange.State(rawValue: row[5])
            else { continue }
            changes.append(
                CapturedChange(
                    number: number,
                    row: RowReference(row[3], row[2]),
                    table: table,
                    kind: kind,
                    state: state,
                    since: (row[6] as Double?).map(Date.init(timeIntervalSince1970:)),
                    base: try base.values(of: number)
                )
            )
        }
        return changes
    }
}

/// The base values of changes, which are read in the order of the changes.
private struct BaseValues {
    private let rows: RowCursor

    /// The row that was read last, unless its value was returned.
    private var next: Row?

    /// The properties that were read before: most changes have the same.
    private var properties: [String: CapturedProperty] = [:]

    init(_ db: Database, _ condition: String, _ arguments: StatementArguments) throws {
        rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT change, property, member, value FROM _tidemark_base \(condition) \
                    ORDER BY change, property, member
                    """
            ),
            arguments: arguments
        )
        next = try rows.next()
    }

    /// Returns the base values of a change whose number is higher than that of the last one.
    mutating func values(of change: Int64) throws -> [BaseValue] {
        // Another program may have left values without a change.
        while let row = next, (row[0] as Int64) < change { next = try rows.next() }
        var values: [BaseValue] = []
        while let row = next, row[0] as Int64 == change {
            values.append(BaseValue(property: property(row[1]), member: row[2], value: row[3]))
            next = try rows.next()
        }
        return values
    }

    private mutating func property(_ text: String) -> CapturedProperty {
        if let known = properties[text] { return known }
        let property = CapturedProperty(text)
        properties[text] = property
        return property
    }
}
