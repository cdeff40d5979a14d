import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Triggers, views, indexes and foreign keys of an app in a database whose model changes.
struct AppObjectMigrationTests {
    private static let before = """
        Company: {attributes: {id: integer64, name: string}}, \
        User: {attributes: {id: integer64, name: string}, relationships: { \
        tags: {to: Tag, toMany: true, inverse: users}}}, \
        Tag: {attributes: {id: integer64}, relationships: { \
        users: {to: User, toMany: true, inverse: tags}}}, \
        Person: {unique: [[name]], attributes: {id: integer64, name: string}}
        """

    /// Renames `Company` and changes the type of its key, so that the table is rebuilt.
    private static let rewritten = before.replacing(
        "Company: {attributes: {id: integer64, name: string}}",
        with: "Firm: {renamedFrom: Company, attributes: "
            + "{id: string, title: {type: string, renamedFrom: name}}}"
    )

    /// Changes names only, so that the tables are kept.
    private static let renamed = rewritten.replacing(
        "{id: string, title",
        with: "{id: integer64, title"
    )

    /// Makes `User` a sub-entity of `Person`: its table is dropped and its rows are moved.
    private static let merged = before.replacing(
        "User: {attributes: {id: integer64, name: string}, ",
        with: "User: {parent: Person, "
    )

    private static let toOne = before.replacing(
        "tags: {to: Tag, toMany: true,",
        with: "tags: {to: Tag,"
    )

    private static let unlinked = """
        Company: {attributes: {id: integer64, name: string}}, \
        User: {attributes: {id: integer64, name: string}}, Tag: {attributes: {id: integer64}}, \
        Person: {attributes: {id: integer64, name: string}}
        """

    private static let dropped = before.replacing(
        "Company: {attributes: {id: integer64, name: string}}, ",
        with: ""
    )

    private func store(_ objects: String) throws -> Store {
        try TidemarkStoreTests.store(Self.before) { store in
            try store.insert("Company", ["id": .integer(1), "name": .string("A")])
            try store.insert("Tag", ["id": .integer(1)])
            try store.insert("User", ["id": .integer(1)], links: ["tags": ["Tag:1"]])
            try store.writer.write { db in
                try db.execute(sql: "CREATE TABLE note (text, n); \(objects)")
            }
        }
    }

    /// The objects of an app, the changed model, and the expected error of the migration.
    struct RejectedMigration: CustomTestStringConvertible {
        let testDescription: String
        let objects: String
        let model: String
        let message: String
    }

    private static let again = " Drop it, and make it again after the migration."

    private static let rejections = [
        RejectedMigration(
            testDescription: "a trigger of another table that reads a column",
            objects: """
                CREATE TRIGGER copy AFTER INSERT ON User BEGIN
                INSERT INTO note (text) SELECT c.name FROM Company c; END
                """,
            model: rewritten,
            message: "The trigger copy does not fit the tables of the model: "
                + "no such column: c.name.\(again)"
        ),
        RejectedMigration(
            testDescription: "a view of a column",
            objects: "CREATE VIEW names AS SELECT name FROM Company",
            model: rewritten,
            message: "The view names does not fit the tables of the model: "
                + "no such column: name.\(again)"
        ),
        RejectedMigration(
            testDescription: "a view of a dropped entity",
            objects: "CREATE VIEW names AS SELECT name FROM Company",
            model: dropped,
            message: "The view names does not fit the tables of the model: "
                + "no such table: main.Company.\(again)"
        ),
        RejectedMigration(
            testDescription: "a trigger on the table that names it otherwise",
            objects: """
                CREATE TRIGGER copy AFTER INSERT ON company BEGIN
                INSERT INTO note (text) VALUES (new.name); END
                """,
            model: rewritten,
            message: "The trigger copy does not fit the tables of the model: "
                + "no such column: new.name.\(again)"
        ),
        RejectedMigration(
            testDescription: "an index of a column",
            objects: "CREATE INDEX by_name ON company (name)",
            model: rewritten,
            message: "The index by_name does not fit the table Firm of the model: "
                + "no such column: name.\(again)"
        ),
        RejectedMigration(
            testDescription: "a trigger on a table that another takes up",
            objects: "CREATE TRIGGER hold AFTER INSERT ON user BEGIN DELETE FROM note; END",
            model: merged,
            message: "The trigger hold is on the table user, "
                + "which the model has no longer, while its rows go on.\(again)"
        ),
        RejectedMigration(
            testDescription: "an index on a table that another takes up",
            objects: "CREATE INDEX by_name ON User (name)",
            model: merged,
            message: "The index by_name is on the table User, "
                + "which the model has no longer, while its rows go on.\(again)"
        ),
        RejectedMigration(
            testDescription: "a trigger on pairs that become a column",
            objects: """
                CREATE TRIGGER pairs AFTER DELETE ON _tidemark_Tag_users
                BEGIN DELETE FROM note; END
                """,
            model: toOne,
            message: "The trigger pairs is on the table _tidemark_Tag_users, "
                + "which the model has no longer, while its rows go on.\(again)"
        ),
        RejectedMigration(
            testDescription: "a view that does not work as it is",
            objects: "CREATE VIEW broken AS SELECT nosuch FROM User",
            model: renamed,
            message: "The view broken does not work: no such column: nosuch. "
                + "Repair or drop it first."
        ),
        RejectedMigration(
            testDescription: "a trigger that does not work, where nothing is renamed",
            objects: """
                CREATE TRIGGER broken AFTER INSERT ON note BEGIN DELETE FROM nosuch; END
                """,
            model: dropped,
            message: "The trigger broken does not work: no such table: main.nosuch. "
                + "Repair or drop it first."
        ),
        RejectedMigration(
            testDescription: "a reference to a column that is called otherwise",
            objects: "CREATE TABLE app (name TEXT REFERENCES person (name))",
            model: before.replacing(
                "[[name]], attributes: {id: integer64, name: string}}",
                with: "[[called]], attributes: {id: string, "
                    + "called: {type: string, renamedFrom: name}}}"
            ),
            message: "A reference of the table app does not fit the tables of the model: "
                + "foreign key mismatch - \"app\" referencing \"person\". "
                + "Let it refer to the column _id."
        ),
        RejectedMigration(
            testDescription: "a reference in another letter case to a row that is dropped",
            objects: """
                CREATE TABLE app (c INTEGER REFERENCES company (_id)); INSERT INTO app VALUES (1)
                """,
            model: dropped,
            message: "Row 1 of app refers to a row of company that is not there. "
                + "Clear the reference first."
        ),
    ]

    @Test(arguments: rejections)
    func `rejects a migration that would break an app's object, and names the object`(
        rejection: RejectedMigration
    ) throws {
        let store = try store(rejection.objects)
        let before = try store.writer.read(SchemaShape.state)
        let model = try model(rejection.model)
        try expect(errorMessage(store.dryRunMigration(to: model)), is: rejection.message)
        try expect(errorMessage(store.migrate(to: model)), is: rejection.message)
        try expect(store.writer.read(SchemaShape.state), is: before)
        try store.insert("Company", ["id": .integer(2)])
    }

    // MARK: Objects that are kept

    /// The objects of an app, the changed model, and the objects after the migration.
    struct CompatibleObjects: CustomTestStringConvertible {
        let testDescription: String
        let objects: String
        let model: String
        let remaining: String
    }

    private static let compatibleObjects = [
        CompatibleObjects(
            testDescription: "trigger and view of a renamed table",
            objects: """
                CREATE VIEW names AS SELECT name FROM Company;
                CREATE TRIGGER copy AFTER INSERT ON User BEGIN
                INSERT INTO note (text) SELECT c.name FROM Company c; END
                """,
            model: renamed,
            remaining: """
                names: CREATE VIEW names AS SELECT "title" FROM "Firm"
                copy: CREATE TRIGGER copy AFTER INSERT ON User BEGIN
                INSERT INTO note (text) SELECT c."title" FROM "Firm" c; END
                """
        ),
        CompatibleObjects(
            testDescription: "a trigger with another letter case on a table that is rebuilt",
            objects: """
                CREATE TRIGGER copy AFTER INSERT ON company BEGIN
                INSERT INTO note (n) VALUES (new._id); END
                """,
            model: rewritten,
            remaining: """
                copy: CREATE TRIGGER copy AFTER INSERT ON "Firm" BEGIN
                INSERT INTO note (n) VALUES (new._id); END
                """
        ),
        CompatibleObjects(
            testDescription: "trigger and index on pairs that are rebuilt",
            objects: """
                CREATE TRIGGER pairs AFTER INSERT ON _TIDEMARK_Tag_users
                BEGIN DELETE FROM note; END;
                CREATE INDEX by_place ON _tidemark_Tag_users (position)
                """,
            model: merged,
            remaining: """
                pairs: CREATE TRIGGER pairs AFTER INSERT ON _TIDEMARK_Tag_users
                BEGIN DELETE FROM note; END
                by_place: CREATE INDEX by_place ON _tidemark_Tag_users (position)
                """
        ),
        CompatibleObjects(
            testDescription: "objects of a dropped table are dropped with it",
            objects: """
                CREATE TRIGGER copy AFTER INSERT ON Company BEGIN DELETE FROM note; END;
                CREATE INDEX by_name ON Company (name)
                """,
            model: dropped,
            remaining: ""
        ),
        CompatibleObjects(
            testDescription: "objects of a dropped join table are dropped with it",
            objects: """
                CREATE TRIGGER pairs AFTER INSERT ON _tidemark_Tag_users
                BEGIN DELETE FROM note; END
                """,
            model: unlinked,
            remaining: ""
        ),
    ]

    @Test(arguments: compatibleObjects)
    func `an app's objects that fit the new model are kept and work`(
        compatible: CompatibleObjects
    ) throws {
        let migrated = try store(compatible.objects).migrate(to: model(compatible.model))
        let remaining = try migrated.writer.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT name || ': ' || sql FROM sqlite_master WHERE name IN \
                    ('names', 'copy', 'pairs', 'by_place', 'by_name') ORDER BY rowid
                    """
            )
        }
        expect(remaining.joined(separator: "\n"), is: compatible.remaining)
        let links =
            migrated.model["User"]?.relationships.isEmpty == true ? [:] : ["tags": ["Tag:1"]]
        try migrated.insert("User", ["id": .integer(7)], links: links)
        let probes = try migrated.writer.read { db in
            try String.fetchAll(
                db,
                sql: "SELECT name FROM sqlite_master WHERE name LIKE '%\\_probe%' ESCAPE '\\'"
            )
        }
        #expect(probes.isEmpty)
    }
}
