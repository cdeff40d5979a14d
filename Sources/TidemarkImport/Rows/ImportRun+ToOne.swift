import TidemarkModel
import TidemarkStore

extension ImportRun {
    /// Whether an object has the parent within which its key is unique, be it here or not.
    func hasParent(_ place: Int, _ entity: EntityImport, _ frame: ObjectFrame) -> Bool {
        let isHeld = if case .one(.hold) = frame.links[place].pending { true } else { false }
        guard let slot = entity.relationships[place].slot else {
            return isHeld && options.unresolved == .hold
        }
        guard frame.isGiven[slot] else { return false }
        return if case .integer = frame.values[slot] { true } else { isHeld }
    }

    /// What a to-one relationship is to become.
    enum ToOne {
        case untouched
        case null
        case row(Int64)
        /// The row is not here; its key stands in the frame.
        case missing
        /// An object without any part of a key fills the linked row.
        case fill(Int)
        /// An object with a key, or with a part of one: it is imported first.
        case embedded(JSONNode)
    }

    func toOne(
        _ node: JSONNode,
        _ relationship: RelationshipPlan,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ place: Int
    ) throws -> ToOne {
        let source = frame.links[place]
        let destination = try self.entity(relationship.layout.destination)
        if source.objects >= 0 {
            let value = node.node(at: Int(source.objects))
            switch value.kind {
            case .object:
                return try objectOrPointer(value, relationship, entity, frame, node)
            case .null:
                // An object that is null beside a reference says nothing.
                if !source.hasReferences { return .null }
            case .array:
                let message = "One object was expected here."
                return try reject(message, value, relationship, entity, frame, node)
            case .string, .number, .true, .false:
                let reference = try reference(value, destination, relationship)
                return try toOne(reference, relationship, entity, frame, node, value)
            }
        }
        if source.isCleared, !source.hasReferences { return .null }
        return try referenced(node, relationship, entity, frame)
    }

    /// Follows the references under the names that hold nothing else.
    private func referenced(
        _ node: JSONNode,
        _ relationship: RelationshipPlan,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) throws -> ToOne {
        let destination = try self.entity(relationship.layout.destination)
        let parts = frame.references + relationship.firstPart
        guard (0..<relationship.keyPartCount).allSatisfy({ parts[$0] >= 0 }) else {
            // A part that is null leads nowhere, whatever the others are.
            let given = (0..<relationship.keyPartCount).filter { parts[$0] >= 0 }
                .map { node.node(at: Int(parts[$0])) }
            guard let part = given.first else { return .untouched }
            if given.contains(where: { $0.kind == .null }) { return .null }
            let message =
                "The reference has \(given.count) of the \(relationship.keyPartCount) parts of the key "
                + "of \(destination.plan.entity.name)."
            return try reject(message, part, relationship, entity, frame, node)
        }
        let first = node.node(at: Int(parts[0]))
        guard relationship.keyPartCount > 1 else {
            if first.kind == .object {
                return try objectOrPointer(first, relationship, entity, frame, node)
            }
            let reference = try reference(first, destination, relationship)
            return try toOne(reference, relationship, entity, frame, node, first)
        }
        let nodes = (0..<relationship.keyPartCount).map { node.node(at: Int(parts[$0])) }
        let reference = try reference(nodes, destination, relationship)
        return try toOne(reference, relationship, entity, frame, node, first)
    }

    private func toOne(
        _ reference: Reference,
        _ relationship: RelationshipPlan,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ node: JSONNode,
        _ value: JSONNode
    ) throws -> ToOne {
        switch reference {
        case .row(let number): return .row(number)
        case .null: return .null
        case .missing:
            for part in 0..<relationship.keyPartCount {
                frame.missingKeys[relationship.firstPart + part] = keyParts[part]
            }
            return .missing
        case .unusable(let reason):
            return try reject(reason.sentence, value, relationship, entity, frame, node)
        }
    }

    /// Reports a value that is no reference and no object to be stored, and returns what the policy
    /// for invalid values makes of it: a relationship has no default but null.
    private func reject(
        _ message: String,
        _ value: JSONNode,
        _ relationship: RelationshipPlan,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ node: JSONNode
    ) throws -> ToOne {
        let path = path(relationship, node, entity, frame)
        try report(invalid: message, path, node, entity, frame, value)
        switch options.invalid {
        case .skip, .abort: return .untouched
        case .null, .default: return .null
        case .skipRow:
            frame.isRejected = true
            return .untouched
        }
    }

    /// Takes the row of an object that was embedded; a refused one is not here.
    func receive(
        _ row: Int64?,
        _ relationship: RelationshipPlan,
        _ frame: ObjectFrame,
        _ place: Int
    ) {
        if let row { return apply(.row(row), relationship, frame, place) }
        guard refusedKey.count == relationship.keyPartCount else {
            return apply(.untouched, relationship, frame, place)
        }
        hold(refusedKey, relationship, frame, place)
    }

    /// Makes a to-one relationship wait for a row that is not stored.
    private func hold(
        _ key: [StoredValue],
        _ relationship: RelationshipPlan,
        _ frame: ObjectFrame,
        _ place: Int
    ) {
        for (part, value) in key.enumerated() {
            frame.missingKeys[relationship.firstPart + part] = value
        }
        apply(.missing, relationship, frame, place)
    }

    /// Gives an object that is nested in one without a row the parent within which its key is
    /// unique: its key is complete, although the parent is not stored.
    func holdContainer(
        of task: ObjectTask,
        _ relationship: RelationshipPlan,
        _ key: [StoredValue]
    ) {
        guard relationship.isParentInKey, let place = relationship.inverse else { return }
        let parent = task.entity.relationships[place]
        guard key.count == parent.keyPartCount else { return }
        hold(key, parent, task.frame, place)
        // The frame may have the value of the object before it.
        if let slot = parent.slot { task.frame.set(slot, .null) }
    }

    func apply(
        _ outcome: ToOne,
        _ relationship: RelationshipPlan,
        _ frame: ObjectFrame,
        _ place: Int
    ) {
        switch outcome {
        case .untouched, .embedded:
            frame.links[place].pending = .none
        case .fill(let token):
            frame.links[place].pending = .one(.fill(token))
        case .null where relationship.leadsToKeyless:
            // The row that is unlinked belongs to this one: it has to be known.
            frame.links[place].pending = .one(.unlink)
        case .null:
            setLink(.null, relationship, frame, place, otherwise: .unlink)
        case .row(let number):
            setLink(.integer(number), relationship, frame, place, otherwise: .link(number))
        case .missing:
            frame.links[place].pending = .one(.hold)
            if let slot = relationship.slot, options.unresolved == .hold {
                frame.set(slot, .null)
            }
        }
    }

    private func setLink(
        _ value: StoredValue,
        _ relationship: RelationshipPlan,
        _ frame: ObjectFrame,
        _ place: Int,
        otherwise pending: ObjectFrame.PendingLink
    ) {
        if let slot = relationship.slot {
            frame.set(slot, value)
            frame.links[place].pending = .one(.release)
        } else {
            frame.links[place].pending = .one(pending)
        }
    }

    // MARK: Objects

    private func objectOrPointer(
        _ value: JSONNode,
        _ relationship: RelationshipPlan,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ node: JSONNode
    ) throws -> ToOne {
        let destination = try self.entity(relationship.layout.destination)
        if let key = value.pointerKey {
            let reference = try reference(key, destination, relationship)
            return try toOne(reference, relationship, entity, frame, node, key)
        }
        guard !value.isRelation else { return .untouched }
        let named = try namedEntity(value, destination) ?? destination
        return hasKeyPart(value, named) ? .embedded(value) : .fill(value.index)
    }

    /// Whether an object has any part of its entity's key, be it usable or not.
    ///
    /// It is about the row with that key then. Without a usable one it is about an unknown row, and
    /// must not be written to the linked one, which other rows may share.
    private func hasKeyPart(_ node: JSONNode, _ entity: EntityImport) -> Bool {
        let reading = entity.reading
        return entity.plan.key.contains { slot in
            slot < entity.plan.attributeCount && reading.value(of: slot, in: node) != nil
        }
            || entity.plan.keyRelationships.contains {
                reading.hasValue(ofRelationship: $0, in: node)
            }
    }
}
