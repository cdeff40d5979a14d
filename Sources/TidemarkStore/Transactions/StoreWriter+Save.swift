import TidemarkModel

extension StoreWriter {
    /// Saves a draft: writes what was changed in it, and keeps what was changed in the store.
    ///
    /// Each property is compared three ways: its value when the draft was made, its value in the
    /// draft, and its value in the store now.
    ///
    /// | changed in the draft | changed in the store | |
    /// |---|---|---|
    /// | yes | no, or to the same value | the draft's value is stored |
    /// | no | yes | the store's value is kept: ``DraftOutcome/changedInStore`` |
    /// | yes | yes | the policy decides: ``DraftOutcome/conflicts`` |
    ///
    /// ```swift
    /// func save(_ draft: Draft<User>, in store: Store) throws -> User {
    ///     try store.write { writer in try writer.save(draft, onConflict: .theirs).record }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - draft: The draft. One of a record that is not inserted yet inserts it.
    ///   - policy: What happens to a property that was changed in both.
    /// - Returns: What was written, and the record as it is now.
    /// - Throws: ``StoreError/Code/rowNotFound`` if the row was deleted; otherwise as
    ///   ``update(_:)``.
    @discardableResult
    public func save<Record: EntityRecord>(
        _ draft: Draft<Record>,
        onConflict policy: DraftConflictPolicy = .mine
    ) throws -> DraftOutcome<Record> {
        let plan = try writePlan(of: Record.self)
        let current = try plan.values(of: draft.current)
        let row = draft.base.rowID
        guard row.isSaved else {
            var record = draft.current
            record.rowID = .unsaved
            var found = FoundRows()
            let inserted = try insert(record, values: current, plan, &found)
            return DraftOutcome(
                record: inserted,
                changed: plan.binding.names,
                changedInStore: [],
                conflicts: [],
                isSaved: true
            )
        }
        let record = try existing(row)
        let comparison = try DraftComparison(
            base: plan.values(of: draft.base),
            current: current,
            stored: plan.values(of: record),
            policy: policy
        )
        try write(current, at: comparison.written, to: row.number, plan)
        return DraftOutcome(
            record: comparison.written.isEmpty ? record : try existing(row),
            changed: comparison.written.map(plan.name(at:)),
            changedInStore: comparison.changedInStore.map(plan.name(at:)),
            conflicts: comparison.conflicts.map { index, base, stored in
                DraftConflict(
                    property: plan.name(at: index),
                    base: base,
                    current: current[index],
                    stored: stored
                )
            },
            isSaved: !comparison.isStopped
        )
    }
}

/// The three-way comparison of a draft with the store.
private struct DraftComparison {
    /// The indexes of the properties whose values in the draft are written.
    private(set) var written: [Int] = []

    /// The indexes of the properties that were changed in the store alone.
    private(set) var changedInStore: [Int] = []

    /// The properties that were changed in both.
    private(set) var conflicts: [(index: Int, base: Value, stored: Value)] = []

    /// Whether a conflict prevents the draft from being written.
    let isStopped: Bool

    init(base: [Value], current: [Value], stored: [Value], policy: DraftConflictPolicy) {
        for index in base.indices {
            let isEdited = !base[index].isSame(as: current[index])
            let isChanged = !base[index].isSame(as: stored[index])
            switch (isEdited, isChanged) {
            case (false, false): break
            case (true, false): written.append(index)
            case (false, true): changedInStore.append(index)
            case (true, true):
                guard !current[index].isSame(as: stored[index]) else { continue }
                conflicts.append((index, base[index], stored[index]))
                if policy == .mine { written.append(index) }
            }
        }
        isStopped = policy == .stop && !conflicts.isEmpty
        if isStopped { written = [] }
    }
}
