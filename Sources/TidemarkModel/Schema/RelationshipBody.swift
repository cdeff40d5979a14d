/// The value of a relationship's key in the textual form of a model.
struct RelationshipBody: NamedBody, Encodable {
    var relationship: Relationship

    static let keys = [
        "to", "toMany", "ordered", "optional", "inverse", "deleteRule", "min", "max", "remoteKey",
        "referenceKey", "nullValues", "orphans", "nonExportable", "renamedFrom", "userInfo",
    ]

    static func empty(_ name: String) -> RelationshipBody? { nil }

    init(relationship: Relationship) { self.relationship = relationship }

    init(from decoder: any Decoder) throws {
        let reader = try FieldReader(decoder, of: "a relationship", allowed: Self.keys)
        guard let destination = try reader.text("to") else {
            throw ModelError(
                .invalid,
                "\(reader.place) leads nowhere.",
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
            isExportable: try !reader.flag("nonExportable", else: false),
            renamingIdentifier: try reader.text("renamedFrom"),
            userInfo: try reader.value("userInfo") ?? [:]
        )
    }

    func encode(to encoder: any Encoder) throws {
        var writer = FieldWriter(encoder)
        try writer.write("to", relationship.destination)
        try writer.write("toMany", relationship.isToMany, unless: false)
        try writer.write("ordered", relationship.isOrdered, unless: false)
        try writer.write("optional", relationship.isOptional, unless: true)
        try writer.write("inverse", ifAny: relationship.inverse)
        if relationship.deleteRule != .nullify {
            try writer.write("deleteRule", relationship.deleteRule)
        }
        try writer.write("min", ifAny: relationship.minimumCount)
        try writer.write("max", ifAny: relationship.maximumCount)
        try writer.write("remoteKey", ifAny: relationship.remoteKey)
        try writer.write("referenceKey", texts: relationship.referenceKeys)
        if !relationship.nullValues.isEmpty {
            try writer.write("nullValues", relationship.nullValues)
        }
        if relationship.orphans != .delete {
            try writer.write("orphans", relationship.orphans)
        }
        try writer.write("nonExportable", !relationship.isExportable, unless: false)
        try writer.write("renamedFrom", ifAny: relationship.renamingIdentifier)
        try writer.write(userInfo: relationship.userInfo)
    }
}
