import TidemarkModel
import TidemarkStore

extension ImportRun {
    /// Turns what an object says of its to-one relationships into row numbers, as far as that can
    /// be done before its own row is written.
    func readToOne(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ context: ObjectContext
    ) throws {
        for place in entity.relationships.indices where !frame.links[place].isAbsent {
            let relationship = entity.relationships[place]
            if relationship.isToMany {
                frame.links[place].pending = listSource(relationship, frame, place, node)
            } else if context.parent?.relationship != place || context.parent?.number == nil {
                let outcome = try toOne(node, relationship, entity, frame, place, context)
                apply(outcome, relationship, frame, place)
            }
        }
    }

    /// What a to-one relationship is to become.
    private enum ToOne {
        case untouched
        case null
        case row(Int64)
        /// The row is not here; its key stands in the frame.
        case missing
        case fill(Int)
    }

    private func toOne(
        _ node: JSONNode,
        _ relationship: RelationshipPlan,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ place: Int,
        _ context: ObjectContext
    ) throws -> ToOne {
        let source = frame.links[place]
        let destination = try self.entity(relationship.layout.destination)
        if source.objects >= 0 {
            let value = node.node(at: Int(source.objects))
            switch value.kind {
            case .object:
                return try objectOrPointer(value, relationship, entity, frame, node, context)
            case .null:
                // An object that is null beside a reference says nothing.
                if !source.hasReferences { return .null }
            case .array:
                note("One object was expected here.", relationship.path, entity, frame, node, value)
                return .untouched
            case .string, .number, .true, .false:
                let reference = try reference(value, destination, relationship)
                return toOne(reference, relationship, entity, frame, node, value)
            }
        }
        return try referenced(node, relationship, entity, frame, context)
    }

    /// Follows the references under the names that hold nothing else.
    private func referenced(
        _ node: JSONNode,
        _ relationship: RelationshipPlan,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ context: ObjectContext
    ) throws -> ToOne {
        let destination = try self.entity(relationship.layout.destination)
        let parts = frame.references + relationship.firstPart
        guard (0..<relationship.keyPartCount).allSatisfy({ parts[$0] >= 0 }) else {
            // A part that is null leads nowhere, whatever the others are.
            let isNull = (0..<relationship.keyPartCount).contains { part in
                parts[part] >= 0 && node.node(at: Int(parts[part])).kind == .null
            }
            return isNull ? .null : .untouched
        }
        let first = node.node(at: Int(parts[0]))
        guard relationship.keyPartCount > 1 else {
            if first.kind == .object {
                return try objectOrPointer(first, relationship, entity, frame, node, context)
            }
            let reference = try reference(first, destination, relationship)
            return toOne(reference, relationship, entity, frame, node, first)
        }
        let nodes = (0..<relationship.keyPartCount).map { node.node(at: Int(parts[$0])) }
        let reference = try reference(nodes, destination, relationship)
        return toOne(reference, relationship, entity, frame, node, first)
    }

    private func toOne(
        _ reference: Reference,
        _ relationship: RelationshipPlan,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ node: JSONNode,
        _ value: JSONNode
    ) -> ToOne {
        switch reference {
        case .row(let number): return .row(number)
        case .null: return .null
        case .missing:
            for part in 0..<relationship.keyPartCount {
                frame.missingKeys[relationship.firstPart + part] = keyParts[part]
            }
            return .missing
        case .unusable(let reason):
            note(reason.sentence, relationship.path, entity, frame, node, value)
            return .untouched
        }
    }

    private func apply(
        _ outcome: ToOne,
        _ relationship: RelationshipPlan,
        _ frame: ObjectFrame,
        _ place: Int
    ) {
        switch outcome {
        case .untouched:
            frame.links[place].pending = .none
        case .fill(let token):
            frame.links[place].pending = .one(.fill(token))
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
        _ node: JSONNode,
        _ context: ObjectContext
    ) throws -> ToOne {
        let destination = try self.entity(relationship.layout.destination)
        if let key = value.pointerKey {
            let reference = try reference(key, destination, relationship)
            return toOne(reference, relationship, entity, frame, node, key)
        }
        return value.isRelation
            ? .untouched : try embedded(value, relationship, destination, frame, context)
    }

    private func embedded(
        _ value: JSONNode,
        _ relationship: RelationshipPlan,
        _ destination: EntityImport,
        _ frame: ObjectFrame,
        _ context: ObjectContext
    ) throws -> ToOne {
        let named = try namedEntity(value, destination) ?? destination
        guard hasKey(value, named) else { return .fill(value.index) }
        let child = ObjectContext(
            operations: context.operationsOnOne,
            parent: relationship.inverse.map {
                ObjectContext.ParentLink(relationship: $0, number: nil)
            }
        )
        if let number = try importObject(value, destination, child) { return .row(number) }
        guard refusedKey.count == relationship.keyPartCount else { return .untouched }
        for (part, value) in refusedKey.enumerated() {
            frame.missingKeys[relationship.firstPart + part] = value
        }
        return .missing
    }

    /// Whether an object has a value for each part of its entity's key, be it usable or not.
    private func hasKey(_ node: JSONNode, _ entity: EntityImport) -> Bool {
        !entity.plan.key.isEmpty
            && entity.plan.key.allSatisfy { slot in
                guard let value = entity.reading.value(of: slot, in: node), value.kind != .null
                else { return false }
                // A text that stands for null is none.
                if case .value(.null) = entity.coerceKey(slot, value, into: arena) { return false }
                return true
            }
    }

    /// Fills the row that is linked already with an object without a key, or links a new row.
    func fill(
        _ value: JSONNode,
        _ relationship: RelationshipPlan,
        of number: Int64,
        _ context: ObjectContext
    ) throws {
        let destination = try entity(relationship.layout.destination)
        let linked = try reader.linked(relationship.layout, of: number).first
        let child = ObjectContext(
            operations: context.operationsOnOne,
            row: linked.map(ObjectContext.Row.number) ?? .new
        )
        if let filled = try importObject(value, destination, child), linked == nil {
            try writer.link(relationship.layout, of: number, to: filled)
        }
    }
}
