import Testing

/// What the macro reports, each with line and column.
struct DiagnosticTests {
    /// A member of `@Entity struct User { … }` on a line of its own, and what is reported.
    struct Case: CustomTestStringConvertible, Sendable {
        let member: String
        let reported: [String]

        init(_ member: String, _ reported: String...) {
            self.member = member
            self.reported = reported
        }

        var testDescription: String { member }
    }

    static let properties = [
        Case(
            "var name = other",
            "2:9 error: Write the type of “name”: a macro sees only what is written."
        ),
        Case(
            "let name: String = \"Ada\"",
            "2:5 error: “name” is a constant with a value, which cannot be read from a row: make it a "
                + "var.",
            "  let → var"
        ),
        Case(
            "@Transient var isNew: Bool",
            "2:20 error: “isNew” has no column, so a record that is read needs a value for it: “= …”."
        ),
        Case(
            "@Attribute(isTransient: true) var isNew: Bool",
            "2:39 error: “isNew” has no column, so a record that is read needs a value for it: “= …”."
        ),
        Case(
            "@Attribute(isTransient: isCompact) var isNew = false",
            "2:5 error: Write “isTransient” as true or false: a macro sees only what is written."
        ),
        Case(
            "var name: String!",
            "2:15 error: “name” would trap where the row has null: make it an optional with “?”."
        ),
        Case("var (x, y): (Int, Int)", "2:9 error: Declare one property at a time: “var x: Int”."),
        Case(
            "#if DEBUG\n    var name: String\n    #endif",
            "2:5 error: A macro does not see which branch is compiled: move the property out of "
                + "“#if”."
        ),
        Case(
            "var id: Int?",
            "2:9 warning: “id: Int?” identifies nothing before the service assigns a key: name it "
                + "“remoteID”, or mark it with @PrimaryKey to keep the name.",
            "  id → remoteID"
        ),
        Case("@PrimaryKey var id: Int?"),
        Case(
            "var rowID: Int",
            "2:9 error: Every record has a property “rowID”: give this one another name."
        ),
        Case(
            "var _name: String",
            "2:9 error: “_name” cannot be the name of a column: use a letter, then letters, digits and "
                + "“_”."
        ),
        Case(
            "var sqlite_name: String",
            "2:9 error: “sqlite_name” cannot be the name of a column: use a letter, then letters, "
                + "digits and “_”."
        ),
        Case(
            "var größe: Int",
            "2:9 error: “größe” cannot be the name of a column: use a letter, then letters, digits and "
                + "“_”."
        ),
        Case(
            "var name: String; var Name: String",
            "2:27 error: SQLite does not distinguish “Name” from “name”: rename one of them."
        ),
    ]

    static let collections = [
        Case(
            "var tags: [String]",
            "2:15 error: “tags” is a collection: mark it with @JSON, or write Many<…> for linked rows.",
            "  var → @JSON var"
        ),
        Case(
            "private var tags: Set<Tag>?",
            "2:23 error: “tags” is a collection: mark it with @JSON, or write Many<…> for linked rows.",
            "  var → @JSON var"
        ),
        Case(
            "var names: [String: Int]",
            "2:16 error: “names” is a collection: mark it with @JSON, or write Many<…> for linked "
                + "rows.",
            "  var → @JSON var"
        ),
        Case(
            "var names: Swift.Dictionary<String, Int>",
            "2:16 error: “names” is a collection: mark it with @JSON, or write Many<…> for linked "
                + "rows.",
            "  var → @JSON var"
        ),
        Case("var bytes: [UInt8]; @JSON var tags: [String]; @Transient var set: Set<Int> = []"),
    ]

    static let relationships = [
        Case(
            "@Relationship(inverse: \"user\") var notes: [Note]",
            "2:47 error: “notes” is a relationship to several rows: write Many<Note>.",
            "  [Note] → Many<Note>"
        ),
        Case(
            "@Relationship var notes: Array<Note>",
            "2:30 error: “notes” is a relationship to several rows: write Many<Note>.",
            "  Array<Note> → Many<Note>"
        ),
        Case(
            "@Relationship var company: Company?",
            "2:32 error: “company” is a relationship to one row: write One<Company>.",
            "  Company? → One<Company>"
        ),
        Case(
            "var notes: Many<Note>?",
            "2:16 error: Many<Note> is empty without linked rows: remove “?” from the type of “notes”.",
            "  Many<Note>? → Many<Note>"
        ),
        Case(
            "var company: One<Company>?",
            "2:18 error: One<Company> represents a missing link: remove “?” from the type of “company”.",
            "  One<Company>? → One<Company>"
        ),
        Case(
            "let notes: Many<Note>",
            "2:5 error: “notes” is set after the record is read: make it a var.",
            "  let → var"
        ),
        Case(
            "@Relationship(isOrdered: true) var company: One<Company>",
            "2:5 error: A relationship to one row has no order: remove “isOrdered” from “company”."
        ),
        Case(
            "@Relationship(inverse: name) var notes: Many<Note>",
            "2:5 error: Write the inverse of “notes” as a string literal, which the compiler checks."
        ),
    ]

    static let contradictions = [
        Case(
            "@PrimaryKey @JSON var id: Address",
            "2:5 error: “id” cannot be part of the primary key: use an attribute or a One."
        ),
        Case(
            "@PrimaryKey var notes: Many<Note>",
            "2:5 error: “notes” cannot be part of the primary key: use an attribute or a One."
        ),
        Case(
            "@Transient @PrimaryKey var name = \"\"",
            "2:16 error: “name” cannot have both @Transient and @PrimaryKey."
        ),
        Case(
            "@Relationship @JSON var notes: Many<Note>",
            "2:19 error: “notes” cannot have both @Relationship and @JSON."
        ),
        Case(
            "@Attribute(isExportable: false) var notes: Many<Note>",
            "2:5 error: @Attribute applies to attributes, and “notes” is a relationship: use "
                + "@Relationship."
        ),
        Case(
            "@RemoteKey(\"profile..name\") var name: String",
            "2:5 error: The remote key “profile..name” has an empty part: write names with single dots "
                + "between them."
        ),
        Case(
            "@RemoteKey(\"\") var name: String",
            "2:5 error: The remote key “” has an empty part: write names with single dots between them."
        ),
    ]

    @Test("a property that no row can have is reported where it is", arguments: properties)
    func property(_ sample: Case) {
        expect(sample)
    }

    @Test("a collection is a document, or a relationship", arguments: collections)
    func collection(_ sample: Case) {
        expect(sample)
    }

    @Test("a relationship is a One or a Many", arguments: relationships)
    func relationship(_ sample: Case) {
        expect(sample)
    }

    @Test("options that contradict each other are reported", arguments: contradictions)
    func contradiction(_ sample: Case) {
        expect(sample)
    }

    @Test(
        "an entity is a struct without generic parameters",
        arguments: [
            "@Entity class User {}": "1:1 error: An entity is a struct: declare it as one.",
            "@Entity enum User {}": "1:1 error: An entity is a struct: declare it as one.",
            "@Entity actor User {}": "1:1 error: An entity is a struct: declare it as one.",
            "@Entity struct User<T> {}":
                "1:20 error: An entity is a struct without generic parameters.",
            "@Entity(name) struct User {}":
                "1:1 error: Write the name of the entity as a string literal: @Entity(\"User\").",
            "@Entity struct Record {}":
                "1:16 error: Every record has a type “Record”: rename the struct, and keep the name of "
                + "the entity with @Entity(\"Record\").",
            "@Entity struct Properties {}":
                "1:16 error: Every record has a type “Properties”: rename the struct, and keep the name "
                + "of the entity with @Entity(\"Properties\").",
            "@Entity(primaryKey: [\"code\"]) struct User { @PrimaryKey var id: Int }":
                "1:1 error: The primary key is declared twice: use primaryKey: or @PrimaryKey.",
        ]
    )
    func declaration(source: String, reported: String) {
        #expect(Expansion(of: source).diagnostics == [reported])
    }

    @Test("the entity has no property for what is static, lazy or computed")
    func ignored() {
        let expansion = Expansion(
            of: """
                @Entity struct User {
                    static let limit = 5
                    lazy var initials = String(name.prefix(1))
                    var id: Int { 5 }
                    var name: String { didSet { print(name) } }
                }
                """
        )
        #expect(expansion.diagnostics == [])
        #expect(
            expansion.text.contains(
                """
                    nonisolated init(from row: TidemarkStore.EntityRow) throws {
                        self.name = try row[0, "name"]
                    }
                """
            )
        )
    }

    private func expect(_ sample: Case) {
        let expansion = Expansion(of: "@Entity struct User {\n    \(sample.member)\n}")
        #expect(expansion.diagnostics == sample.reported)
        let isError = sample.reported.contains { $0.contains(" error: ") }
        #expect(expansion.text.contains("extension User") != isError)
    }
}
