import GRDB
import TidemarkModel
import TidemarkStore

/// Finds, compares and writes the rows of one entity, with statements that are prepared once for a
/// transaction.
final class EntityRows {
    let plan: ImportPlan
    let table: TableLayout
    let writer: StoreWriter

    /// The changes in the table.
    private let changes: StoreChanges.Table

    /// What the model specifies about values.
    let rules: RowRules

    private var updates: [ColumnMask: RowStatement] = [:]

    /// The number of consecutive objects whose key was not found.
    private var newInSuccession = 0

    init(_ plan: ImportPlan, writer: StoreWriter) {
        self.plan = plan
        self.writer = writer
        table = writer.layout.tables[plan.entity.table]
        changes = writer.changes.table(table.name)
        rules = RowRules(plan)
    }

    // MARK: Statements

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

    private lazy var findByKey = Result {
        let condition = plan.key.map { "\(name(ofSlot: $0)) = ?" }.joined(separator: " AND ")
        return try writer.statement("SELECT \(columns) FROM \(tableName) WHERE \(condition)")
    }

    private lazy var findByNumber = Result {
        try writer.statement("SELECT \(columns) FROM \(tableName) WHERE _id = ?")
    }

    private lazy var findReferenced = Result {
        let condition = writer.layout.keyCondition(
            of: plan.entity,
            in: tableName,
            plan.keyParts.map { _ in "?" }
        )
        return try writer.statement(
            "SELECT _id FROM \(tableName) WHERE \(condition)\(plan.entity.familyCondition)"
        )
    }

    private lazy var insertion = Result { try writer.statement(insertionSQL) }

    private lazy var insertionIfNew = Result {
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

    private func update(of mask: ColumnMask) throws -> RowStatement {
        if let statement = updates[mask] { return statement }
        let slots = plan.slots.indices.filter(mask.contains)
        // A row that is removed from an ordered list loses its position there.
        let positions = slots.compactMap { plan.slots[$0].position }.map {
            "\(table.columns[$0].name.quotedDatabaseIdentifier) = NULL"
        }
        let list = slots.map { "\(name(ofSlot: $0)) = ?" } + positions
        let statement = try writer.statement(
            "UPDATE \(tableName) SET \(list.joined(separator: ", ")) WHERE _id = ?"
        )
        updates[mask] = statement
        return statement
    }

    // MARK: Finding

    /// A stored row, compared with an object.
    struct Comparison {
        let number: Int64
        /// The slots with different values, by index in the plan.
        var differing: ColumnMask
        /// The row's entity, if it is neither this one nor one that inherits from it.
        let otherEntity: String?

        var isDifferent: Bool { !differing.isEmpty || otherEntity != nil }
    }

    /// Finds the row with the key of a frame, and compares it with the frame.
    ///
    /// - Parameters:
    ///   - frame: The values of the object.
    ///   - isTyped: Whether the object itself names this entity.
    /// - Returns: The row; nil if it is not stored.
    /// - Throws: `DatabaseError`.
    func compare(byKey frame: ObjectFrame, isTyped: Bool) throws -> Comparison? {
        let statement = try findByKey.get()
        for (index, slot) in plan.key.enumerated() {
            statement.bind(frame.values[slot], at: index + 1)
        }
        let found =
            try compare(statement, with: frame, isTyped: isTyped)
            ?? (plan.keyRelationships.isEmpty ? nil : compareUnresolved(frame, isTyped: isTyped))
        newInSuccession = found == nil ? newInSuccession + 1 : 0
        return found
    }

    /// Compares a row with a frame.
    func compare(
        _ number: Int64,
        with frame: ObjectFrame,
        isTyped: Bool
    ) throws -> Comparison? {
        let statement = try findByNumber.get()
        statement.bind(number, at: 1)
        return try compare(statement, with: frame, isTyped: isTyped)
    }

    /// Compares the row that a statement selects with a frame.
    func compare(
        _ statement: RowStatement,
        with frame: ObjectFrame,
        isTyped: Bool
    ) throws -> Comparison? {
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        var differing = ColumnMask()
        for slot in 0..<plan.slots.count where frame.isGiven[slot] {
            if !statement.holds(frame.values[slot], at: slot + 1) {
                differing.insert(slot)
            }
        }
        return Comparison(
            number: statement.integer(at: 0),
            differing: differing,
            otherEntity: otherEntity(statement, isTyped: isTyped)
        )
    }

    private func otherEntity(_ statement: RowStatement, isTyped: Bool) -> String? {
        guard table.hasEntityColumn, plan.entity.family != nil || isTyped,
            !statement.holds(rules.entityName, at: plan.slots.count + 1),
            case .text(let bytes) = statement.value(at: plan.slots.count + 1)
        else { return nil }
        let entity = String(decoding: bytes, as: UTF8.self)
        if isTyped { return entity }
        return plan.entity.family?.contains(entity) == false ? entity : nil
    }

    /// Returns the row with a key of these parts; nil if it is not stored.
    func number(ofKey parts: some Sequence<StoredValue>) throws -> Int64? {
        let statement = try findReferenced.get()
        for (index, part) in parts.enumerated() { statement.bind(part, at: index + 1) }
        defer { statement.reset() }
        return try statement.step() ? statement.integer(at: 0) : nil
    }

    // MARK: Writing

    /// Whether the next object is probably a new row, too.
    var expectsNewRow: Bool { newInSuccession >= 16 }

    /// Inserts a row with the values of a frame, and defaults for those that it lacks.
    func insert(_ frame: ObjectFrame) throws -> Int64 {
        try run(insertion.get(), frame: frame)
        let number = writer.db.lastInsertedRowID
        changes.inserted.insert(number)
        return number
    }

    /// Inserts a row unless there is one with the same key.
    ///
    /// Returns nil then, and also if a constraint is violated.
    ///
    /// The insertion searches the index on the key anyway, so that this saves one search for each
    /// row if most rows are new.
    func insertIfNew(_ frame: ObjectFrame) throws -> Int64? {
        do {
            try run(insertionIfNew.get(), frame: frame)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            newInSuccession = 0
            return nil
        }
        guard writer.db.changesCount > 0 else {
            newInSuccession = 0
            return nil
        }
        let number = writer.db.lastInsertedRowID
        changes.inserted.insert(number)
        return number
    }

    private func run(_ statement: RowStatement, frame: ObjectFrame) throws {
        for slot in 0..<plan.slots.count {
            statement.bind(
                frame.isGiven[slot] ? frame.values[slot] : rules.defaults[slot],
                at: slot + 1
            )
        }
        if table.hasEntityColumn { statement.bind(rules.entityName, at: plan.slots.count + 1) }
        try statement.run()
    }

    /// Writes the differing slots of a row.
    func update(_ found: Comparison, with frame: ObjectFrame) throws {
        let statement = try update(of: found.differing)
        var index = 1
        var columns = ColumnMask()
        for slot in 0..<plan.slots.count where found.differing.contains(slot) {
            statement.bind(frame.values[slot], at: index)
            columns.insert(plan.slots[slot].column)
            index += 1
        }
        statement.bind(found.number, at: index)
        try statement.run()
        changes.update(found.number, columns: columns)
        // A changed key may be the one that unresolved references are waiting for.
        if plan.key.contains(where: found.differing.contains) {
            writer.recordKeyChange(of: found.number, in: plan.entity.table)
        }
    }
}
