package import TidemarkModel

extension Model {
    /// Users have addresses with lines, and a profile: objects without a key.
    package static let contacts = Model(entities: [
        EntityDescription(
            "User",
            attributes: [
                Attribute("id", .integer64), Attribute("name", .string),
                Attribute("editedAt", .integer64),
            ],
            relationships: [
                .many("addresses", "Address", inverse: "user"),
                .one("profile", "Profile", inverse: "user"),
            ]
        ),
        EntityDescription(
            "Address",
            attributes: [Attribute("city", .string)],
            relationships: [
                .one("user", "User", inverse: "addresses"),
                .many("lines", "Line", inverse: "address"),
            ]
        ),
        EntityDescription(
            "Line",
            attributes: [Attribute("text", .string)],
            relationships: [.one("address", "Address", inverse: "lines")]
        ),
        EntityDescription(
            "Profile",
            attributes: [Attribute("color", .string)],
            relationships: [.one("user", "User", inverse: "profile")]
        ),
    ])
}
