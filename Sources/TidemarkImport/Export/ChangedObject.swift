package import TidemarkJSON
package import TidemarkModel
package import TidemarkStore

/// The object in a request that creates or changes it.
package struct ChangedObject {
    private var members: ExportTree.Members

    /// The relationships that are not written because a linked row has no key yet.
    package let unwritten: Set<String>

    init(_ members: ExportTree.Members, unwritten: Set<String>) {
        self.members = members
        self.unwritten = unwritten
    }

    /// Adds a member that is a text, such as the type of a resource, unless there is one already.
    package mutating func add(_ text: String, at path: String) {
        guard !members.hasValue(at: path) else { return }
        members.add(.value { $0.string(text) }, at: path)
    }

    /// Adds a number, such as the version that was read.
    package mutating func add(_ number: Int64, at path: String) {
        members.add(.value { $0.integer(number) }, at: path)
    }

    /// Writes the object as JSON.
    ///
    /// - Parameter wrapper: The name of the member that contains it; nil if the body is the object.
    /// - Returns: The text.
    package func json(in wrapper: String? = nil) -> [UInt8] {
        var writer = JSONWriter()
        if let wrapper {
            writer.beginObject()
            writer.key(wrapper)
        }
        members.write(into: &writer)
        if wrapper != nil { writer.endObject() }
        return writer.bytes
    }

    /// Returns the members laid over those of the whole object, which was read before.
    ///
    /// - Parameter object: The object as the service has sent it. Its members that the model does
    ///   not know are kept.
    /// - Returns: The whole object.
    package func laid(over object: JSONNode) -> ChangedObject {
        ChangedObject(ExportTree.Members(object, overlaidBy: members), unwritten: unwritten)
    }
}

extension Importer {
    /// Returns an exporter that writes the objects of requests, with the naming and the
    /// transformers of the importer.
    package func exporter(keys: ExportOptions.Keys, change: ChangeFormat) -> Exporter {
        Exporter(
            store,
            options: ExportOptions(keys: keys, relationships: .ids),
            change: change,
            naming: plans.naming,
            transformers: plans.transformers,
            limits: limits
        )
    }

    /// Returns the attribute that a member of an entity's objects is imported into; nil if there is
    /// none.
    package func attribute(for member: String, of entity: String) -> String? {
        guard let mapping = mapping(of: entity) else { return nil }
        return mapping.target(for: member)?.attribute.map { mapping.attributes[$0].name }
    }

    /// Returns the names of an entity's properties in JSON; nil if the model lacks the entity.
    package func mapping(of entity: String) -> EntityMapping? {
        store.model[entity].map {
            EntityMapping(entity: $0, in: store.model, naming: plans.naming)
        }
    }
}

extension Exporter {
    /// Returns the properties of a row as the object in a request.
    ///
    /// - Parameters:
    ///   - record: The row with the links that are written.
    ///   - properties: The names of the attributes and relationships that have changed, which are
    ///     written with null for those without a value; nil for a new object.
    ///   - omitted: The properties that are left out.
    ///   - reader: Reads linked rows.
    /// - Returns: The object.
    /// - Throws: ``ImportError`` if a value cannot be written, `StoreError`, `DatabaseError`.
    package func changedObject(
        _ record: StoredRecord,
        only properties: Set<String>?,
        omitting omitted: Set<String> = [],
        reader: StoreReader
    ) throws -> ChangedObject {
        var traversal = ExportTraversal(self, reader: reader, rows: nil, deepest: .max)
        let written = properties?.subtracting(omitted)
        let tree = try traversal.tree(of: record, only: written, omitting: omitted, depth: 0)
        guard case .object(let members) = tree else { return ChangedObject(.init(), unwritten: []) }
        return ChangedObject(members, unwritten: traversal.unwritten)
    }
}
