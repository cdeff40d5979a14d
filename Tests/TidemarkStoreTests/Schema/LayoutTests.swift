import Foundation
import Testing
import TidemarkModel
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkStore

struct LayoutTests {
    private func schema(_ entities: EntityDescription...) throws -> String {
        try Store.validated(model: Model(entities: entities)).schema()
    }

    @Test func `rejects an invalid model`() {
        #expect(throws: ModelError.self) { try StoreLayout(Model()) }
        #expect(throws: ModelError.self) {
            try StoreLayout(Model(entities: [.named("User", [], .one("boss", "Nemo"))]))
        }
    }

    @Test func `each type has a storage class, and a required attribute is NOT NULL`() throws {
        let attributes = AttributeType.allCases.map { Attribute("a\($0.rawValue)", $0) }
        let required = Attribute("must", .string, isOptional: false)
        let transient = Attribute("never", .string, isTransient: true)
        try expect(
            schema(EntityDescription("Thing", attributes: attributes + [required, transient])),
            is: """
                CREATE TABLE "Thing" ("_id" INTEGER PRIMARY KEY AUTOINCREMENT
                  "ainteger16" INTEGER
                  "ainteger32" INTEGER
                  "ainteger64" INTEGER
                  "adecimal" TEXT
                  "adouble" REAL
                  "afloat" REAL
                  "astring" TEXT
                  "aboolean" INTEGER
                  "adate" REAL
                  "abinary" BLOB
                  "auuid" TEXT
                  "auri" TEXT
                  "atransformable" ANY
                  "ajson" TEXT
                  "must" TEXT NOT NULL) STRICT
                """
        )
    }

    @Test func `keys and constraints are unique, and keys may be null at first`() throws {
        let order = EntityDescription(
            "Order",
            primaryKey: ["store", "number"],
            attributes: [
                Attribute("store", .integer64, isOptional: false), Attribute("number", .string),
                Attribute("code", .string),
            ],
            uniquenessConstraints: [["store", "number"], ["code"]],
            fetchIndexes: [
                FetchIndex(
                    "byCode",
                    elements: [.init("code"), .init("number", isAscending: false)]
                )
            ]
        )
        try expect(
            schema(order),
            is: """
                CREATE TABLE "Order" ("_id" INTEGER PRIMARY KEY AUTOINCREMENT
                  "store" INTEGER
                  "number" TEXT
                  "code" TEXT
                  UNIQUE ("store", "number")
                  UNIQUE ("code")) STRICT
                CREATE INDEX "_tidemark_index_Order.byCode" ON "Order" ("code", "number" DESC)
                """
        )
    }

    @Test func `an inheritance tree is one table with shared and conflicting columns`() throws {
        try expect(
            schema(
                .named("Vehicle"),
                .named("Truck", parent: "Vehicle", [Attribute("load", .string)]),
                .named("Car", parent: "Vehicle", [Attribute("load", .integer64)]),
                .named("Van", parent: "Vehicle", [Attribute("load", .integer64)]),
                .named("Bus", parent: "Van", [Attribute("must", .string, isOptional: false)])
            ),
            is: """
                CREATE TABLE "Vehicle" ("_id" INTEGER PRIMARY KEY AUTOINCREMENT
                  "_entity" TEXT NOT NULL
                  "id" INTEGER
                  "name" TEXT
                  "load" INTEGER
                  "load_Truck" TEXT
                  "must" TEXT
                  UNIQUE ("id")) STRICT
                """
        )
    }

    @Test func `the entity that sorts first has the plain name of a conflicting column`() throws {
        try expect(
            schema(
                .named("Base"),
                .named("Y", parent: "Base"),
                .named("Z", parent: "Base", [Attribute("size", .string)]),
                .named("A", parent: "Y", [Attribute("size", .integer64)])
            ),
            is: """
                CREATE TABLE "Base" ("_id" INTEGER PRIMARY KEY AUTOINCREMENT
                  "_entity" TEXT NOT NULL
                  "id" INTEGER
                  "name" TEXT
                  "size_Z" TEXT
                  "size" INTEGER
                  UNIQUE ("id")) STRICT
                """
        )
    }

    @Test func `gives each child of an abstract parent its own table`() throws {
        let base = EntityDescription(
            "Base",
            isAbstract: true,
            attributes: [Attribute("id", .integer64)],
            relationships: [.one("owner", "User")],
            uniquenessConstraints: [["owner"]]
        )
        try expect(
            schema(base, .named("User", parent: "Base"), .named("Company", parent: "Base")),
            is: """
                CREATE TABLE "User" ("_id" INTEGER PRIMARY KEY AUTOINCREMENT
                  "id" INTEGER
                  "owner" INTEGER REFERENCES "User"("_id") ON DELETE SET NULL DEFERRED
                  UNIQUE ("id")
                  UNIQUE ("owner")) STRICT
                CREATE INDEX "_tidemark_reference_User.owner" ON "User" ("owner")
                CREATE TABLE "Company" ("_id" INTEGER PRIMARY KEY AUTOINCREMENT
                  "id" INTEGER
                  "owner" INTEGER REFERENCES "User"("_id") ON DELETE SET NULL DEFERRED
                  UNIQUE ("id")
                  UNIQUE ("owner")) STRICT
                CREATE INDEX "_tidemark_reference_Company.owner" ON "Company" ("owner")
                """
        )
    }

    @Test(arguments: [
        (Relationship.DeleteRule.nullify, "SET NULL"), (.noAction, "SET NULL"),
        (.cascade, "CASCADE"), (.deny, "NO ACTION"),
    ])
    func `a foreign key has the action of the delete rule of the inverse`(
        _ rule: Relationship.DeleteRule,
        _ action: String
    ) throws {
        #expect(
            try schema(
                .named("Company", [], .many("users", "User", inverse: "company", rule)),
                .named("User", [], .one("company", "Company", inverse: "users", .cascade))
            )
            .contains(
                "\"company\" INTEGER REFERENCES \"Company\"(\"_id\") ON DELETE \(action) DEFERRED"
            )
        )
    }

    @Test func `a one-to-one link is stored once, on the side that sorts first`() throws {
        try expect(
            schema(
                .named("User", [], .one("profile", "Profile", inverse: "user", .cascade)),
                .named("Profile", [], .one("user", "User", inverse: "profile"))
            ),
            is: """
                CREATE TABLE "User" ("_id" INTEGER PRIMARY KEY AUTOINCREMENT
                  "id" INTEGER
                  "name" TEXT
                  UNIQUE ("id")) STRICT
                CREATE TABLE "Profile" ("_id" INTEGER PRIMARY KEY AUTOINCREMENT
                  "id" INTEGER
                  "name" TEXT
                  "user" INTEGER REFERENCES "User"("_id") ON DELETE CASCADE DEFERRED
                  UNIQUE ("id")) STRICT
                CREATE UNIQUE INDEX "_tidemark_reference_Profile.user" ON "Profile" ("user")
                """
        )
    }

    @Test func `the positions of an ordered list are stored in its children`() throws {
        let schema = try schema(
            .named("Album", [], .many("songs", "Song", inverse: "album", isOrdered: true)),
            .named("Radio", [], .many("songs", "Song", inverse: "radio", isOrdered: true)),
            .named(
                "Song",
                [],
                .one("album", "Album", inverse: "songs"),
                .one("radio", "Radio", inverse: "songs")
            )
        )
        #expect(
            schema.split(separator: "\n").suffix(10).joined(separator: "\n") == """
                CREATE TABLE "Song" ("_id" INTEGER PRIMARY KEY AUTOINCREMENT
                  "id" INTEGER
                  "name" TEXT
                  "album" INTEGER REFERENCES "Album"("_id") ON DELETE SET NULL DEFERRED
                  "radio" INTEGER REFERENCES "Radio"("_id") ON DELETE SET NULL DEFERRED
                  "_songs_position" INTEGER
                  "_songs_position_Radio" INTEGER
                  UNIQUE ("id")) STRICT
                CREATE INDEX "_tidemark_reference_Song.album" ON "Song" ("album", "_songs_position")
                CREATE INDEX "_tidemark_reference_Song.radio" ON "Song" ("radio", "_songs_position_Radio")
                """
        )
    }

    @Test func `a many-to-many link is a row of a join table named after the first side`() throws {
        let schema = try schema(
            .named("Note", [], .many("tags", "Tag", inverse: "notes", isOrdered: true)),
            .named("Tag", [], .many("notes", "Note", inverse: "tags"), .many("seenBy", "Note"))
        )
        #expect(
            schema.split(separator: "\n").dropFirst(8).joined(separator: "\n") == """
                CREATE TABLE "_tidemark_Note_tags" ("_id" INTEGER PRIMARY KEY
                  "owner" INTEGER NOT NULL REFERENCES "Note"("_id") ON DELETE CASCADE DEFERRED
                  "member" INTEGER NOT NULL REFERENCES "Tag"("_id") ON DELETE CASCADE DEFERRED
                  "position" INTEGER
                  "inversePosition" INTEGER
                  UNIQUE ("owner", "member")) STRICT
                CREATE INDEX "_tidemark_Note_tags.owner" ON "_tidemark_Note_tags" ("owner", "position")
                CREATE INDEX "_tidemark_Note_tags.member" ON "_tidemark_Note_tags" ("member")
                CREATE TABLE "_tidemark_Tag_seenBy" ("_id" INTEGER PRIMARY KEY
                  "owner" INTEGER NOT NULL REFERENCES "Tag"("_id") ON DELETE CASCADE DEFERRED
                  "member" INTEGER NOT NULL REFERENCES "Note"("_id") ON DELETE CASCADE DEFERRED
                  "position" INTEGER
                  "inversePosition" INTEGER
                  UNIQUE ("owner", "member")) STRICT
                CREATE INDEX "_tidemark_Tag_seenBy.member" ON "_tidemark_Tag_seenBy" ("member")
                """
        )
    }

    @Test func `two entities of a tree may each declare an index of the same name`() throws {
        let index = FetchIndex("byName", elements: [.init("name")])
        let top = EntityDescription(
            "Top",
            attributes: [Attribute("name", .string)],
            fetchIndexes: [index]
        )
        let leaf = EntityDescription("Leaf", parent: "Top", fetchIndexes: [index])
        let other = EntityDescription("Other", parent: "Top", fetchIndexes: [index])
        let store = try Store.validated(model: Model(entities: [top, leaf, other]))
        #expect(try store.schema().split(separator: "CREATE INDEX").count == 4)
    }

    @Test func `names that collide when joined result in different indexes and tables`() throws {
        let schema = try schema(
            .named("A", [], .one("B_c", "Z"), .many("B_d", "Z")),
            .named("A_B", [], .one("c", "Z"), .many("d", "Z")),
            .named("Z")
        )
        #expect(schema.split(separator: "CREATE TABLE").count == 5)
    }

    @Test(arguments: [".nullify", ".cascade"])
    func `a relationship to the same entity is stored once`(_ rule: String) throws {
        let layout = try StoreLayout(
            Model(entities: [
                .named(
                    "User",
                    [],
                    .many("friends", "User", inverse: "friends"),
                    .one("boss", "User", inverse: "team"),
                    .many("team", "User", inverse: "boss", rule == ".cascade" ? .cascade : .nullify)
                )
            ])
        )
        let user = try layout.entity("User")
        #expect(
            user.relationships.map(\.storage) == [
                .join(0, .either), .column(2), .inverse(table: 0, column: 2, position: nil),
            ]
        )
        #expect(layout.joins.map(\.isSymmetric) == [true])
    }

    @Test(arguments: [(1_990, false), (1_991, true), (5_000, true)])
    func `rejects a model with more properties than a table can have columns`(
        _ count: Int,
        _ isTooLarge: Bool
    ) throws {
        let attributes = (1...count).map { Attribute("a\($0)", .string) }
        let model = Model(entities: [EntityDescription("Wide", attributes: attributes)])
        let findings = StoreLayout.findings(in: model).filter { $0.severity == .error }
        #expect(findings.map(\.path) == (isTooLarge ? ["Wide"] : []))
        let folder = try Folder()
        let path = folder.filePath("s.sqlite")
        guard isTooLarge else {
            try Store.validated(at: path, model: model).insert("Wide", ["a1990": .string("x")])
            return
        }
        let error = #expect(throws: ModelError.self) { try Store.validated(at: path, model: model) }
        #expect(error?.code == .invalid)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
