package import TidemarkJSON
package import TidemarkModel
package import TidemarkStore

/// The object in a request that creates or changes it.
package struct ChangedObject {
    private var members: ExportTree.Members

    /// Whether the attributes are in a member of their own, as those of JSON:API.
    private let isResource: Bool

    /// The relationships that are not written because a linked row has no key yet.
    package let unwritten: Set<String>

    /// The members with references that are objects, because the service's own objects have objects
    /// there, and the names under which their keys would be sent.
    package let embedded: [String: String]

    init(
        _ members: ExportTree.Members,
        isResource: Bool = false,
        unwritten: Set<String> = [],
        embedded: [String: String] = [:]
    ) {
        self.members = members
        self.isResource = isResource
        self.unwritten = unwritten
        self.embedded = embedded
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

    /// An object without members.
    package static var empty: ChangedObject { ChangedObject(.init()) }

    /// Writes the object as JSON.
    ///
    /// - Parameters:
    ///   - wrapper: The name of the member that contains it; nil if the body is the object.
    ///   - constants: Members that every body has, whatever the object is.
    /// - Returns: The text.
    package func json(in wrapper: String? = nil, with constants: [String: Value] = [:]) -> [UInt8] {
        var body = members
        if let wrapper {
            body = ExportTree.Members()
            body.put(.object(members), for: wrapper)
        }
        for (name, value) in constants.sorted(by: { $0.key < $1.key }) {
            body.put(ExportTree(constant: value), for: name)
        }
        var writer = JSONWriter()
        body.write(into: &writer)
        return writer.bytes
    }

    /// Adds the members of another object.
    package mutating func add(_ other: ChangedObject) {
        members.merge(other.members)
    }

    /// Returns the members laid over those of the whole object, which was read before.
    ///
    /// - Parameters:
    ///   - object: The object as the service has sent it. Its members that the model does not know
    ///     are kept.
    ///   - former: The objects without a key that it contains, as they are known; nil without any.
    /// - Returns: The whole object.
    package func laid(over object: JSONNode, since former: ChangedObject? = nil) -> ChangedObject {
        with(ExportTree.Members(object, overlaidBy: members, since: former?.members))
    }

    /// Returns the object with whole members, as most services replace them.
    ///
    /// A member to whose values key paths lead contains only those that have changed. The others
    /// come from the object that was read before.
    ///
    /// - Parameters:
    ///   - object: The object as the service has sent it.
    ///   - nesting: How the service changes such members. If it joins them, only lists are whole.
    ///   - former: The objects without a key that it contains, as they are known; nil without any.
    /// - Returns: The object.
    package func completed(
        from object: JSONNode,
        _ nesting: MemberNesting,
        since former: ChangedObject? = nil
    ) -> ChangedObject {
        let former = former?.members
        guard isResource else {
            return with(members.completed(from: object, nesting, since: former))
        }
        var members = members
        if case .object(let attributes) = members["attributes"],
            let original = object.member("attributes")
        {
            let since = former?["attributes"]?.members
            let whole = attributes.completed(from: original, nesting, since: since)
            members.put(.object(whole), for: "attributes")
        }
        return with(members)
    }

    private func with(_ members: ExportTree.Members) -> ChangedObject {
        ChangedObject(
            members,
            isResource: isResource,
            unwritten: unwritten,
            embedded: embedded
        )
    }
}

/// How a service changes a member that is an object.
package enum MemberNesting: Sendable, Hashable {
    /// It replaces the member.
    case replaced
    /// It changes the members within it that a request contains (RFC 7396).
    case joined
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
        return mapping.target(at: member)?.attribute.map { mapping.attributes[$0].name }
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
        guard case .object(let members) = tree else { return ChangedObject(.init()) }
        let relationships = try names(record.reference.entity).relationships.filter { name in
            written?.contains(name.relationship.name) ?? !omitted.contains(name.relationship.name)
        }
        return ChangedObject(
            members,
            isResource: change?.isLinkage == true,
            unwritten: traversal.unwritten,
            embedded: Dictionary(
                relationships.compactMap { name in
                    guard case .objects = name.form, let member = name.plainKey else { return nil }
                    return (member, name.references?.first ?? member)
                },
                uniquingKeysWith: { first, _ in first }
            )
        )
    }

    /// Returns the value of an attribute as text, in the form of the service: in a header field.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - attribute: The name of the attribute.
    ///   - entity: The entity.
    /// - Returns: The text.
    /// - Throws: `StoreError` if the model lacks the entity.
    package func requestText(
        _ value: Value,
        of attribute: String,
        in entity: String
    ) throws -> String {
        let names = try names(entity).attributes
        switch names.first(where: { $0.attribute.name == attribute })?.form?.written(value) {
        case .string(let text), .raw(let text): return text
        case nil: return value.requestText
        }
    }

    /// Returns an exporter that writes the objects of one entity as others were observed.
    package func observing(_ names: ObservedNames, of entity: String) throws -> Exporter {
        guard var change else { return self }
        change.names[entity] = names
        let mapping = try self.names(entity).mapping
        return with(ExportNames(mapping, options: options, change: change), of: entity)
    }
}
