import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// Diagnostics about an object.
extension ObjectImport {
    /// Records a diagnostic.
    ///
    /// - Parameters:
    ///   - message: The problem in one sentence.
    ///   - path: The JSON key, if one member is concerned.
    ///   - value: The invalid value.
    /// - Returns: The index of the diagnostic in the log; nil if it was omitted.
    @discardableResult
    func record(_ message: String, path: String? = nil, value: JSONNode? = nil) -> Int? {
        run.log.record(message, entity: entity.name, path: path) {
            (keyText, value.flatMap(run.excerpt))
        }
    }

    /// Reports invalid data, or throws if the policy is to abort.
    ///
    /// - Parameters:
    ///   - message: The problem in one sentence.
    ///   - path: The JSON key, if one member is concerned.
    ///   - value: The invalid value.
    /// - Throws: ``ImportError/Code/invalidRow``.
    func report(invalid message: String, path: String?, value: JSONNode? = nil) throws {
        try run.report(invalid: message, entity: entity, path: path, value: value) { keyText }
    }

    /// Reports the invalid value of an attribute, or throws if the policy is to abort.
    func report(invalid message: String, slot: Int) throws {
        let token = Int(frame.tokens[slot])
        let value = token >= 0 ? node.node(at: token) : nil
        try report(invalid: message, path: path(ofSlot: slot), value: value)
    }

    /// Reports that the object is not stored and counts it as skipped, or throws if the policy is
    /// to abort.
    func reject(_ message: String, path: String? = nil) throws {
        try report(invalid: message, path: path)
        run.log.skip(entity.name)
    }

    func rejectUnusableKey() throws {
        try reject("The object has no usable primary key.", path: keyPath)
    }

    /// Reports a repeated item.
    func reportRepetition() {
        record("The document has several objects with this key.", path: keyPath)
        run.log.countDuplicate()
    }

    /// Reports a nested object that the operations do not allow writing.
    func reportOmitted(_ action: String, lacking operation: String) {
        guard context.isListed else { return }
        record("The nested object is not \(action): the operations lack \(operation).")
    }

    /// Reports a child that the document contains under several parents, although it can have only
    /// one.
    ///
    /// The row was seen before, so that its stored parent is one that the document has specified.
    func reportSecondParent(_ found: EntityRows.Comparison) throws {
        guard let parent = context.parent, parent.row != nil else { return }
        let relationship = entity.relationships[parent.relationship]
        guard let slot = relationship.slot, found.differing.contains(slot),
            try wasSeen(found.number),
            try !run.reader.linked(relationship.layout, of: found.number).isEmpty
        else { return }
        let name = relationship.layout.relationship.name
        let key = entity.plan.key.map { entity.plan.slots[$0].path }.joined(separator: ", ")
        record(
            "The document has this object under several parents: it is linked to the last one. "
                + "If its key is unique only within its parent, use primaryKey: [\(name), \(key)].",
            path: relationship.path
        )
    }

    /// Returns whether the document contains a row or, in a resource with several lists, another
    /// list does.
    private func wasSeen(_ row: Int64) throws -> Bool {
        if entity.progress.seen.contains(row) { return true }
        return try run.otherLists.gathered?.hasSeen(row, in: entity.plan.entity.table) ?? false
    }

    /// Reports a number that does not keep all of the value that it was converted from.
    @inline(__always)
    func reportLoss(of value: JSONNode, storedAs stored: StoredValue, slot: Int) {
        // Short numbers are exact, and most values are short numbers or texts of other types.
        guard value.kind == .string || value.kind == .number && value.text.count > 15,
            let loss = entity.loss(of: value, storedAs: stored, slot: slot, in: run.arena)
        else { return }
        record(loss.sentence, path: path(ofSlot: slot), value: value)
    }

    /// Reports a reference to a row whose key is a number that does not keep all of its text.
    func reportLoss(
        ofReference value: JSONNode,
        to destination: EntityImport,
        by relationship: RelationshipPlan
    ) {
        guard let loss = destination.loss(ofReference: value, in: run.arena) else { return }
        record(loss.sentence, path: path(of: relationship), value: value)
    }

    // MARK: Paths

    /// Returns the JSON key of an attribute's value as the document spells it; the default name if
    /// the object lacks the attribute.
    func path(ofSlot slot: Int) -> String {
        path(ofToken: frame.tokens[slot], default: entity.plan.slots[slot].path)
    }

    /// Returns the JSON key of the object's value for a relationship.
    func path(of relationship: RelationshipPlan) -> String {
        let objects = frame.links[relationship.index].objects
        let token = objects >= 0 ? objects : frame.references[relationship.firstPart]
        return path(ofToken: token, default: relationship.path)
    }

    /// Returns the JSON key of the value at a token as the document spells it.
    private func path(ofToken token: Int32, default usual: String) -> String {
        let token = Int(token)
        guard token > node.index else { return usual }
        // The token before a value is its name. Comparing it first avoids building the path,
        // because most services use the default names.
        var usual = usual
        let isUsual = usual.withUTF8 {
            node.node(at: token - 1).isString(UnsafeRawBufferPointer($0))
        }
        return isUsual ? usual : node.path(to: token) ?? usual
    }
}

extension ImportRun {
    /// Returns the beginning of an invalid value as the document contains it, if the options
    /// include values in diagnostics.
    func excerpt(_ value: JSONNode) -> String? {
        guard options.showsValues else { return nil }
        let source = value.source.prefix(importer.limits.diagnosticValueBytes)
        return String(decoding: source, as: UTF8.self)
    }

    /// Reports invalid data, or throws if the policy is to abort.
    ///
    /// - Parameters:
    ///   - message: The problem in one sentence.
    ///   - entity: The entity of the object.
    ///   - path: The JSON key, if one member is concerned.
    ///   - value: The invalid value.
    ///   - key: Returns the primary key of the object.
    /// - Throws: ``ImportError/Code/invalidRow``.
    func report(
        invalid message: String,
        entity: EntityImport,
        path: String? = nil,
        value: JSONNode? = nil,
        key: () -> String? = { nil }
    ) throws {
        guard options.invalid == .abort else {
            log.record(message, entity: entity.name, path: path, severity: .error) {
                (key(), value.flatMap(excerpt))
            }
            return
        }
        let subject = "\(entity.name)\(key().map { ":\($0)" } ?? "")\(path.map { ", \($0)" } ?? "")"
        let shown = value.flatMap(excerpt).map { " (\($0))" }
        throw ImportError(
            .invalidRow,
            "\(log.cut(subject)): \(log.cut(message))\(shown ?? "")",
            hint: "Correct the document, or use another policy for invalid values."
        )
    }
}

extension JSONNode {
    /// Returns the text of the path from an object to a value in it.
    fileprivate func path(to index: Int) -> String? {
        var names: [String] = []
        var object = self
        while object.kind == .object,
            let member = object.members.first(where: { index < $0.value.next }),
            index >= member.value.index
        {
            names.append(member.name.string)
            if member.value.index == index { return JSONPath(names).description }
            object = member.value
        }
        return nil
    }
}
