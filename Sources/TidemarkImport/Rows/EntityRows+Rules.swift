import TidemarkModel
import TidemarkStore

/// What the model specifies about the values of an entity's rows.
struct RowRules {
    /// The default value of each slot in a new row; null if it has none.
    let defaults: [StoredValue]

    /// The entity's name, as stored in rows.
    let entityName: StoredValue

    /// The slots whose values must satisfy a rule.
    let rules: [(slot: Int, rule: ValueRule)]

    /// The memory of the values.
    private let arena = ValueArena()

    init(_ plan: ImportPlan) {
        let arena = arena
        entityName = .text(arena.copy(plan.entity.name))
        defaults = plan.slots.map { $0.defaultValue?.stored(in: arena) ?? .null }
        rules = plan.slots.enumerated().compactMap { slot, content in
            content.rule.map { (slot, $0) }
        }
    }
}

/// Violations of the model's rules, found before a row is written.
extension EntityRows {
    /// A rule that a value breaks.
    struct Violation {
        let slot: Int
        /// The rule as a sentence.
        let sentence: String

        /// The violation of a required value that a new row lacks.
        static func missing(_ slot: Int) -> Violation {
            Violation(slot: slot, sentence: "A row must have a value.")
        }
    }

    /// Returns the first rule that an update of a row with the differing values of a frame breaks.
    func violation(ofUpdate frame: ObjectFrame, in differing: ColumnMask) -> Violation? {
        if let slot = missing(frame, isNew: false) {
            return Violation(slot: slot, sentence: "An update may not clear it.")
        }
        for (slot, rule) in rules.rules where differing.contains(slot) {
            if let sentence = rule.violation(frame.values[slot]) {
                return Violation(slot: slot, sentence: sentence)
            }
        }
        return nil
    }

    /// Returns the first rule that a new row with the values of a frame breaks, including defaults.
    func violation(ofNew frame: ObjectFrame) -> Violation? {
        if let slot = missing(frame, isNew: true) { return .missing(slot) }
        for (slot, rule) in rules.rules {
            let value = frame.isGiven[slot] ? frame.values[slot] : rules.defaults[slot]
            if let sentence = rule.violation(value) {
                return Violation(slot: slot, sentence: sentence)
            }
        }
        return nil
    }

    /// Returns the first slot that requires a value and gets none, neither from the frame nor, in a
    /// new row, from a default.
    private func missing(_ frame: ObjectFrame, isNew: Bool) -> Int? {
        plan.slots.indices.first { slot in
            guard plan.slots[slot].isRequired else { return false }
            if frame.isGiven[slot] { return frame.values[slot].isNull }
            return isNew && rules.defaults[slot].isNull
        }
    }
}

extension StoredValue {
    var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
