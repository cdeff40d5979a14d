import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// A store that another connection migrates while an importer is used.
struct ConcurrentMigrationTests {
    private static func model(_ type: AttributeType) -> Model {
        Model(entities: [
            EntityDescription(
                "User",
                attributes: [Attribute("id", .integer64), Attribute("v", type)]
            )
        ])
    }

    /// An operation of an importer, performed inside a transaction.
    struct Use: CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (Importer, Database) throws -> Void
    }

    private static let session = ImportSession("users", into: "User")

    private static func items() throws -> some JSONItems {
        try JSONDocument(Array(#"[{"id": 1, "v": 5}, {"id": 2, "v": 7}]"#.utf8)).items()
    }

    private static let uses = [
        Use(testDescription: "begin") { try $0.begin($1, session) },
        Use(testDescription: "apply") {
            var items = try items()
            _ = try $0.apply($1, &items, of: session)
        },
        Use(testDescription: "finish") { _ = try $0.finish($1, session) },
        Use(testDescription: "import") {
            var items = try items()
            _ = try $0.import($1, &items, into: "User")
        },
        Use(testDescription: "fill") {
            let document = try JSONDocument(Array(#"{"v": 5}"#.utf8))
            _ = try $0.fill($1, RecordLocator("User#1"), with: document)
        },
        Use(testDescription: "export") {
            var json = JSONWriter()
            try Exporter($0.store).write($1, RecordLocator("User#1"), into: &json)
        },
        Use(testDescription: "dump") {
            var json = JSONWriter()
            try StoreDump($0.store).write($1, into: &json)
        },
    ]

    @Test(arguments: uses)
    func `operations with the model before a migration throw and change nothing`(use: Use) throws {
        let folder = try Folder()
        let path = folder.filePath("store.sqlite")
        let old = try Store.validated(at: path, model: Self.model(.integer64))
        try old.load("User", #"[{"id": 1, "v": 1}, {"id": 3, "v": 0}]"#)
        let importer = Importer(old)
        try old.writer.write { db in try importer.begin(db, Self.session) }
        let new = try Store.validated(at: path, model: Self.model(.boolean))
        let state = try new.anonymousTables()
        try expect(
            errorMessage(old.writer.write { db in try use.run(importer, db) }),
            is: "The store \(path) has been migrated since it was opened. Open it again."
        )
        try expect(new.anonymousTables(), is: state)
    }
}
