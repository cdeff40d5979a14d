import GRDB
import TidemarkModel
import TidemarkStore

/// Finds, compares and writes the rows of one entity in one transaction.
final class EntityRows {
    let plan: ImportPlan
    let table: TableLayout
    let writer: StoreWriter

    /// The changes in the table.
    private let changes: StoreChanges.Table

    /// What the model specifies about values.
    let rules: RowRules

    /// The statements that find and write the rows.
    let statements: EntityStatements

    /// Finds rows in the order in which they are stored.
    private let order: RowOrder

    /// What is known about the keys of the rows without a query.
    private let keys: KnownKeys

    /// The keys that the service has of rows whose keys were changed here; nil if none were.
    private let serviceKeys: ServiceKeys?

    /// The columns of the key.
    let keyColumns: ServiceKeys.KeyColumns

    /// The new rows that are to be written together; nil if rows have to be inserted one by one.
    private lazy var batch = Result {
        try writer.batch(in: plan.entity.table, columns: plan.slots.map(\.column))
    }

    /// The number of consecutive objects whose key was not found.
    private var newInSuccession = 0

    init(
        _ plan: ImportPlan,
        rules: RowRules,
        writer: StoreWriter,
        isAlone: Bool,
        serviceKeys: ServiceKeys?
    ) {
        self.plan = plan
        self.writer = writer
        self.serviceKeys = serviceKeys
        keyColumns = .init(plan.key.map { plan.slots[$0].column }, of: plan.entity.table)
        table = writer.layout.tables[plan.entity.table]
        changes = writer.changes.table(table.name)
        self.rules = rules
        statements = EntityStatements(plan, writer: writer)
        order = RowOrder(statements)
        keys = KnownKeys(plan, changes: changes, writer: writer, isAlone: isAlone)
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

    /// Finds the row of the object that the service has under the key of a frame, and compares it
    /// with the frame.
    ///
    /// - Parameters:
    ///   - frame: The values of the object.
    ///   - isTyped: Whether the object itself names this entity.
    /// - Returns: The row; nil if it is not stored.
    /// - Throws: `DatabaseError`.
    func compare(byKey frame: ObjectFrame, isTyped: Bool) throws -> Comparison? {
        let stored = try compare(byStoredKey: frame, isTyped: isTyped)
        guard let serviceKeys else { return stored }
        let row = try serviceKeys.row(
            withKey: plan.key.map { frame.values[$0].databaseValue },
            in: keyColumns,
            storedAs: stored?.number
        )
        if row == stored?.number { return stored }
        return try row.flatMap { try compare($0, with: frame, isTyped: isTyped) }
    }

    /// Finds the row that has the key of a frame in the store, and compares it with the frame.
    func compare(byStoredKey frame: ObjectFrame, isTyped: Bool) throws -> Comparison? {
        try writer.writePending()
        if let row = try order.row(matching: frame) {
            return recordFound(comparison(of: row, with: frame, isTyped: isTyped), by: frame)
        }
        let statement = try statements.findByKey.get()
        for (index, slot) in plan.key.enumerated() {
            statement.bind(frame.values[slot], at: index + 1)
        }
        let found =
            try compare(statement, with: frame, isTyped: isTyped)
            ?? (plan.keyRelationships.isEmpty ? nil : compareUnresolved(frame, isTyped: isTyped))
        guard let found else {
            newInSuccession += 1
            return nil
        }
        try order.recordFound(found.number)
        return recordFound(found, by: frame)
    }

    private func recordFound(_ row: Comparison, by frame: ObjectFrame) -> Comparison {
        newInSuccession = 0
        keys.record(row.number) { frame.values[$0] }
        return row
    }

    /// Compares a row with a frame.
    func compare(
        _ number: Int64,
        with frame: ObjectFrame,
        isTyped: Bool
    ) throws -> Comparison? {
        try writer.writePending()
        let statement = try statements.findByNumber.get()
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
        return comparison(of: statement, with: frame, isTyped: isTyped)
    }

    /// Compares the current row of a statement with a frame.
    private func comparison(
        of row: RowStatement,
        with frame: ObjectFrame,
        isTyped: Bool
    ) -> Comparison {
        var differing = ColumnMask()
        for slot in 0..<plan.slots.count where frame.isGiven[slot] {
            if !row.holds(frame.values[slot], at: slot + 1) {
                differing.insert(slot)
            }
        }
        return Comparison(
            number: row.integer(at: 0),
            differing: differing,
            otherEntity: otherEntity(row, isTyped: isTyped)
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

    /// Returns the row of the object that the service has under a key of these parts; nil if it is
    /// not stored.
    func number(ofKey parts: [StoredValue]) throws -> Int64? {
        try number(ofKey: parts, storedAs: storedNumber(ofKey: parts))
    }

    /// Returns the row of the object that the service has under a key that is one value; nil if it
    /// is not stored.
    func number(ofKey key: StoredValue) throws -> Int64? {
        try number(ofKey: [key], storedAs: storedNumber(ofKey: key))
    }

    private func number(
        ofKey parts: @autoclosure () -> [StoredValue],
        storedAs stored: Int64?
    ) throws -> Int64? {
        guard let serviceKeys, plan.keyRelationships.isEmpty else { return stored }
        return try serviceKeys.row(
            withKey: parts().map(\.databaseValue),
            in: keyColumns,
            storedAs: stored
        )
    }

    /// Returns the row of an object that the service reports as deleted; nil if it is not stored.
    ///
    /// A service for which an object with another key is another one reports the former key of a
    /// row as deleted.
    func number(ofDeletedKey parts: [StoredValue]) throws -> Int64? {
        if let stored = try storedNumber(ofKey: parts) {
            return try number(ofKey: parts, storedAs: stored)
        }
        if let serviceKeys, plan.keyRelationships.isEmpty,
            try serviceKeys.isReplaced(parts.map(\.databaseValue), in: keyColumns)
        {
            return nil
        }
        return try number(ofKey: parts, storedAs: nil)
    }

    private func storedNumber(ofKey parts: [StoredValue]) throws -> Int64? {
        if parts.count == 1 { return try storedNumber(ofKey: parts[0]) }
        try writer.writePending()
        let statement = try statements.findReferenced.get()
        for (index, part) in parts.enumerated() { statement.bind(part, at: index + 1) }
        defer { statement.reset() }
        return try statement.step() ? statement.integer(at: 0) : nil
    }

    private func storedNumber(ofKey key: StoredValue) throws -> Int64? {
        switch try keys.row(of: key) {
        case .row(let number): return number
        case .absent: return nil
        // Otherwise each reference would write the rows that are collected.
        case .written: break
        case .unknown: try writer.writePending()
        }
        let statement = try statements.findReferenced.get()
        statement.bind(key, at: 1)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(at: 0) : nil
    }

    // MARK: Writing

    /// Whether the next object is probably a new row, too.
    var expectsNewRow: Bool { newInSuccession >= 16 }

    /// Inserts a row with the values of a frame, and defaults for those that it lacks.
    func insert(_ frame: ObjectFrame) throws -> Int64 {
        let statement = try statements.insertion.get()
        try run(statement, frame: frame)
        return recordInserted(statement.lastInsertedRow, with: frame)
    }

    /// Inserts a row unless there is one with the same key.
    ///
    /// Returns nil then, and also if a constraint is violated.
    ///
    /// The insertion searches the index on the key anyway, so that this saves one search for each
    /// row if most rows are new.
    func insertIfNew(_ frame: ObjectFrame) throws -> Int64? {
        if let number = try append(frame) { return number }
        let statement = try statements.insertionIfNew.get()
        do {
            try run(statement, frame: frame)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            newInSuccession = 0
            return nil
        }
        guard statement.changedRowCount > 0 else {
            newInSuccession = 0
            return nil
        }
        return recordInserted(statement.lastInsertedRow, with: frame)
    }

    /// Adds a row that is certainly new to the batch; nil if it has to be inserted by itself.
    private func append(_ frame: ObjectFrame) throws -> Int64? {
        guard try keys.isNew(frame), let batch = try batch.get(),
            let number = try batch.append({ value(ofSlot: $0, in: frame) })
        else { return nil }
        return recordInserted(number, with: frame)
    }

    private func recordInserted(_ number: Int64, with frame: ObjectFrame) -> Int64 {
        changes.inserted.insert(number)
        keys.record(number) { value(ofSlot: $0, in: frame) }
        return number
    }

    /// Returns the value of a slot in a new row.
    private func value(ofSlot slot: Int, in frame: ObjectFrame) -> StoredValue {
        frame.isGiven[slot] ? frame.values[slot] : rules.defaults[slot]
    }

    private func run(_ statement: RowStatement, frame: ObjectFrame) throws {
        try writer.writePending()
        for slot in 0..<plan.slots.count {
            statement.bind(value(ofSlot: slot, in: frame), at: slot + 1)
        }
        if table.hasEntityColumn { statement.bind(rules.entityName, at: plan.slots.count + 1) }
        try statement.run()
    }

    /// Writes the differing slots of a row.
    func update(_ found: Comparison, with frame: ObjectFrame) throws {
        try writer.writePending()
        let statement = try statements.update(of: found.differing)
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
