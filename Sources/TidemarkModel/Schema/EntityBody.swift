/// The value of an entity's key in the textual form of a model.
struct EntityBody: NamedBody, Encodable {
    var entity: EntityDescription

    static let keys = [
        "parent", "abstract", "primaryKey", "attributes", "relationships", "unique", "indexes",
        "discriminator", "identity", "ignore", "renamedFrom", "userInfo", "order",
    ]

    static func empty(_ name: String) -> EntityBody? { EntityBody(entity: EntityDescription(name)) }

    init(entity: EntityDescription) { self.entity = entity }

    init(from decoder: any Decoder) throws {
        let reader = try FieldReader(decoder, of: "an entity", allowed: Self.keys)
        let order = try reader.texts("order")
        let attributes = try reader.bodies("attributes", as: AttributeBody.self).map(\.attribute)
        let relationships = try reader.bodies("relationships", as: RelationshipBody.self)
            .map(\.relationship)
        entity = EntityDescription(
            decoder.codingPath.last?.stringValue ?? "",
            parent: try reader.text("parent"),
            isAbstract: try reader.flag("abstract", else: false),
            primaryKey: try reader.texts("primaryKey"),
            attributes: attributes.ordered(by: order, \.name),
            relationships: relationships.ordered(by: order, \.name),
            uniquenessConstraints: try reader.value("unique", as: [OneOrMore].self)?.map(\.texts)
                ?? [],
            fetchIndexes: try reader.value("indexes", as: [FetchIndexBody].self)?.map(\.index)
                ?? [],
            discriminator: try reader.text("discriminator"),
            identity: try reader.word("identity"),
            ignoredKeys: try reader.texts("ignore"),
            renamingIdentifier: try reader.text("renamedFrom"),
            userInfo: try reader.value("userInfo") ?? [:]
        )
    }

    func encode(to encoder: any Encoder) throws {
        var writer = FieldWriter(encoder)
        try writer.write(ifAny: entity.parent, as: "parent")
        try writer.write(entity.isAbstract, as: "abstract", unless: false)
        try writer.write(texts: entity.primaryKey, as: "primaryKey")
        try writer.write(
            bodies: entity.attributes.map { ($0.name, AttributeBody(attribute: $0)) },
            as: "attributes"
        )
        try writer.write(
            bodies: entity.relationships.map { ($0.name, RelationshipBody(relationship: $0)) },
            as: "relationships"
        )
        if !entity.uniquenessConstraints.isEmpty {
            try writer.write(entity.uniquenessConstraints, as: "unique")
        }
        if !entity.fetchIndexes.isEmpty {
            try writer.write(entity.fetchIndexes.map(FetchIndexBody.init(index:)), as: "indexes")
        }
        try writer.write(ifAny: entity.json.discriminator, as: "discriminator")
        try writer.write(ifAny: entity.identity, as: "identity")
        try writer.write(texts: entity.json.ignoredKeys, as: "ignore")
        try writer.write(ifAny: entity.renamingIdentifier, as: "renamedFrom")
        try writer.write(userInfo: entity.userInfo)
        try writeOrder(&writer)
    }

    /// Writes the order of the properties unless it is alphabetical.
    private func writeOrder(_ writer: inout FieldWriter) throws {
        let attributes = entity.attributes.map(\.name)
        let relationships = entity.relationships.map(\.name)
        // Many decoders do not preserve the order of keys.
        guard attributes != attributes.sorted() || relationships != relationships.sorted() else {
            return
        }
        try writer.write(texts: attributes + relationships, as: "order")
    }
}

/// An index in the textual form of a model: a property, a list of properties, or `{name:, on:}`.
///
/// A minus sign before a property specifies descending order.
struct FetchIndexBody: Codable {
    var index: FetchIndex

    init(index: FetchIndex) { self.index = index }

    init(from decoder: any Decoder) throws {
        let properties: [String]
        var name: String?
        do {
            properties = try OneOrMore(from: decoder).texts
        } catch is DecodingError {
            let reader = try FieldReader(decoder, of: "an index", allowed: ["name", "on"])
            properties = try reader.texts("on")
            name = try reader.text("name")
        }
        let elements = properties.map { property in
            property.hasPrefix("-")
                ? FetchIndex.Element(String(property.dropFirst()), isAscending: false)
                : FetchIndex.Element(property)
        }
        let usual = elements.map(\.property).joined(separator: "_")
        index = FetchIndex(name ?? usual, elements: elements)
    }

    func encode(to encoder: any Encoder) throws {
        var writer = FieldWriter(encoder)
        try writer.write(index.name, as: "name")
        try writer.write(
            OneOrMore(index.elements.map { $0.isAscending ? $0.property : "-\($0.property)" }),
            as: "on"
        )
    }
}
