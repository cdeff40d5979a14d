import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// To-one relationships, before the object's own row is written.
extension ObjectImport {
    /// The value of a to-one relationship.
    private enum LinkValue {
        /// The object does not specify the relationship.
        case absent
        case null
        case row(Int64)
        /// A row that is not stored.
        case missing(key: [StoredValue])
        /// An object without any part of a key is written to the linked row.
        case filling(JSONNode)
        /// An object with a key, or with a part of one, is imported first.
        case embedded(JSONNode)
    }

    /// Resolves a to-one relationship to a row number, and returns the object that has to be
    /// imported for that.
    func resolve(_ relationship: RelationshipPlan) throws -> NestedObject? {
        guard !frame.links[relationship.index].isAbsent else { return nil }
        if context.parent?.relationship == relationship.index, let container = context.parent?.row {
            return try compareContainer(container, with: relationship)
        }
        let value = try value(of: relationship)
        guard case .embedded(let object) = value else {
            set(value, for: relationship)
            return nil
        }
        return try nested(object, by: relationship, as: .one(relationship.index))
    }

    /// Returns the object of a to-one relationship, which has to be imported first.
    private func nested(
        _ object: JSONNode,
        by relationship: RelationshipPlan,
        row: ObjectContext.Row = .byKey,
        as purpose: Awaited
    ) throws -> NestedObject {
        let context = ObjectContext(
            operations: context.operationsOnOne,
            row: row,
            parent: relationship.inverse.map { ObjectContext.ParentLink(relationship: $0) }
        )
        let destination = try run.destination(of: relationship)
        return nested(object, of: destination, context: context, as: purpose)
    }

    /// Resolves the to-one relationships of an object that is compared with a row, and imports
    /// nothing that is embedded in it.
    func readLinks() throws {
        for relationship in entity.relationships {
            guard !relationship.isToMany, !frame.links[relationship.index].isAbsent,
                !entity.plan.keyRelationships.contains(relationship.index),
                context.parent?.relationship != relationship.index
            else { continue }
            var value = try value(of: relationship)
            if case .embedded(let object) = value {
                let destination = try run.destination(of: relationship)
                let key = try key(of: object, in: destination)
                let row = try key.flatMap(destination.rows.number(ofKey:))
                value = row.map(LinkValue.row) ?? key.map(LinkValue.missing) ?? .absent
            }
            set(value, for: relationship)
        }
    }

    // MARK: The value

    private func value(of relationship: RelationshipPlan) throws -> LinkValue {
        let source = frame.links[relationship.index]
        if let value = objects(of: relationship) {
            switch value.kind {
            case .object:
                return try self.value(ofObject: value, for: relationship)
            case .null:
                // An object that is null next to a reference is not a value.
                if !source.hasReferences { return .null }
            case .array:
                let message = "One object was expected here."
                return try reject(value, for: relationship, because: message)
            case .string, .number, .true, .false:
                return try self.value(ofReference: value, for: relationship)
            }
        }
        if source.isCleared, !source.hasReferences { return .null }
        return try referencedValue(of: relationship)
    }

    /// Resolves the references under the names that contain nothing else.
    private func referencedValue(of relationship: RelationshipPlan) throws -> LinkValue {
        guard relationship.keyPartCount == 1 else { return try value(ofPartsOf: relationship) }
        let token = Int(frame.references[relationship.firstPart])
        guard token >= 0 else { return .absent }
        let part = node.node(at: token)
        return part.kind == .object
            ? try value(ofObject: part, for: relationship)
            : try value(ofReference: part, for: relationship)
    }

    /// Resolves a reference to an entity whose key has several parts.
    private func value(ofPartsOf relationship: RelationshipPlan) throws -> LinkValue {
        let parts = relationship.parts.map { Int(frame.references[$0]) }.filter { $0 >= 0 }
            .map(node.node(at:))
        guard let first = parts.first else { return .absent }
        let destination = try run.destination(of: relationship)
        guard parts.count == relationship.keyPartCount else {
            // A null part means that there is no row, whatever the other parts are.
            if parts.contains(where: { $0.kind == .null }) { return .null }
            let message =
                "The reference has \(parts.count) of the \(relationship.keyPartCount) parts of the "
                + "key of \(destination.name)."
            return try reject(first, for: relationship, because: message)
        }
        let reference = try destination.reference(parts, by: relationship, arena: run.arena)
        return try value(of: reference, from: first, for: relationship)
    }

    private func value(
        ofReference value: JSONNode,
        for relationship: RelationshipPlan
    ) throws -> LinkValue {
        let destination = try run.destination(of: relationship)
        let reference = try destination.reference(value, by: relationship, arena: run.arena)
        if reference.namesRow {
            reportLoss(ofReference: value, to: destination, by: relationship)
        }
        return try self.value(of: reference, from: value, for: relationship)
    }

    private func value(
        of reference: Reference,
        from value: JSONNode,
        for relationship: RelationshipPlan
    ) throws -> LinkValue {
        switch reference {
        case .row(let number): .row(number)
        case .null: .null
        case .missing(let key): .missing(key: key)
        case .unusable(let reason):
            try reject(value, for: relationship, because: reason.sentence)
        }
    }

    private func value(
        ofObject object: JSONNode,
        for relationship: RelationshipPlan
    ) throws -> LinkValue {
        if let key = object.pointerKey { return try value(ofReference: key, for: relationship) }
        guard !object.isRelation else { return .absent }
        let destination = try run.destination(of: relationship)
        let named = try run.entity(namedBy: object, in: destination) ?? destination
        // An object with a part of a key refers to the row with that key, usable or not. It must
        // not be written to the linked row, which other rows may share.
        return named.hasKeyPart(object) ? .embedded(object) : .filling(object)
    }

    /// Reports a value that is neither a reference nor an object that can be stored.
    ///
    /// Returns the value according to the policy for invalid values: the only default of a
    /// relationship is null.
    private func reject(
        _ value: JSONNode,
        for relationship: RelationshipPlan,
        because message: String
    ) throws -> LinkValue {
        try report(invalid: message, path: path(of: relationship), value: value)
        switch run.options.invalid {
        case .skip, .abort: return .absent
        case .null, .default: return .null
        case .skipRow:
            frame.isRejected = true
            return .absent
        }
    }

    // MARK: The pending link

    /// Processes the result of an embedded object.
    func receive(_ object: ImportedObject, as relationship: RelationshipPlan) throws {
        try resolveMissing()
        switch object {
        case .row(let number, _): set(.row(number), for: relationship)
        case .rejected(let key) where key.count == relationship.keyPartCount:
            set(.missing(key: key), for: relationship)
        case .rejected, .unidentified: set(.absent, for: relationship)
        }
    }

    /// Resolves the references to rows that are stored since an embedded object was imported.
    ///
    /// If that object contains this one again, with the row, then a null from before would replace
    /// the link.
    private func resolveMissing() throws {
        for relationship in entity.relationships {
            guard case .one(.unresolved) = frame.links[relationship.index].pending else { continue }
            let key = relationship.parts.map { frame.missingKeys[$0] }
            if let row = try run.destination(of: relationship).rows.number(ofKey: key) {
                set(.row(row), for: relationship)
            }
        }
    }

    private func set(_ value: LinkValue, for relationship: RelationshipPlan) {
        switch value {
        case .absent, .embedded:
            frame.links[relationship.index].pending = .none
        case .filling(let object):
            frame.links[relationship.index].pending = .one(.fill(object.index))
        case .null where relationship.leadsToKeyless:
            // The row that is unlinked belongs to this one, and is deleted if nothing else links
            // it: the link has to be read before it is overwritten.
            frame.links[relationship.index].pending = .one(.unlink)
        case .null:
            setLink(.null, for: relationship, otherwise: .unlink)
        case .row(let number):
            setLink(.integer(number), for: relationship, otherwise: .link(number))
        case .missing(let key):
            setUnresolved(key, for: relationship)
        }
    }

    private func setLink(
        _ value: StoredValue,
        for relationship: RelationshipPlan,
        otherwise pending: ObjectFrame.PendingLink
    ) {
        if let slot = relationship.slot {
            frame.set(value, slot: slot)
            frame.links[relationship.index].pending = .one(.release)
        } else {
            frame.links[relationship.index].pending = .one(pending)
        }
    }

    /// Makes a to-one relationship an unresolved reference.
    private func setUnresolved(_ key: [StoredValue], for relationship: RelationshipPlan) {
        for (part, value) in zip(relationship.parts, key) { frame.missingKeys[part] = value }
        frame.links[relationship.index].pending = .one(.unresolved)
        if let slot = relationship.slot, run.options.unresolved == .deferred {
            frame.set(.null, slot: slot)
        }
    }

    // MARK: The container

    /// Sets the link to the row that contains the object, or to a parent without a row.
    func linkParent(unstored: NestedObject.UnstoredParent?) {
        if let unstored {
            let relationship = entity.relationships[unstored.relationship]
            guard unstored.key.count == relationship.keyPartCount else { return }
            setUnresolved(unstored.key, for: relationship)
            // The frame may still contain the value of the previous object.
            if let slot = relationship.slot { frame.set(.null, slot: slot) }
        }
        guard let parent = context.parent, let row = parent.row else { return }
        let relationship = entity.relationships[parent.relationship]
        setLink(.integer(row), for: relationship, otherwise: .link(row))
    }

    /// Returns whether the object has the parent within which its key is unique, stored or not.
    func hasParent(_ relationship: RelationshipPlan) -> Bool {
        let pending = frame.links[relationship.index].pending
        let isUnresolved = if case .one(.unresolved) = pending { true } else { false }
        guard let slot = relationship.slot else {
            return isUnresolved && run.options.unresolved == .deferred
        }
        guard frame.isGiven[slot] else { return false }
        return if case .integer = frame.values[slot] { true } else { isUnresolved }
    }

    /// Compares the parent that the object names with the row that contains it.
    ///
    /// Both rows are already linked, whatever parent the object names. An object that is embedded
    /// as its parent is stored nevertheless.
    private func compareContainer(
        _ container: Int64,
        with relationship: RelationshipPlan
    ) throws -> NestedObject? {
        guard try !namesContainer(by: relationship) else { return nil }
        let purpose = Awaited.container(relationship.index)
        switch try value(of: relationship) {
        case .absent, .null:
            return nil
        case .row(let number):
            if number != container { reportOtherParent(relationship) }
            return nil
        case .missing:
            reportOtherParent(relationship)
            return nil
        case .filling(let object):
            return try nested(object, by: relationship, row: .number(container), as: purpose)
        case .embedded(let object):
            return try nested(object, by: relationship, as: purpose)
        }
    }

    /// Returns whether the object refers to the row that contains it, by the key that the row's own
    /// object has.
    ///
    /// A query for each child of a list would cost as much as finding the child.
    ///
    /// - Returns: False also if the answer requires a query.
    /// - Throws: `ModelError` if the plan of the parent's entity cannot be compiled.
    private func namesContainer(by relationship: RelationshipPlan) throws -> Bool {
        guard let key = context.parent?.key, relationship.keyPartCount == 1 else { return false }
        let objects = frame.links[relationship.index].objects
        let token = objects >= 0 ? objects : frame.references[relationship.firstPart]
        // The key path may lead through an element that an array does not have.
        guard token >= 0 else { return false }
        let value = node.node(at: Int(token))
        guard value.kind == .number || value.kind == .string,
            !relationship.nullValues.contains(value, in: run.arena),
            case .value(let named) = try run.destination(of: relationship)
                .coerceKey(value, part: 0, into: run.arena)
        else { return false }
        return named.isSame(as: key)
    }

    /// Processes the result of an object that was embedded as the parent.
    func receive(_ object: ImportedObject, asContainerBy relationship: RelationshipPlan) {
        switch object {
        case .row(let number, _) where number == context.parent?.row: return
        case .rejected(let key) where key.isEmpty: return
        case .unidentified: return
        case .row, .rejected: reportOtherParent(relationship)
        }
    }

    /// Reports that the object names another parent than the row whose list contains it.
    ///
    /// The list is decisive, because deletions, and the scope within which a key is unique, depend
    /// on the list in which an object was found.
    private func reportOtherParent(_ relationship: RelationshipPlan) {
        record(
            "The object names another parent than the one whose list it is in: it is linked to the "
                + "list's.",
            path: relationship.path
        )
    }
}

extension EntityImport {
    /// Returns whether an object has any part of the entity's key, usable or not.
    fileprivate func hasKeyPart(_ node: JSONNode) -> Bool {
        plan.key.contains { slot in
            slot < plan.attributeCount && names.value(ofSlot: slot, in: node) != nil
        } || plan.keyRelationships.contains { names.hasValue(ofRelationship: $0, in: node) }
    }
}
