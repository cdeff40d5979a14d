import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The policy for values that do not convert or that break a rule of the model.
extension ImportRun {
    /// Rejects the value of an attribute.
    ///
    /// Most policies are applied before the row is searched for, so that a row with one invalid
    /// value is still updated with the others.
    func reject(
        _ message: String,
        _ slot: Int,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) throws {
        try report(invalid: message, slot, node, entity, frame)
        switch options.invalid {
        case .skip, .abort: frame.isGiven[slot] = false
        case .null: substitute(.null, slot, entity, frame)
        case .default: substitute(entity.defaultValue(slot), slot, entity, frame)
        case .skipRow: frame.isRejected = true
        }
    }

    /// Replaces the values that break a rule, if the options say so.
    func replaceInvalidValues(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) throws {
        for slot in 0..<entity.plan.attributeCount
        where frame.isGiven[slot] && !entity.plan.isKey(slot) {
            if let sentence = entity.plan.slots[slot].rule?.violation(frame.values[slot]) {
                try reject(sentence, slot, node, entity, frame)
            } else if entity.plan.slots[slot].isRequired, frame.values[slot].isNull {
                try reject("A row must have a value.", slot, node, entity, frame)
            }
        }
    }

    /// Stores another value.
    ///
    /// A required attribute keeps its stored value if the other value is null.
    private func substitute(
        _ value: StoredValue,
        _ slot: Int,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) {
        if value.isNull, entity.plan.slots[slot].isRequired {
            frame.isGiven[slot] = false
        } else {
            frame.set(slot, value)
        }
    }

    /// Reports the invalid value of an attribute, or throws if the policy is to abort.
    func report(
        invalid message: String,
        _ slot: Int,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) throws {
        let token = Int(frame.tokens[slot])
        let value = token >= 0 ? node.node(at: token) : nil
        try report(invalid: message, path(slot, node, entity, frame), node, entity, frame, value)
    }

    /// Reports invalid data, or throws if the policy is to abort.
    ///
    /// - Parameters:
    ///   - message: The problem in one sentence.
    ///   - path: The JSON key, if one member is concerned.
    ///   - node: The object.
    ///   - entity: The entity of the object.
    ///   - frame: The members of the object, as far as they have been read.
    ///   - value: The invalid value.
    /// - Throws: ``ImportError/Code/invalidRow``.
    func report(
        invalid message: String,
        _ path: String?,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame?,
        _ value: JSONNode? = nil
    ) throws {
        guard options.invalid == .abort else {
            return note(message, path, entity, frame, node, value, severity: .error)
        }
        let key = keyText(node, entity, frame).map { ":\($0)" } ?? ""
        let place = "\(entity.plan.entity.name)\(key)\(path.map { ", \($0)" } ?? "")"
        let shown = value.flatMap(excerpt).map { " (\($0))" }
        throw ImportError(
            .invalidRow,
            "\(log.cut(place)): \(log.cut(message))\(shown ?? "")",
            hint: "Correct the document, or use another policy for invalid values."
        )
    }
}
