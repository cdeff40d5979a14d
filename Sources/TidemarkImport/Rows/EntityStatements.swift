import GRDB
import TidemarkStore

/// The statements that find and write the rows of one entity.
///
/// Each is prepared once for a transaction, when it is first used.
final class EntityStatements {
    let plan: ImportPlan
    let table: TableLayout
    private let writer: StoreWriter

    private var updates: [ColumnMask: RowStatement] = [:]

    init(_ plan: ImportPlan, writer: StoreWriter) {
        self.plan = plan
        self.writer = writer
        table = writer.layout.tables[plan.entity.table]
    }

    var tableName: String { table.name.quotedDatabaseIdentifier }

    func name(ofSlot slot: Int) -> String {
        table.columns[plan.slots[slot].column].name.quotedDatabaseIdentifier
    }

    /// The columns that rows are compared with: `_id`, the slots and, if the table has it,
    /// `_entity`.
    var columns: String {
        let entity = table.hasEntityColumn ? ["_entity"] : []
        return (["_id"] + plan.slots.indices.map(name(ofSlot:)) + entity).joined(separator: ", ")
    }

    private(set) lazy var findByKey = Result {
        let condition = plan.key.map { "\(name(ofSlot: $0)) = ?" }.joined(separator: " AND ")
        return try writer.statement("SELECT \(columns) FROM \(tableName) WHERE \(condition)")
    }

    /// Selects the rows after a number, in the order in which they were inserted.
    func scan() throws -> RowScan {
        try writer.scan("SELECT \(columns) FROM \(tableName) WHERE _id > ? ORDER BY _id")
    }

    private(set) lazy var findByNumber = Result {
        try writer.statement(
            for: .compared(entity: plan.index),
            sql: "SELECT \(columns) FROM \(tableName) WHERE _id = ?"
        )
    }

    private(set) lazy var findReferenced = Result {
        let condition = writer.layout.keyCondition(
            of: plan.entity,
            in: tableName,
            plan.keyParts.map { _ in "?" }
        )
        return try writer.statement(
            "SELECT _id FROM \(tableName) WHERE \(condition)\(plan.entity.familyCondition)"
        )
    }

    private(set) lazy var insertion = Result { try writer.statement(insertionSQL) }

    private(set) lazy var insertionIfNew = Result {
        // A conflict of any other unique value must still be an error.
        let key = plan.key.map(name(ofSlot:)).joined(separator: ", ")
        return try writer.statement("\(insertionSQL) ON CONFLICT (\(key)) DO NOTHING")
    }

    private var insertionSQL: String {
        let entity = table.hasEntityColumn ? ["_entity"] : []
        let names = plan.slots.indices.map(name(ofSlot:)) + entity
        guard !names.isEmpty else {
            return "INSERT INTO \(tableName) DEFAULT VALUES"
        }
        let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
        return "INSERT INTO \(tableName) (\(names.joined(separator: ", "))) VALUES (\(marks))"
    }

    /// Returns the statement that updates slots of a row, whose number is the last parameter.
    func update(of mask: ColumnMask) throws -> RowStatement {
        if let statement = updates[mask] { return statement }
        let statement = try writer.statement(
            for: .updated(entity: plan.index, mask),
            sql: updateSQL(of: mask)
        )
        updates[mask] = statement
        return statement
    }

    private func updateSQL(of mask: ColumnMask) -> String {
        let slots = plan.slots.indices.filter(mask.contains)
        // A row that is removed from an ordered list loses its position there.
        let positions = slots.compactMap { plan.slots[$0].position }.map {
            "\(table.columns[$0].name.quotedDatabaseIdentifier) = NULL"
        }
        let list = slots.map { "\(name(ofSlot: $0)) = ?" } + positions
        return "UPDATE \(tableName) SET \(list.joined(separator: ", ")) WHERE _id = ?"
    }
}
