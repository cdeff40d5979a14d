import GRDB
import TidemarkModel
import TidemarkStore

/// The row that an object was written to.
struct WrittenRow {
    let number: Int64
    let isNew: Bool

    /// Whether the row was left unchanged because the object breaks a rule.
    var isRejected = false

    /// Whether the row is still of another entity, so that nothing can be linked to it.
    var isOfOtherEntity = false
}

/// The row of an object.
extension ObjectImport {
    /// Returns whether the row of the object may be written: inserted if it does not exist,
    /// otherwise updated.
    func mayWriteRow() throws -> Bool {
        let operations = context.operations.intersection([.insert, .update])
        // With both or neither of the operations the row need not be searched for.
        guard operations == .insert || operations == .update else { return !operations.isEmpty }
        let isStored =
            switch context.row {
            case .byKey: try entity.rows.compare(byKey: frame, isTyped: context.isTyped) != nil
            case .number, .atPosition, .candidate: true
            case .new: false
            }
        return operations == (isStored ? .update : .insert)
    }

    /// Finds the row and writes what differs, or inserts a row; nil if there is no row to be
    /// written.
    func write() throws -> WrittenRow? {
        if let number = try insertUnseen() {
            recordItem(number)
            return WrittenRow(number: number, isNew: true)
        }
        guard var found = try find() ?? findUnpushed() else {
            guard context.operations.contains(.insert) else {
                reportOmitted("inserted", lacking: "insertRelationships")
                return nil
            }
            guard try !isKeyTaken(), let number = try insert() else { return nil }
            recordItem(number)
            return WrittenRow(number: number, isNew: true)
        }
        switch try keyOwner(found) {
        case .row: break
        case .other: return nil
        case .undecided:
            return WrittenRow(number: found.number, isNew: false, isRejected: true)
        }
        if let resolver = run.resolver { try merge(&found, by: resolver) }
        if !recordItem(found.number) { reportRepetition() }
        try reportSecondParent(found)
        let mayUpdate = context.operations.contains(.update)
        if found.isDifferent, !mayUpdate {
            reportOmitted("updated", lacking: "updateRelationships")
        }
        let isRejected = try found.isDifferent && mayUpdate && !update(found)
        if isRejected, context.row.isPresumed { return nil }
        return WrittenRow(
            number: found.number,
            isNew: false,
            isRejected: isRejected,
            isOfOtherEntity: found.otherEntity != nil && (isRejected || !mayUpdate)
        )
    }

    /// Records the row of an item, and returns whether it is the first item of the transaction with
    /// this row.
    @discardableResult
    private func recordItem(_ number: Int64) -> Bool {
        !context.isItem || entity.progress.items.insert(number)
    }

    /// Finds the row, and compares it with the object.
    private func find() throws -> EntityRows.Comparison? {
        switch context.row {
        case .byKey:
            return try entity.rows.compare(byKey: frame, isTyped: context.isTyped)
        case .number(let number):
            return try entity.rows.compare(number, with: frame, isTyped: context.isTyped)
        case .atPosition(let number), .candidate(let number):
            // An object that will be rejected is not compared with the row at its position: what is
            // nested in it would be written there.
            guard !frame.isRejected, entity.rows.violation(ofNew: frame) == nil else { return nil }
            return try entity.rows.compare(number, with: frame, isTyped: context.isTyped)
        case .new:
            return nil
        }
    }

    /// Inserts the row without searching for its key, if the previous objects were new; nil if the
    /// row may exist, or if it might be rejected.
    private func insertUnseen() throws -> Int64? {
        // Any object that might be rejected takes the regular path, which reports the reason.
        guard run.resolver == nil, entity.rows.expectsNewRow, !frame.isRejected,
            case .byKey = context.row,
            context.operations.contains(.insert), !entity.plan.entity.isAbstract,
            entity.rows.violation(ofNew: frame) == nil,
            try entity.rows.isKeyIndexed(frame)
        else { return nil }
        return try entity.rows.insertIfNew(frame)
    }

    private func insert() throws -> Int64? {
        guard try mayBeWritten(), try !isRejected(by: entity.rows.violation(ofNew: frame)) else {
            return nil
        }
        var number: Int64?
        try rejectingConflicts(of: nil) { number = try entity.rows.insert(frame) }
        return number
    }

    /// Writes what differs from a row.
    ///
    /// Returns false if that breaks a rule.
    @discardableResult
    func update(_ found: EntityRows.Comparison) throws -> Bool {
        var found = found
        let old = try found.otherEntity.map(run.layout.entity)
        guard try mayBeWritten(isOfEntity: old == nil) else { return false }
        if let old, let slot = completeRetyped(&found, from: old) {
            return try !isRejected(by: .missing(slot))
        }
        let violation = entity.rows.violation(ofUpdate: frame, in: found.differing)
        guard try !isRejected(by: violation) else { return false }
        if !found.differing.isEmpty {
            // Rows without a key that lose their last link are deleted: the links have to be
            // recorded before they are replaced.
            for relationship in entity.relationships {
                guard let slot = relationship.slot, found.differing.contains(slot) else { continue }
                try run.writer.recordReplacedLink(relationship.layout, of: found.number)
            }
            // A candidate row may belong to another object, so the conflict is recorded as that of
            // a new row.
            let row: Int64? = if case .candidate = context.row { nil } else { found.number }
            let isStored = try rejectingConflicts(of: row) {
                try entity.rows.update(found, with: frame)
            }
            guard isStored else { return false }
        }
        if let old { try retype(found.number, from: old) }
        return true
    }

    // MARK: Rejection

    /// Returns whether the object may become a row, and rejects it otherwise.
    private func mayBeWritten(isOfEntity: Bool = false) throws -> Bool {
        guard !frame.isRejected else {
            run.log.skip(entity.name)
            return false
        }
        guard isOfEntity || !entity.plan.entity.isAbstract else {
            try reject("The entity is abstract: no row can be of it.")
            return false
        }
        return true
    }

    /// Rejects the object if there is a violation.
    private func isRejected(by violation: EntityRows.Violation?) throws -> Bool {
        guard let violation else { return false }
        try report(invalid: violation.sentence, slot: violation.slot)
        run.log.skip(entity.name)
        return true
    }

    /// Runs `body`, which writes a row, and rejects the row if it violates a constraint of the
    /// database.
    ///
    /// If another row has a unique value of the row, the item is postponed instead: the other row
    /// may get another value or be deleted.
    ///
    /// - Parameters:
    ///   - row: The row number; nil for a row to be inserted.
    ///   - body: Writes the row.
    /// - Returns: Whether the row was written.
    /// - Throws: An error that ends the import.
    @discardableResult
    private func rejectingConflicts(of row: Int64?, _ body: () throws -> Void) throws -> Bool {
        do {
            try body()
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            if error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE, run.retries.request() {
                try recordConflict(of: row)
                return false
            }
            try reject("The row breaks a rule of the store: \(error.message ?? "a constraint").")
            return false
        }
    }

    /// Records the unique values that the row is to have, while conflicts are resolved.
    private func recordConflict(of row: Int64?) throws {
        guard let conflicts = run.retries.conflicts, let item = run.retries.current else { return }
        let slots = entity.plan.slots
        try conflicts.add(row, in: entity.plan.entity.table, for: item) { column in
            guard let slot = slots.firstIndex(where: { $0.column == column }) else { return nil }
            if frame.isGiven[slot] { return frame.values[slot] }
            return row == nil ? entity.rows.rules.defaults[slot] : nil
        } position: { column in
            slots.first { $0.column == column }?.position
        }
    }
}
