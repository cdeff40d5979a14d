package import TidemarkModel

extension Page {
    /// Resource objects of one type, in the form that a model is inferred from.
    package struct Sample: Sendable {
        /// The type that the objects name.
        package let type: String

        /// The objects, as one list.
        package let document: JSONDocument

        /// Whether they came along because others refer to them.
        package let isIncluded: Bool
    }

    /// The resource objects of the page, each type for itself, those of the list first.
    ///
    /// The linkage of relationships names a type, which an import has no use for, since its model
    /// says where a relationship leads. Here it is a pointer to the entity of the type.
    ///
    /// - Parameter entity: Returns the entity of a type.
    /// - Returns: The objects; none where the style of the list is another.
    /// - Throws: ``RemoteError/Code/noList`` where there is no list.
    package func samples(_ entity: @escaping (String) -> String) throws -> [Sample] {
        guard request.resource.style.objects == .resourceObject else { return [] }
        var listed = try items().base
        var samples = try Self.samples(of: &listed, isIncluded: false, entity)
        if var included = try self.included()?.base {
            samples += try Self.samples(of: &included, isIncluded: true, entity)
        }
        return samples
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
