import TidemarkModel

extension ModelFindingsTests {
    private static func note(key: [String], _ relationship: Relationship) -> EntityDescription {
        EntityDescription("Note", primaryKey: key, attributes: [id], relationships: [relationship])
    }

    private static let notes = Relationship("notes", to: "Note", isToMany: true, inverse: "user")

    static let keysWithParents: [Row] = [
        Row(
            .error,
            "Note",
            "leads to many objects",
            user(relationships: [notes]),
            note(
                key: ["user", "id"],
                Relationship("user", to: "User", isToMany: true, inverse: "notes")
            )
        ),
        Row(
            .error,
            "Note",
            "no to-many inverse",
            user(),
            note(key: ["user", "id"], Relationship("user", to: "User"))
        ),
        Row(
            .error,
            "Note",
            "does not tell the children",
            user(relationships: [notes]),
            note(key: ["user"], Relationship("user", to: "User", inverse: "notes"))
        ),
        Row(
            .error,
            "Note",
            "“User”, which has no primary key",
            EntityDescription("User", relationships: [notes]),
            note(key: ["user", "id"], Relationship("user", to: "User", inverse: "notes"))
        ),
        Row(
            .warning,
            "User.notes",
            "orphans cannot be unlinked",
            user(relationships: [
                Relationship("notes", to: "Note", isToMany: true, inverse: "user", orphans: .unlink)
            ]),
            note(key: ["user", "id"], Relationship("user", to: "User", inverse: "notes"))
        ),
    ]
}
