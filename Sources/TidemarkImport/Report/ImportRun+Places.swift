import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The names of objects and values in diagnostics.
extension ImportRun {
    /// Returns the JSON key of an attribute's value as the document spells it; the default name if
    /// the object lacks the attribute.
    func path(
        _ slot: Int,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) -> String {
        path(frame.tokens[slot], node, else: entity.plan.slots[slot].path)
    }

    /// Returns the JSON key of the value at a token as the document spells it.
    func path(_ token: Int32, _ node: JSONNode, else usual: String) -> String {
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

    /// Returns the JSON keys of an object's primary key.
    func keyPath(_ node: JSONNode, _ entity: EntityImport, _ frame: ObjectFrame) -> String {
        entity.plan.key.map { path($0, node, entity, frame) }.joined(separator: ", ")
    }

    /// Returns the JSON key of an object's value for a relationship.
    func path(
        _ relationship: RelationshipPlan,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) -> String {
        let place = entity.relationships.firstIndex { $0 === relationship }
        let objects = place.map { frame.links[$0].objects } ?? -1
        let token = objects >= 0 ? objects : frame.references[relationship.firstPart]
        return path(token, node, else: relationship.path)
    }

    /// Returns the primary key of an object as the document contains it; nil if a part is missing.
    ///
    /// Without a frame the key is searched for among the members of the object.
    func keyText(_ node: JSONNode, _ entity: EntityImport, _ frame: ObjectFrame?) -> String? {
        guard node.kind == .object else { return nil }
        if let frame { return keyText(node, entity, frame) }
        let keyParts = entity.plan.keyParts
        let parts = keyParts.compactMap { part -> String? in
            guard let slot = part.slot, let value = entity.reading.value(of: slot, in: node),
                value.kind != .null
            else { return nil }
            return value.kind == .string && (keyParts.count == 1 || part.isNumber)
                ? value.string : String(decoding: value.source, as: UTF8.self)
        }
        guard parts.count == keyParts.count else { return nil }
        return parts.count > 1 ? "[\(parts.joined(separator: ","))]" : parts.first
    }
}

extension JSONNode {
    /// Returns the dotted path from an object to a value in it.
    fileprivate func path(to index: Int) -> String? {
        var names: [String] = []
        var object = self
        while object.kind == .object,
            let member = object.members.first(where: { index < $0.value.next }),
            index >= member.value.index
        {
            names.append(member.name.string)
            if member.value.index == index { return names.joined(separator: ".") }
            object = member.value
        }
        return nil
    }
}
