import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The primary key of an object.
///
/// ``keyValue(_:)`` is the only reader of the JSON values. Their uses are: the values of the row
/// (``readKey()``), the key as the document contains it, before anything is resolved
/// (``documentKey()``), the key as references to the row contain it (``referenceKey()``), and the
/// text in diagnostics (``keyText``).
extension ObjectImport {
    /// Returns the value of a part of the key; nil if the object does not contain it.
    ///
    /// A part that is a parent's is the value of a reference to that parent, or is found in the
    /// object that is embedded as the parent only by ``embeddedKeyValue(_:)``.
    func keyValue(_ part: ImportPlan.KeyPart) -> JSONNode? {
        if let slot = part.slot {
            return frame.tokens[slot] >= 0 ? node.node(at: Int(frame.tokens[slot])) : nil
        }
        guard let relationship = part.relationship.map({ entity.relationships[$0] }) else {
            return nil
        }
        let reference = Int(frame.references[relationship.firstPart + part.parentPart])
        if reference >= 0 { return node.node(at: reference) }
        guard let parent = objects(of: relationship) else { return nil }
        guard parent.kind == .object else { return relationship.keyPartCount == 1 ? parent : nil }
        return parent.pointerKey
    }

    /// Returns the value of a part of the key in the object that is embedded as the parent.
    private func embeddedKeyValue(_ part: ImportPlan.KeyPart) throws -> JSONNode? {
        guard let relationship = part.relationship.map({ entity.relationships[$0] }),
            let object = objects(of: relationship), object.kind == .object
        else { return nil }
        let parent = try run.destination(of: relationship)
        return parent.plan.keyParts[part.parentPart].slot.flatMap {
            parent.names.value(ofSlot: $0, in: object)
        }
    }

    /// Returns the value under a relationship's own name.
    func objects(of relationship: RelationshipPlan) -> JSONNode? {
        let token = Int(frame.links[relationship.index].objects)
        return token >= 0 ? node.node(at: token) : nil
    }

    // MARK: The values of the row

    /// Reads the primary key; false if the object cannot be imported without one.
    func readKey() throws -> Bool {
        var isComplete = !entity.plan.key.isEmpty
        for slot in entity.plan.key where slot < entity.plan.attributeCount {
            isComplete = try readKey(slot: slot) && isComplete
        }
        for relationship in entity.plan.keyRelationships {
            isComplete = hasParent(entity.relationships[relationship]) && isComplete
        }
        guard case .byKey = context.row, !isComplete else { return true }
        try rejectUnusableKey()
        return false
    }

    /// Reads a part of the key that is an attribute, and returns whether it has a usable value.
    func readKey(slot: Int) throws -> Bool {
        let token = Int(frame.tokens[slot])
        guard token >= 0 else { return false }
        let value = node.node(at: token)
        switch entity.coerceKey(value, slot: slot, into: run.arena) {
        case .value(let stored):
            // A null key is not a key: the row keeps its stored key.
            guard !stored.isNull else { return false }
            reportLoss(of: value, storedAs: stored, slot: slot)
            frame.set(stored, slot: slot)
            return true
        case .failure(let failure):
            try report(invalid: failure.sentence(), slot: slot)
            return false
        case .ignored:
            return false
        }
    }

    // MARK: The key for documents and references

    /// Returns the values of the key as the object contains them, including its parent's; nil if
    /// one is missing.
    ///
    /// If the object is in the list of a parent that is part of its key, that parent's key is used,
    /// even if the object names another one.
    func documentKey() throws -> [StoredValue]? {
        let parentKey = try containerKey()
        var values: [StoredValue] = []
        for (index, part) in entity.plan.keyParts.enumerated() {
            if let parentKey, part.relationship == context.parent?.relationship {
                values.append(parentKey.parts[part.parentPart].stored(in: run.arena))
                continue
            }
            guard let value = try keyValue(part) ?? embeddedKeyValue(part),
                case .value(let stored) = entity.coerceKey(value, part: index, into: run.arena),
                !stored.isNull
            else { return nil }
            values.append(stored)
        }
        return values.isEmpty ? nil : values
    }

    /// Returns the key of the stored row whose list contains the object.
    private func containerKey() throws -> RecordKey? {
        guard let parent = context.parent, let row = parent.row else { return nil }
        let destination = entity.relationships[parent.relationship].layout.destination
        return try run.reader.key(of: row, run.layout.entities[destination])
    }

    /// Returns the values of the key as references to the object contain them; empty if it has no
    /// key.
    func referenceKey() throws -> [StoredValue] {
        let plan = entity.plan
        guard plan.key.allSatisfy({ frame.isGiven[$0] }) else { return [] }
        guard !plan.keyRelationships.isEmpty else { return plan.key.map { frame.values[$0] } }
        var values: [StoredValue] = []
        for part in plan.keyParts {
            if let slot = part.slot {
                values.append(frame.values[slot])
                continue
            }
            guard let relationship = part.relationship.map({ plan.relationships[$0] }) else {
                return []
            }
            if let parent = frame.reference(in: relationship.slot) {
                guard let key = try storedKey(of: parent, by: relationship) else { return [] }
                values.append(key.parts[part.parentPart].stored(in: run.arena))
            } else {
                values.append(frame.missingKeys[relationship.firstPart + part.parentPart])
            }
        }
        return values
    }

    private func storedKey(
        of parent: Int64,
        by relationship: RelationshipPlan
    ) throws -> RecordKey? {
        try run.reader.key(of: parent, run.layout.entities[relationship.layout.destination])
    }

    // MARK: The text in diagnostics

    /// The primary key in diagnostics: the text of its value, or a list of several values.
    var keyText: String? {
        entity.plan.keyText { part, isOnly in
            // The parent that contains the object is used, even if the object names another one.
            storedKeyText(part) ?? keyValue(part).flatMap { part.text(of: $0, isOnly: isOnly) }
        }
    }

    /// Returns the text of a part of the key in the stored row of the object's parent.
    private func storedKeyText(_ part: ImportPlan.KeyPart) -> String? {
        guard let relationship = part.relationship.map({ entity.relationships[$0] }),
            let parent = frame.reference(in: relationship.slot)
        else { return nil }
        switch Result(catching: { try storedKey(of: parent, by: relationship) }) {
        case .success(let key): return key?.parts[part.parentPart].keyText
        // A diagnostic without a key is better than none.
        case .failure: return nil
        }
    }

    /// The JSON keys of the primary key.
    var keyPath: String {
        entity.plan.key.map(path(ofSlot:)).joined(separator: ", ")
    }
}

extension EntityImport {
    /// Returns the primary key of an object whose members have not been read, for diagnostics.
    func keyText(of node: JSONNode) -> String? {
        plan.keyText { part, isOnly in
            part.slot.flatMap { names.value(ofSlot: $0, in: node) }
                .flatMap { part.text(of: $0, isOnly: isOnly) }
        }
    }
}

extension ImportPlan {
    /// Returns a key as text: a single value, or a list of several; nil if one is missing.
    fileprivate func keyText(_ text: (KeyPart, _ isOnly: Bool) -> String?) -> String? {
        let parts = keyParts.compactMap { text($0, keyParts.count == 1) }
        guard parts.count == keyParts.count else { return nil }
        return parts.count > 1 ? "[\(parts.joined(separator: ","))]" : parts.first
    }
}

extension ImportPlan.KeyPart {
    /// Returns the text of a value; nil for null.
    fileprivate func text(of value: JSONNode, isOnly: Bool) -> String? {
        guard value.kind != .null else { return nil }
        // In a list, text is quoted, to distinguish it from a number.
        return value.kind == .string && (isOnly || isNumber)
            ? value.string : String(decoding: value.source, as: UTF8.self)
    }
}

extension Value {
    /// The value as a part of a key in a list.
    fileprivate var keyText: String? {
        switch self {
        case .null: nil
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .decimal(let text): text
        case .date(let seconds):
            DateFormat.microseconds(fromSeconds: seconds).map {
                "\"\(DateFormat.iso8601(.whenNeeded).string(from: $0))\""
            }
        case .string(let text), .uuid(let text), .uri(let text), .json(let text):
            Self.quoted(text)
        case .binary: nil
        }
    }

    private static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.string(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
