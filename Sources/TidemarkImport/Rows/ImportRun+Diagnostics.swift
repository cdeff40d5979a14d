import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// Diagnostics about objects.
extension ImportRun {
    /// Logs a diagnostic about an object.
    ///
    /// - Parameters:
    ///   - message: The problem in one sentence.
    ///   - path: The JSON key, if one member is concerned.
    ///   - entity: The entity of the object.
    ///   - frame: The members of the object, as far as they have been read.
    ///   - node: The object.
    ///   - value: The invalid value.
    ///   - severity: Whether something is not stored because of the problem.
    func note(
        _ message: String,
        _ path: String?,
        _ entity: EntityImport,
        _ frame: ObjectFrame?,
        _ node: JSONNode,
        _ value: JSONNode? = nil,
        severity: Diagnostic.Severity = .warning
    ) {
        log.note(entity.plan.entity.name, path, message, severity) {
            (
                keyText(node, entity, frame),
                value.flatMap(excerpt)
            )
        }
    }

    /// Returns the beginning of an invalid value as the document contains it, if the options
    /// include values in diagnostics.
    func excerpt(_ value: JSONNode) -> String? {
        guard options.showsValues else { return nil }
        return String(decoding: value.source.prefix(limits.diagnosticValueBytes), as: UTF8.self)
    }

    func noteRepetition(
        _ number: Int64,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ context: ObjectContext
    ) {
        guard context.isItem, !noteItem(number, of: entity) else { return }
        noteRepetition(node, entity, frame)
    }

    private func noteRepetition(_ node: JSONNode, _ entity: EntityImport, _ frame: ObjectFrame) {
        let path = keyPath(node, entity, frame)
        note("The document has several objects with this key.", path, entity, frame, node)
    }

    /// Logs a child that the document contains under several parents, although it can have only
    /// one.
    ///
    /// The row was seen before, so that its stored parent is one that the document has specified.
    func noteSecondParent(
        _ found: EntityImport.Comparison,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ context: ObjectContext
    ) throws {
        guard let parent = context.parent, parent.number != nil else { return }
        let relationship = entity.relationships[parent.relationship]
        guard let slot = relationship.slot, found.differing.contains(slot),
            try isNamed(found.number, entity),
            try !reader.linked(relationship.layout, of: found.number).isEmpty
        else { return }
        let name = relationship.layout.relationship.name
        let key = entity.plan.key.map { entity.plan.slots[$0].path }.joined(separator: ", ")
        note(
            "The document has this object under several parents: it is linked to the last one. "
                + "If its key is unique only within its parent, use primaryKey: [\(name), \(key)].",
            relationship.path,
            entity,
            frame,
            node
        )
    }

    /// Returns whether the document contains a row or, in a resource with several lists, another
    /// list does.
    private func isNamed(_ row: Int64, _ entity: EntityImport) throws -> Bool {
        if entity.seen.contains(row) { return true }
        return try gathering?.hasNamed(row, in: entity.plan.entity.table) ?? false
    }

    /// Logs a nested object that the operations do not allow writing.
    func noteOmitted(
        _ action: String,
        _ operation: String,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) {
        note(
            "The nested object is not \(action): the operations lack \(operation).",
            nil,
            entity,
            frame,
            node
        )
    }

    /// Logs a repeated item without importing it.
    func noteRepetition(_ node: JSONNode, _ entity: EntityImport) {
        let frame = entity.takeFrame()
        defer { entity.giveBack(frame) }
        readMembers(node, entity, frame)
        noteRepetition(node, entity, frame)
    }

    func refuseAbstract(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) throws {
        try refuse("The entity is abstract: no row can be of it.", nil, node, entity, frame)
    }

    func refuseUnusableKey(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) throws {
        let path = keyPath(node, entity, frame)
        try refuse("The object has no usable primary key.", path, node, entity, frame)
    }

    func noteUntransformed(
        _ slot: Int,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) {
        let name = entity.plan.slots[slot].missingTransformer ?? ""
        let outcome = frame.isGiven[slot] ? "taken as it came" : "left out"
        note(
            "No transformer “\(name)” is registered: the value was \(outcome).",
            path(slot, node, entity, frame),
            entity,
            frame,
            node,
            node.node(at: Int(frame.tokens[slot]))
        )
    }
}
