package import TidemarkJSON
import TidemarkModel

extension Page {
    /// The resource objects of one type on a page, in the form that a model is inferred from.
    package struct Sample: Sendable {
        /// The JSON:API type of the objects.
        package let type: String

        /// The objects, as a JSON array.
        package let document: JSONDocument

        /// Whether the objects are related ones, from `included`.
        package let isIncluded: Bool
    }

    /// Returns the resource objects of the page grouped by type, those of the list first.
    ///
    /// The linkage of a relationship contains a type. An import does not need it, because its model
    /// defines the destination of the relationship. A sample has it as a pointer to the type's
    /// entity.
    ///
    /// - Parameter entity: Returns the name of the entity for a type.
    /// - Returns: The objects; empty if the style of the list is not
    ///   ``ObjectStyle/resourceObject``.
    /// - Throws: ``RemoteError/Code/noList`` if the page contains no list.
    package func samples(_ entity: @escaping (String) -> String) throws -> [Sample] {
        guard request.resource.style.objects == .resourceObject else { return [] }
        var listed = try items().base
        var samples = try Self.samples(of: &listed, isIncluded: false, entity)
        if var included = try self.included()?.base {
            samples += try Self.samples(of: &included, isIncluded: true, entity)
        }
        return samples
    }

    /// Returns the keys in the resource linkage of the page, as JSON texts by type.
    ///
    /// - Throws: ``RemoteError/Code/noList`` if the page contains no list.
    package func linkedKeys() throws -> [String: Set<String>] {
        guard request.resource.style.objects == .resourceObject else { return [:] }
        var keys: [String: Set<String>] = [:]
        var listed = try items().base
        while try listed.next({ $0.addLinkedKeys(to: &keys) }) {}
        if var included = try self.included()?.base {
            while try included.next({ $0.addLinkedKeys(to: &keys) }) {}
        }
        return keys
    }

    private static func samples(
        of items: inout JSONDocumentItems,
        isIncluded: Bool,
        _ entity: @escaping (String) -> String
    ) throws -> [Sample] {
        var types: [String] = []
        var writers: [String: JSONWriter] = [:]
        while try items.next({ node in
            let member = node.kind == .object ? node.member("type") : nil
            let type = member?.kind == .string ? member?.string ?? "" : ""
            if writers[type] == nil {
                types.append(type)
                var writer = JSONWriter()
                writer.beginArray()
                writers[type] = writer
            }
            writers[type]?.plainObject(of: node, entity: entity)
        }) {}
        return try types.compactMap { type in
            guard var writer = writers[type] else { return nil }
            writer.endArray()
            return Sample(
                type: type,
                document: try JSONDocument(writer.bytes),
                isIncluded: isIncluded
            )
        }
    }
}

extension JSONNode {
    /// Adds the keys in the resource linkage of a resource object.
    fileprivate func addLinkedKeys(to keys: inout [String: Set<String>]) {
        guard kind == .object, let relationships = member("relationships"),
            relationships.kind == .object
        else { return }
        for (_, relationship) in relationships.members where relationship.kind == .object {
            guard let linkage = relationship.member("data") else { continue }
            if linkage.kind == .array {
                for element in linkage.elements { element.addIdentifier(to: &keys) }
            } else {
                linkage.addIdentifier(to: &keys)
            }
        }
    }

    private func addIdentifier(to keys: inout [String: Set<String>]) {
        guard kind == .object, let type = member("type"), type.kind == .string,
            let id = member("id"), id.kind == .string || id.kind == .number
        else { return }
        keys[type.string, default: []].insert(String(decoding: id.source, as: UTF8.self))
    }
}
