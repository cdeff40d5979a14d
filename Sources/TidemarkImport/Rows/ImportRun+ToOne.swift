import TidemarkModel
import TidemarkStore

extension ImportRun {
    /// Turns what an object says of its to-one relationships into row numbers, as far as that can be done
    /// before its own row is written.
    func readToOne(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ context: ObjectContext
    ) throws {
        for place in frame.links.indices where !frame.links[place].isAbsent {
            let relationship = entity.plan.relationships[place]
            if relationship.isToMany {
                frame.links[place].pending = listSource(frame.links[place], node)
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
        case missing([StoredValue])
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
            let value = node.node(at: source.objects)
            switch value.kind {
            case .object:
                return try embedded(value, relationship, destination, context)
            case .null:
                // An object that is null beside a reference says nothing.
                if source.references.isEmpty { return .null }
            case .array:
                note("One object was expected here.", relationship.path, entity, frame, node, value)
                return .untouched
            case .string, .number, .true, .false:
                return try referenced([value], destination) {
                    note($0, relationship.path, entity, frame, node, value)
                }
            }
        }
        guard !source.references.isEmpty, !source.references.contains(-1) else { return .untouched }
        let parts = source.references.map { node.node(at: $0) }
        if parts.count == 1, parts[0].kind == .object {
            return try embedded(parts[0], relationship, destination, context)
        }
        return try referenced(parts, destination) {
            note($0, relationship.path, entity, frame, node, parts[0])
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
            frame.links[place].pending = .fill(token)
        case .null:
            setLink(.null, relationship, frame, place, otherwise: .unlink)
        case .row(let number):
            setLink(.integer(number), relationship, frame, place, otherwise: .link(number))
        case .missing(let key):
            frame.links[place].missingKey = key
            frame.links[place].pending = .hold
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
            frame.links[place].pending = .release
        } else {
            frame.links[place].pending = pending
        }
    }

    // MARK: Objects

    private func embedded(
        _ value: JSONNode,
        _ relationship: RelationshipPlan,
        _ destination: EntityImport,
        _ context: ObjectContext
    ) throws -> ToOne {
        guard destination.reading.hasKey(value, destination.plan) else { return .fill(value.index) }
        let child = ObjectContext(
            operations: context.operations.union([.insert, .update]),
            parent: relationship.inverse.map {
                ObjectContext.ParentLink(relationship: $0, number: nil)
            }
        )
        return try importObject(value, destination, child).map(ToOne.row) ?? .untouched
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
            operations: context.operations.union([.insert, .update]),
            row: linked.map(ObjectContext.Row.number) ?? .new
        )
        if let filled = try importObject(value, destination, child), linked == nil {
            try writer.link(relationship.layout, of: number, to: filled)
        }
    }

    // MARK: References

    private func referenced(
        _ parts: [JSONNode],
        _ destination: EntityImport,
        _ note: (String) -> Void
    ) throws -> ToOne {
        switch try reference(parts, destination) {
        case .row(let number): return .row(number)
        case .missing(let key): return .missing(key)
        case .null: return .null
        case .unusable(let message):
            note(message)
            return .untouched
        }
    }

    /// What a reference by key leads to.
    enum Reference {
        case row(Int64)
        /// There is no row with this key.
        case missing([StoredValue])
        case null
        /// It is no key of the entity; the sentence says why.
        case unusable(String)
    }

    /// Follows a reference: one JSON value for each part of the key.
    func reference(_ parts: [JSONNode], _ destination: EntityImport) throws -> Reference {
        guard !destination.plan.key.isEmpty else {
            return .unusable(
                "\(destination.plan.entity.name) has no primary key, so nothing can refer to it."
            )
        }
        var key: [StoredValue] = []
        for (slot, part) in zip(destination.plan.key, parts) {
            guard let coercion = destination.plan.slots[slot].coercion else { continue }
            switch coercion.coerceKey(part, into: arena) {
            case .value(let value):
                if value.isNull { return .null }
                key.append(value)
            case .failure(let failure): return .unusable(failure.sentence())
            case .ignored: return .unusable("The value is no key.")
            }
        }
        return try destination.number(of: key).map(Reference.row) ?? .missing(key)
    }
}
