import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The attributes of an object, and the policy for values that do not convert or that break a rule
/// of the model.
extension ObjectImport {
    /// Reads the attributes into the frame, including the key.
    func readAttributes() throws {
        readMembers()
        for slot in entity.plan.key where slot < entity.plan.attributeCount {
            _ = try readKey(slot: slot)
        }
        try readValues()
    }

    /// Reads the attributes that are not part of the key into the frame.
    func readValues() throws {
        if context.isWhole, !lacksRequiredValue { clearAbsent() }
        for slot in 0..<entity.plan.attributeCount {
            let token = Int(frame.tokens[slot])
            guard token >= 0, !frame.isGiven[slot], !entity.plan.isKey(slot) else {
                if token < 0, frame.ranks[slot] == ObjectFrame.clearedRank {
                    frame.set(.null, slot: slot)
                }
                continue
            }
            let value = node.node(at: token)
            switch entity.coerce(value, slot: slot, into: run.arena) {
            case .value(let stored):
                frame.set(stored, slot: slot)
                reportLoss(of: value, storedAs: stored, slot: slot)
            case .failure(let failure):
                try replace(slot: slot, because: failure.sentence())
            case .ignored:
                continue
            }
        }
        entity.names.sample.attributes?.add(frame, of: node)
        // Before the row is searched for, so that replacements are compared like any other value.
        if run.options.invalid.replacesValues { try replaceInvalidValues() }
        for slot in entity.untransformed where frame.tokens[slot] >= 0 {
            reportUntransformed(slot: slot)
        }
    }

    /// Whether the object is evidently only a part, such as the changed members alone: it lacks a
    /// value that every object has.
    private var lacksRequiredValue: Bool {
        (0..<entity.plan.attributeCount).contains { slot in
            entity.plan.slots[slot].isInEveryObject && isAbsent(slot)
        }
    }

    private func isAbsent(_ slot: Int) -> Bool {
        frame.tokens[slot] < 0 && frame.ranks[slot] == .max && !frame.isGiven[slot]
    }

    /// Clears the properties that the object does not contain.
    private func clearAbsent() {
        for slot in 0..<entity.plan.attributeCount where entity.plan.slots[slot].isCleared {
            if isAbsent(slot) { frame.set(entity.rows.rules.defaults[slot], slot: slot) }
        }
        for relationship in entity.relationships where relationship.isUnlinked {
            let index = relationship.index
            guard frame.links[index].isAbsent, context.parent?.relationship != index,
                !entity.plan.keyRelationships.contains(index)
            else { continue }
            frame.clearLink(index)
        }
    }

    /// Reports the value of an attribute, and replaces it as the policy says.
    ///
    /// Most policies are applied before the row is searched for, so that a row with one invalid
    /// value is still updated with the others.
    private func replace(slot: Int, because message: String) throws {
        try report(invalid: message, slot: slot)
        switch run.options.invalid {
        case .skip, .abort: frame.isGiven[slot] = false
        case .null: substitute(.null, slot: slot)
        case .default: substitute(entity.rows.rules.defaults[slot], slot: slot)
        case .skipRow: frame.isRejected = true
        }
    }

    /// Replaces the values that break a rule.
    private func replaceInvalidValues() throws {
        for slot in 0..<entity.plan.attributeCount
        where frame.isGiven[slot] && !entity.plan.isKey(slot) {
            if let sentence = entity.plan.slots[slot].rule?.violation(frame.values[slot]) {
                try replace(slot: slot, because: sentence)
            } else if entity.plan.slots[slot].isRequired, frame.values[slot].isNull {
                try replace(slot: slot, because: EntityRows.Violation.missing(slot).sentence)
            }
        }
    }

    /// Stores another value.
    ///
    /// A required attribute keeps its stored value if the other value is null.
    private func substitute(_ value: StoredValue, slot: Int) {
        if value.isNull, entity.plan.slots[slot].isRequired {
            frame.isGiven[slot] = false
        } else {
            frame.set(value, slot: slot)
        }
    }

    private func reportUntransformed(slot: Int) {
        let name = entity.plan.slots[slot].missingTransformer ?? ""
        let outcome = frame.isGiven[slot] ? "imported unchanged" : "left out"
        record(
            "No transformer “\(name)” is registered: the value was \(outcome).",
            path: path(ofSlot: slot),
            value: node.node(at: Int(frame.tokens[slot]))
        )
    }

    // MARK: Coverage

    /// Records the values that the object contains for a verification; only the row if it was
    /// rejected.
    func record(_ row: WrittenRow, in coverage: StoreCoverage) {
        let table = entity.plan.entity.table
        coverage.add(row.number, in: table)
        guard !row.isRejected else { return }
        for slot in entity.plan.slots.indices where frame.isGiven[slot] {
            coverage.add(entity.plan.slots[slot].column, of: row.number, in: table)
        }
    }
}
