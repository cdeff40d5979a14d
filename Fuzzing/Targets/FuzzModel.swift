import TidemarkModel

/// A model with every attribute type and every kind of relationship.
enum FuzzModel {
    static let model = Model(entities: [
        company, person, director, tag, badge, note, thing, book, film,
    ])

    private static let company = EntityDescription(
        "Company",
        attributes: [
            Attribute("id", .integer64), Attribute("name", .string, isOptional: false),
            Attribute("seats", .integer32, defaultValue: .integer(1)),
            Attribute(
                "rank",
                .integer16,
                validation: Attribute.Validation(minimum: 1, maximum: 3)
            ),
        ],
        relationships: [
            many("people", "Person", inverse: "company"),
            many("things", "Thing", inverse: "owner", .cascade),
        ],
        uniquenessConstraints: [["rank", "seats"]]
    )

    private static let person = EntityDescription(
        "Person",
        attributes: [
            Attribute("id", .integer16, remoteKey: "url"), Attribute("name", .string),
            Attribute("age", .integer16), Attribute("pay", .decimal),
            Attribute("height", .double), Attribute("weight", .float),
            Attribute("isActive", .boolean), Attribute("bornAt", .date),
            Attribute("day", .date, dateFormat: "dd.MM.yyyy"), Attribute("code", .uuid),
            Attribute("link", .uri, nullValues: ["n/a"]),
            Attribute("photo", .binary, encoding: .base64), Attribute("raw", .binary),
            Attribute("extra", .json), Attribute("blob", .transformable),
            Attribute("city", .string, remoteKey: "address.city"), Attribute("in", .string),
        ],
        relationships: [
            one("company", "Company", inverse: "people"), one("boss", "Person", inverse: "team"),
            many("team", "Person", inverse: "boss"),
            many("friends", "Person", inverse: "friends"),
            many("tags", "Tag", inverse: "people", isOrdered: true),
            one("badge", "Badge", inverse: "owner", .deny),
            many("notes", "Note", inverse: "person", isOrdered: true, .cascade),
            one("likes", "Thing", inverse: nil),
        ],
        uniquenessConstraints: [["code"]]
    )

    private static let director = EntityDescription(
        "Director",
        parent: "Person",
        attributes: [Attribute("budget", .decimal, isOptional: false)],
        relationships: [many("films", "Film", inverse: nil)]
    )

    private static let tag = EntityDescription(
        "Tag",
        primaryKey: ["text"],
        attributes: [Attribute("text", .string)],
        relationships: [many("people", "Person", inverse: "tags", isOrdered: true)]
    )

    private static let badge = EntityDescription(
        "Badge",
        primaryKey: ["store", "number"],
        attributes: [
            Attribute("store", .integer64), Attribute("number", .string),
            Attribute("issued", .date, dateFormat: "milliseconds"),
        ],
        relationships: [one("owner", "Person", inverse: "badge")]
    )

    /// An entity without a primary key.
    private static let note = EntityDescription(
        "Note",
        attributes: [
            Attribute(
                "text",
                .string,
                validation: Attribute.Validation(maximum: 9, pattern: "[a-zA-Z0-9]*")
            )
        ],
        relationships: [
            one("person", "Person", inverse: "notes"),
            many("replies", "Note", inverse: "answers"), one("answers", "Note", inverse: "replies"),
        ]
    )

    private static let thing = EntityDescription(
        "Thing",
        isAbstract: true,
        attributes: [Attribute("id", .uuid), Attribute("title", .string)],
        relationships: [one("owner", "Company", inverse: "things")],
        discriminator: "kind"
    )

    private static let book = EntityDescription(
        "Book",
        parent: "Thing",
        attributes: [Attribute("pages", .integer32)]
    )

    private static let film = EntityDescription(
        "Film",
        parent: "Thing",
        attributes: [Attribute("pages", .string)],
        relationships: [
            many("sequels", "Film", inverse: "prequel", orphans: .unlink),
            one("prequel", "Film", inverse: "sequels"),
        ]
    )

    private static func one(
        _ name: String,
        _ destination: String,
        inverse: String?,
        _ rule: Relationship.DeleteRule = .nullify
    ) -> Relationship {
        Relationship(name, to: destination, inverse: inverse, deleteRule: rule)
    }

    private static func many(
        _ name: String,
        _ destination: String,
        inverse: String?,
        isOrdered: Bool = false,
        orphans: Relationship.OrphanPolicy = .delete,
        _ rule: Relationship.DeleteRule = .nullify
    ) -> Relationship {
        Relationship(
            name,
            to: destination,
            isToMany: true,
            isOrdered: isOrdered,
            inverse: inverse,
            deleteRule: rule,
            orphans: orphans
        )
    }
}
