import GRDB
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The import of one entity's objects in one transaction: its plan, its statements and its sets of
/// rows.
final class EntityImport {
    let plan: ImportPlan
    let table: TableLayout

    /// The rows of the table that the document contains so far.
    let seen: RowSet

    /// The rows that were first seen in this transaction.
    let counted: RowSet

    /// The rows seen in this transaction that had been seen before.
    let namedAgain: RowSet

    /// The rows of the list's items in this transaction.
    let items: RowSet

    /// The rows of the list's items in earlier transactions.
    let itemsBefore: RowSet

    /// The changes in the table.
    let changes: StoreChanges.Table

    /// The rows of which only links have changed.
    let relinked: RowSet

    let writer: StoreWriter
    private let defaults: [StoredValue]
    private let defaultArena = ValueArena()
    private var freeFrame: ObjectFrame?
    private var updates: [ColumnMask: RowStatement] = [:]

    /// Finds the targets of member names.
    let reading: MemberNames

    /// Finds the entity that an object names; nil if the entity has no discriminator.
    let entityReading: DiscriminatorReader?

    /// The entity's name, as stored in rows.
    private let entityName: StoredValue

    /// The relationships of the plan.
    let relationships: [RelationshipPlan]

    /// For each relationship: the rows whose links the document has specified.
    let given: [RowSet]

    /// The slots whose values must satisfy a rule.
    private let rules: [(slot: Int, rule: ValueRule)]

    /// The slots whose transformer is not registered.
    let untransformed: [Int]

    /// The conversions of the attributes' values.
    private let conversions: [SlotConversion]

    /// The conversions by slot.
    ///
    /// They are retained by ``conversions``, so that using one does not retain it.
    private let conversionOfSlot: UnsafeMutablePointer<Unmanaged<SlotConversion>>

    init(
        _ plan: ImportPlan,
        _ writer: StoreWriter,
        seen: RowSet,
        counted: RowSet,
        namedAgain: RowSet,
        items: RowSet,
        itemsBefore: RowSet,
        relinked: RowSet
    ) {
        self.plan = plan
        self.writer = writer
        self.seen = seen
        self.counted = counted
        self.namedAgain = namedAgain
        self.items = items
        self.itemsBefore = itemsBefore
        self.relinked = relinked
        table = writer.layout.tables[plan.entity.table]
        changes = writer.changes.table(table.name)
        reading = MemberNames(plan)
        entityReading = plan.discriminator.map(DiscriminatorReader.init)
        relationships = plan.relationships
        given = plan.relationships.map { writer.rowsWithCompleteLinks($0.layout) }
        rules = plan.slots.enumerated().compactMap { slot, content in
            content.rule.map { (slot, $0) }
        }
        untransformed = plan.slots.indices.filter { plan.slots[$0].missingTransformer != nil }
        conversions = plan.slots.compactMap(\.coercion).map(SlotConversion.init)
        conversionOfSlot = .allocate(capacity: max(1, conversions.count))
        for (slot, conversion) in conversions.enumerated() {
            (conversionOfSlot + slot).initialize(to: .passUnretained(conversion))
        }
        let arena = defaultArena
        entityName = .text(arena.copy(plan.entity.name))
        defaults = plan.slots.map { $0.defaultValue?.stored(in: arena) ?? .null }
    }

    deinit {
        conversionOfSlot.deallocate()
    }

    /// Converts the value of an attribute.
    @inline(__always)
    func coerce(_ slot: Int, _ value: JSONNode, into arena: ValueArena) -> CoercionResult {
        conversionOfSlot[slot]._withUnsafeGuaranteedRef {
            $0.coercion.coerce(value, into: arena)
        }
    }

    /// Converts a part of a primary key.
    func coerceKey(_ slot: Int, _ value: JSONNode, into arena: ValueArena) -> CoercionResult {
        conversionOfSlot[slot]._withUnsafeGuaranteedRef {
            $0.coercion.coerceKey(value, into: arena)
        }
    }

    // MARK: Frames

    func takeFrame() -> ObjectFrame {
        guard let frame = freeFrame else { return ObjectFrame(plan) }
        freeFrame = frame.nextFree
        frame.nextFree = nil
        frame.clear()
        return frame
    }

    func giveBack(_ frame: ObjectFrame) {
        frame.nextFree = freeFrame
        freeFrame = frame
    }

    // MARK: Statements

    var tableName: String { table.name.quotedDatabaseIdentifier }

    func name(_ slot: Int) -> String {
        table.columns[plan.slots[slot].column].name.quotedDatabaseIdentifier
    }

    private lazy var keyCondition = plan.key.map { "\(name($0)) = ?" }.joined(separator: " AND ")

    private(set) lazy var columns: String = {
        let entity = table.hasEntityColumn ? ["_entity"] : []
        return (["_id"] + plan.slots.indices.map(name) + entity).joined(separator: ", ")
    }()

    /// Finds a row by its key.
    ///
    /// The columns are `_id`, the slots and, if the table has it, `_entity`.
    private lazy var findByKey = Result {
        try writer.statement("SELECT \(columns) FROM \(tableName) WHERE \(keyCondition)")
    }

    private lazy var findByNumber = Result {
        try writer.statement("SELECT \(columns) FROM \(tableName) WHERE _id = ?")
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

    private lazy var insertion = Result { try writer.statement(insertionSQL) }

    private lazy var insertionIfNew = Result {
        // A conflict of any other unique value must still be an error.
        let key = plan.key.map(name).joined(separator: ", ")
        return try writer.statement("\(insertionSQL) ON CONFLICT (\(key)) DO NOTHING")
    }

    private var insertionSQL: String {
        let entity = table.hasEntityColumn ? ["_entity"] : []
        let names = plan.slots.indices.map(name) + entity
        guard !names.isEmpty else {
            return "INSERT INTO \(tableName) DEFAULT VALUES"
        }
        let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
        return "INSERT INTO \(tableName) (\(names.joined(separator: ", "))) VALUES (\(marks))"
    }

    private func update(_ mask: ColumnMask) throws -> RowStatement {
        if let statement = updates[mask] { return statement }
        let slots = plan.slots.indices.filter(mask.contains)
        // A row that is removed from an ordered list loses its position there.
        let places = slots.compactMap { plan.slots[$0].position }.map {
            "\(table.columns[$0].name.quotedDatabaseIdentifier) = NULL"
        }
        let list = slots.map { "\(name($0)) = ?" } + places
        let statement = try writer.statement(
            "UPDATE \(tableName) SET \(list.joined(separator: ", ")) WHERE _id = ?"
        )
        updates[mask] = statement
        return statement
    }

    // MARK: Rows

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
    func compare(byKey frame: ObjectFrame, _ context: ObjectContext) throws -> Comparison? {
        let statement = try findByKey.get()
        for (index, slot) in plan.key.enumerated() {
            statement.bind(frame.values[slot], at: index + 1)
        }
        let found =
            try compare(statement, frame, context)
            ?? (plan.keyRelationships.isEmpty ? nil : compareHeld(frame, context))
        newInSuccession = found == nil ? newInSuccession + 1 : 0
        return found
    }

    /// The number of consecutive objects whose key was not found.
    private var newInSuccession = 0

    /// Whether the next object is probably a new row, too.
    var expectsNewRow: Bool { newInSuccession >= 16 }

    /// Compares a row with a frame.
    func compare(
        _ number: Int64,
        with frame: ObjectFrame,
        _ context: ObjectContext
    ) throws -> Comparison? {
        let statement = try findByNumber.get()
        statement.bind(number, at: 1)
        return try compare(statement, frame, context)
    }

    func compare(
        _ statement: RowStatement,
        _ frame: ObjectFrame,
        _ context: ObjectContext
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
            otherEntity: otherEntity(statement, context)
        )
    }

    private func otherEntity(_ statement: RowStatement, _ context: ObjectContext) -> String? {
        guard table.hasEntityColumn, plan.entity.family != nil || context.isTyped,
            !statement.holds(entityName, at: plan.slots.count + 1),
            case .text(let bytes) = statement.value(at: plan.slots.count + 1)
        else { return nil }
        let entity = String(decoding: bytes, as: UTF8.self)
        if context.isTyped { return entity }
        return plan.entity.family?.contains(entity) == false ? entity : nil
    }

    /// Inserts a row with the values of a frame, and defaults for those that it lacks.
    func insert(_ frame: ObjectFrame) throws -> Int64 {
        try run(insertion.get(), frame)
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
            try run(insertionIfNew.get(), frame)
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

    private func run(_ statement: RowStatement, _ frame: ObjectFrame) throws {
        for slot in 0..<plan.slots.count {
            statement.bind(
                frame.isGiven[slot] ? frame.values[slot] : defaults[slot],
                at: slot + 1
            )
        }
        if table.hasEntityColumn { statement.bind(entityName, at: plan.slots.count + 1) }
        try statement.run()
    }

    /// Writes the differing slots of a row.
    func update(_ number: Int64, _ differing: ColumnMask, _ frame: ObjectFrame) throws {
        let statement = try update(differing)
        var mark = 1
        var columns = ColumnMask()
        for slot in 0..<plan.slots.count where differing.contains(slot) {
            statement.bind(frame.values[slot], at: mark)
            columns.insert(plan.slots[slot].column)
            mark += 1
        }
        statement.bind(number, at: mark)
        try statement.run()
        changes.update(number, columns: columns)
        if plan.key.contains(where: differing.contains) {
            writer.recordKeyChange(of: number, in: plan.entity.table)
        }
    }

    /// Returns the first of the given slots whose value breaks its rule, and the rule as a
    /// sentence.
    func violation(
        _ frame: ObjectFrame,
        in slots: (Int) -> Bool
    ) -> (slot: Int, sentence: String)? {
        for (slot, rule) in rules where slots(slot) {
            if let sentence = rule.violation(frame.values[slot]) { return (slot, sentence) }
        }
        return nil
    }

    /// Returns the first slot whose value in a new row breaks its rule, including defaults.
    func violation(ofNew frame: ObjectFrame) -> (slot: Int, sentence: String)? {
        for (slot, rule) in rules {
            let value = frame.isGiven[slot] ? frame.values[slot] : defaults[slot]
            if let sentence = rule.violation(value) { return (slot, sentence) }
        }
        return nil
    }

    /// Returns the default value of a slot in a new row.
    func defaultValue(_ slot: Int) -> StoredValue { defaults[slot] }

    /// Returns whether an object can be inserted as a new row: no required value is missing, and no
    /// rule is broken.
    func couldInsert(_ frame: ObjectFrame) -> Bool {
        missing(frame, isNew: true) == nil && violation(ofNew: frame) == nil
    }

    /// Returns the first slot that requires a value and gets none, neither from the frame nor, in a
    /// new row, from a default.
    func missing(_ frame: ObjectFrame, isNew: Bool) -> Int? {
        plan.slots.indices.first { slot in
            guard plan.slots[slot].isRequired else { return false }
            if frame.isGiven[slot] { return frame.values[slot].isNull }
            return isNew && defaults[slot].isNull
        }
    }
}

/// The conversion of a slot's values.
private final class SlotConversion {
    let coercion: Coercion

    init(_ coercion: Coercion) {
        self.coercion = coercion
    }
}

extension StoredValue {
    var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
