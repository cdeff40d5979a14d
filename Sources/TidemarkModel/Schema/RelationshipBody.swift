/// The value of a relationship's key in the textual form of a model.
struct RelationshipBody: NamedBody, Encodable {
    var relationship: Relationship

    static let keys = [
        "to", "toMany", "ordered", "optional", "inverse", "deleteRule", "min", "max", "remoteKey",
        "referenceKey", "nullValues", "orphans", "push", "nonExportable", "renamedFrom", "userInfo",
    ]

    static func empty(_ name: String) -> RelationshipBody? { nil }

    init(relationship: Relationship) { self.relationship = relationship }

    init(from decoder: any Decoder) throws {
        let reader = try FieldReader(decoder, of: "a relationship", allowed: Self.keys)
        guard let destination = try reader.text("to") else {
            throw ModelError(
                .invalid,
                "\(reader.path) leads nowhere.",
                hint: "Name the entity under “to:”."
            )
        }
        relationship = Relationship(
            decoder.codingPath.last?.stringValue ?? "",
            to: destination,
            isToMany: try reader.flag("toMany", else: false),
            isOrdered: try reader.flag("ordered", else: false),
            isOptional: try reader.flag("optional", else: true),
            inverse: try reader.text("inverse"),
            deleteRule: try reader.word("deleteRule") ?? .nullify,
            minimumCount: try reader.value("min"),
            maximumCount: try reader.value("max"),
            remoteKey: try reader.text("remoteKey"),
            referenceKeys: try reader.texts("referenceKey"),
            nullValues: try reader.texts("nullValues"),
            orphans: try reader.word("orphans") ?? .delete,
            push: try reader.word("push"),
            isExportable: try !reader.flag("nonExportable", else: false),
            renamingIdentifier: try reader.text("renamedFrom"),
            userInfo: try reader.value("userInfo") ?? [:]
        )
    }

    func encode(to encoder: any Encoder) throws {
        var writer = FieldWriter(encoder)
        try writer.write(relationship.destination, as: "to")
        try writer.write(relationship.isToMany, as: "toMany", unless: false)
        try writer.write(relationship.isOrdered, as: "ordered", unless: false)
        try writer.write(relationship.isOptional, as: "optional", unless: true)
        try writer.write(ifAny: relationship.inverse, as: "inverse")
        if relationship.deleteRule != .nullify {
            try writer.write(relationship.deleteRule, as: "deleteRule")
        }
        try writer.write(ifAny: relationship.cardinality.minimum, as: "min")
        try writer.write(ifAny: relationship.cardinality.maximum, as: "max")
        let json = relationship.json
        try writer.write(ifAny: json.remoteKey, as: "remoteKey")
        try writer.write(texts: json.referenceKeys, as: "referenceKey")
        if !json.nullValues.isEmpty { try writer.write(json.nullValues, as: "nullValues") }
        if relationship.orphans != .delete {
            try writer.write(relationship.orphans, as: "orphans")
        }
        try writer.write(ifAny: json.push, as: "push")
        try writer.write(!json.isExportable, as: "nonExportable", unless: false)
        try writer.write(ifAny: relationship.renamingIdentifier, as: "renamedFrom")
        try writer.write(userInfo: relationship.userInfo)
    }
}
