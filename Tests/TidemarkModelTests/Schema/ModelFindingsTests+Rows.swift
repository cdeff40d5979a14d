import TidemarkModel

extension ModelFindingsTests {
    /// A model, and the severity, the path and a part of the message of its issue.
    struct Row {
        var severity: Diagnostic.Severity
        var place: String
        var message: String
        var entities: [EntityDescription]

        init(
            _ severity: Diagnostic.Severity,
            _ place: String,
            _ message: String,
            _ entities: EntityDescription...
        ) {
            self.severity = severity
            self.place = place
            self.message = message
            self.entities = entities
        }
    }

    static let id = Attribute("id", .integer64)

    static func user(
        _ attributes: Attribute...,
        primaryKey: [String] = [],
        relationships: [Relationship] = [],
        unique: [[String]] = [],
        indexes: [FetchIndex] = []
    ) -> EntityDescription {
        EntityDescription(
            "User",
            primaryKey: primaryKey,
            attributes: [id] + attributes,
            relationships: relationships,
            uniquenessConstraints: unique,
            fetchIndexes: indexes
        )
    }

    private static func child(
        _ name: String,
        _ attributes: Attribute...,
        key: [String] = [],
        relationships: [Relationship] = []
    ) -> EntityDescription {
        EntityDescription(
            name,
            parent: "User",
            primaryKey: key,
            attributes: attributes,
            relationships: relationships
        )
    }

    static let rows: [Row] = names + inheritance + keys + keysWithParents + relationships

    private static let names: [Row] = [
        Row(.error, "model", "no entities"),
        Row(.error, "2fa", "not made of", EntityDescription("2fa", attributes: [id])),
        Row(.error, "_User", "begins with “_”", EntityDescription("_User", attributes: [id])),
        Row(.error, "Sqlite_x", "sqlite_", EntityDescription("Sqlite_x", attributes: [id])),
        Row(.error, "User.first-name", "not made of", user(Attribute("first-name", .string))),
        Row(.error, "User.größe", "not made of", user(Attribute("größe", .string))),
        Row(.error, "User.", "is empty", user(Attribute("", .string))),
        Row(
            .error,
            "User." + String(repeating: "a", count: 101),
            "more than 100",
            user(Attribute(String(repeating: "a", count: 101), .string))
        ),
        Row(.error, "User", "declared twice", user(), user()),
        Row(.error, "USER", "only by case", user(), EntityDescription("USER", attributes: [id])),
        Row(.error, "User.ID", "only by case", user(Attribute("ID", .string))),
        Row(
            .error,
            "Admin.NAME",
            "only by case",
            user(Attribute("name", .string)),
            child("Admin", Attribute("NAME", .string))
        ),
        Row(.error, "User.id", "Two properties", user(Attribute("id", .string))),
        Row(
            .error,
            "User.id",
            "Two properties",
            user(relationships: [Relationship("id", to: "User", inverse: "id")])
        ),
        Row(
            .warning,
            "User.first_name",
            "“first_name” falls on “firstName”",
            user(
                Attribute("firstName", .string, remoteKey: "first_name"),
                Attribute("first_name", .string, remoteKey: "first_name")
            )
        ),
        Row(
            .warning,
            "User.imageUrl",
            "falls on “imageURL”",
            user(Attribute("imageURL", .string), Attribute("imageUrl", .string))
        ),
        Row(.error, "User.a", "empty part", user(Attribute("a", .string, remoteKey: "x..y"))),
        Row(
            .warning,
            "User.a",
            "“tidemark.nonExportable” is ignored",
            user(Attribute("a", .string, userInfo: ["tidemark.nonExportable": "so"]))
        ),
        Row(
            .warning,
            "User.a",
            "“sync.isPrimaryKey” is ignored",
            user(Attribute("a", .string, userInfo: ["sync.isPrimaryKey": "true", "mine": "x"]))
        ),
        Row(
            .warning,
            "User",
            "“tidemark.primaryKey” is ignored",
            EntityDescription("User", attributes: [id], userInfo: ["tidemark.primaryKey": "a"])
        ),
        Row(.warning, "User.a", "no transformer", user(Attribute("a", .transformable))),
        Row(.warning, "User.a", "“asset”", user(Attribute("a", .string, isAsset: true))),
        Row(.warning, "User.a", "encoding", user(Attribute("a", .string, encoding: .base64))),
        Row(
            .warning,
            "User.a",
            "date format",
            user(Attribute("a", .string, dateFormat: "seconds"))
        ),
        Row(
            .error,
            "User.a",
            "has the field `tt`",
            user(Attribute("a", .date, dateFormat: "dd.tt.yyyy"))
        ),
        Row(
            .error,
            "User.a",
            "default value",
            user(Attribute("a", .integer16, defaultValue: .integer(99_999)))
        ),
        Row(
            .error,
            "User.a",
            "at least 2.0 and at most 1.0",
            user(Attribute("a", .integer16, validation: .init(minimum: 2, maximum: 1)))
        ),
    ]

    private static let level = Attribute("level", .integer16)
    private static let toOne = Relationship("level", to: "User")

    /// Rows whose column would have the name of another property.
    private static func taken(
        _ entity: String,
        by column: String,
        _ children: [EntityDescription]
    ) -> Row {
        let message = "column “\(column)” of one of them is that of another property"
        var row = Row(.error, "\(entity).level", message, user(Attribute(column, .string)))
        row.entities += children
        return row
    }

    private static let inheritance: [Row] = [
        Row(
            .error,
            "User",
            "parent “Base”",
            EntityDescription("User", parent: "Base", attributes: [id])
        ),
        Row(
            .error,
            "A",
            "inherits from itself",
            EntityDescription("A", parent: "B", attributes: [id]),
            EntityDescription("B", parent: "A")
        ),
        Row(
            .error,
            "A",
            "inherits from itself",
            EntityDescription("A", parent: "A", attributes: [id])
        ),
        Row(.warning, "Admin.id", "shadows “User.id”", user(), child("Admin", id)),
        Row(
            .error,
            "Admin.id",
            "another kind",
            user(),
            child("Admin", Attribute("id", .string))
        ),
        Row(
            .error,
            "Admin.id",
            "another kind",
            user(),
            child("Admin", relationships: [Relationship("id", to: "User")])
        ),
        Row(
            .warning,
            "B.level",
            "column here is “level_B”",
            user(),
            child("B", Attribute("level", .string)),
            child("A", Attribute("level", .integer16))
        ),
        taken("B", by: "level_B", [child("B", Attribute("level", .string)), child("A", level)]),
        taken("B", by: "level_B", [child("B", relationships: [toOne]), child("A", level)]),
        taken("B", by: "level_A", [child("A", relationships: [toOne]), child("B", level)]),
        taken(
            "C",
            by: "level_C",
            [
                child("A", relationships: [Relationship("level", to: "User", isToMany: true)]),
                child("B", Attribute("level", .string)), child("C", level),
            ]
        ),
        Row(
            .warning,
            "User",
            "identity “shared” has no effect",
            EntityDescription("User", attributes: [id], identity: .shared)
        ),
        Row(
            .error,
            "Base",
            "“Note.base” leads to it",
            EntityDescription("Base", isAbstract: true, attributes: [id], identity: .separate),
            EntityDescription(
                "Note",
                parent: "Base",
                relationships: [Relationship("base", to: "Base")]
            )
        ),
        Row(
            .warning,
            "User",
            "nothing inherits",
            EntityDescription("User", attributes: [id], discriminator: "kind")
        ),
    ]

    private static let keys: [Row] = [
        Row(
            .warning,
            "User",
            "no primary key",
            EntityDescription("User", attributes: [Attribute("a", .string)])
        ),
        Row(.error, "User", "“code” is neither an attribute nor", user(primaryKey: ["code"])),
        Row(.error, "User", "twice", user(primaryKey: ["id", "id"])),
        Row(
            .error,
            "User.a",
            "transient",
            user(Attribute("a", .string, isTransient: true), primaryKey: ["a"])
        ),
        Row(.error, "User.a", "no json", user(Attribute("a", .json), primaryKey: ["a"])),
        Row(.error, "User.a", "no binary", user(Attribute("a", .binary), primaryKey: ["a"])),
        Row(.warning, "User.a", "type double", user(Attribute("a", .double), primaryKey: ["a"])),
        Row(
            .error,
            "Admin",
            "same table",
            user(),
            child("Admin", Attribute("code", .string), key: ["code"])
        ),
        Row(.error, "User", "“name”, which is not a property", user(unique: [["name"]])),
        Row(.error, "User", "constraint is empty", user(unique: [[]])),
        Row(
            .error,
            "User",
            "transient",
            user(Attribute("a", .string, isTransient: true), unique: [["a"]])
        ),
        Row(
            .warning,
            "User",
            "not a column: the index is left out",
            user(
                relationships: [Relationship("rs", to: "User", isToMany: true, inverse: "rs")],
                indexes: [FetchIndex("i", elements: [.init("rs")])]
            )
        ),
        Row(
            .error,
            "User",
            "“I” is declared twice",
            user(indexes: [
                FetchIndex("i", elements: [.init("id")]), FetchIndex("I", elements: [.init("id")]),
            ])
        ),
        Row(.error, "User", "“i” is empty", user(indexes: [FetchIndex("i", elements: [])])),
    ]

    private static let relationships: [Row] = [
        Row(
            .error,
            "User.r",
            "destination “Note”",
            user(relationships: [Relationship("r", to: "Note", inverse: "user")])
        ),
        Row(.warning, "User.r", "no inverse", user(relationships: [Relationship("r", to: "User")])),
        Row(
            .error,
            "User.r",
            "is not a relationship of “User”",
            user(relationships: [Relationship("r", to: "User", inverse: "s")])
        ),
        Row(
            .error,
            "User.r",
            "does not lead back",
            user(relationships: [
                Relationship("r", to: "User", inverse: "s"),
                Relationship("s", to: "User", inverse: "s"),
            ])
        ),
        Row(
            .error,
            "User.r",
            "does not lead back",
            user(relationships: [Relationship("r", to: "Note", inverse: "r")]),
            EntityDescription(
                "Note",
                attributes: [id],
                relationships: [Relationship("r", to: "Note", inverse: "r")]
            )
        ),
        Row(
            .warning,
            "User.r",
            "ordered",
            user(relationships: [Relationship("r", to: "User", isOrdered: true, inverse: "r")])
        ),
        Row(
            .error,
            "User.r",
            "at least 2",
            user(relationships: [
                Relationship(
                    "r",
                    to: "User",
                    isToMany: true,
                    inverse: "r",
                    minimumCount: 2,
                    maximumCount: 1
                )
            ])
        ),
        Row(
            .warning,
            "User.name",
            "No JSON key fills it",
            user(Attribute("name", .string), Attribute("b", .string, remoteKey: "name"))
        ),
        Row(
            .warning,
            "User.age",
            "default breaks its own rule",
            user(
                Attribute(
                    "age",
                    .integer16,
                    defaultValue: .integer(-1),
                    validation: .init(minimum: 0)
                )
            )
        ),
        Row(
            .error,
            "B.r",
            "has the name of “A.r”",
            EntityDescription("Base", attributes: [id]),
            EntityDescription("A", parent: "Base", relationships: [Relationship("r", to: "Base")]),
            EntityDescription("B", parent: "Base", relationships: [Relationship("r", to: "Base")]),
            EntityDescription("C", parent: "Base", attributes: [Attribute("r_B", .string)])
        ),
        Row(
            .error,
            "User.r",
            "3 reference keys",
            user(
                Attribute("a", .string),
                primaryKey: ["id", "a"],
                relationships: [
                    Relationship("r", to: "User", inverse: "r", referenceKeys: ["x", "y", "z"])
                ]
            )
        ),
    ]
}
