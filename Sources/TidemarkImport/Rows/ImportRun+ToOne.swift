import TidemarkJSON
import TidemarkModel
import TidemarkStore

extension ImportRun {
    /// Returns whether an object has the parent within which its key is unique, stored or not.
    func hasParent(_ place: Int, _ entity: EntityImport, _ frame: ObjectFrame) -> Bool {
        let isHeld = if case .one(.hold) = frame.links[place].pending { true } else { false }
        guard let slot = entity.relationships[place].slot else {
            return isHeld && options.unresolved == .hold
        }
        guard frame.isGiven[slot] else { return false }
        return if case .integer = frame.values[slot] { true } else { isHeld }
    }

    /// The value of a to-one relationship.
    enum ToOne {
        case untouched
        case null
        case row(Int64)
        /// The row is not stored; its key is in the frame.
        case missing
        /// An object without any part of a key is written to the linked row.
        case fill(Int)
        /// An object with a key, or with a part of one, is imported first.
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
                // An object that is null next to a reference is not a value.
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

    /// Resolves the references under the names that contain nothing else.
    private func referenced(
        _ node: JSONNode,
        _ relationship: RelationshipPlan,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) throws -> ToOne {
        let destination = try self.entity(relationship.layout.destination)
        let parts = frame.references + relationship.firstPart
        guard (0..<relationship.keyPartCount).allSatisfy({ parts[$0] >= 0 }) else {
            // A null part means that there is no row, whatever the other parts are.
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

    /// Reports a value that is neither a reference nor an object that can be stored.
    ///
    /// Returns the outcome according to the policy for invalid values: the only default of a
    /// relationship is null.
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

    /// Processes the row of an embedded object.
    ///
    /// The row of a rejected object is not stored.
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

    /// Makes a to-one relationship an unresolved reference.
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

    /// Sets the parent, within which its key is unique, of an object that is nested in an object
    /// without a row.
    ///
    /// Its key is complete, although the parent is not stored.
    func holdContainer(
        of task: ObjectTask,
        _ relationship: RelationshipPlan,
        _ key: [StoredValue]
    ) {
        guard relationship.isParentInKey, let place = relationship.inverse else { return }
        let parent = task.entity.relationships[place]
        guard key.count == parent.keyPartCount else { return }
        hold(key, parent, task.frame, place)
        // The frame may still contain the value of the previous object.
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
            // The row that is unlinked belongs to this one, and is deleted if nothing else links
            // it: the link has to be read before it is overwritten.
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

    /// Returns whether an object has any part of its entity's key, usable or not.
    ///
    /// Such an object refers to the row with that key. If the key is unusable, it refers to an
    /// unknown row, and must not be written to the linked row, which other rows may share.
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
