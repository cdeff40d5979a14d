import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Stores that were opened before a migration and are used after it.
struct OutdatedStoreTests {
    private static let before = "User: {attributes: {id: integer64, v: integer64}}"
    private static let after = "User: {attributes: {id: integer64, v: boolean}}"

    private static func outdatedMessage(_ location: String) -> String {
        "The store \(location) has been migrated since it was opened. Open it again."
    }

    /// An operation on a store inside a transaction.
    struct Use: CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (StoreWriter) throws -> Void
    }

    private static let uses = [
        Use(testDescription: "insert") { try $0.insert("User", values: ["v": .integer(5)]) },
        Use(testDescription: "update") {
            _ = try $0.update(RecordLocator("User:1"), values: ["v": .integer(7)])
        },
        Use(testDescription: "delete") { try $0.delete(RecordLocator("User:1")) },
        Use(testDescription: "erase") { try $0.erase() },
        Use(testDescription: "record") { _ = try $0.record(RecordLocator("User:1")) },
        Use(testDescription: "fetch") { _ = try $0.fetch(RecordRequest("User")) },
        Use(testDescription: "count of an entity") { _ = try $0.count("User") },
        Use(testDescription: "count") { _ = try $0.count(RecordRequest("User")) },
        Use(testDescription: "rows") { _ = try $0.rows(RecordRequest("User")) },
    ]

    @Test(arguments: uses)
    func `a store opened before a migration can neither be written nor read`(
        use: Use
    ) throws {
        let old = try store(Self.before) { try $0.insert("User", ["id": .integer(1)]) }
        _ = try old.migrate(to: model(Self.after))
        let state = try old.writer.read(SchemaShape.state)
        try expect(
            errorMessage(old.write(use.run)),
            is: Self.outdatedMessage("memory")
        )
        try expect(old.writer.read(SchemaShape.state), is: state)
    }

    @Test(arguments: uses)
    func `a store that another process migrated cannot be used with the old model`(
        use: Use
    )
        throws
    {
        let folder = try Folder()
        let path = folder.filePath("store.sqlite")
        let old = try Store.validated(at: path, model: model(Self.before))
        try old.insert("User", ["id": .integer(1), "v": .integer(1)])
        let new = try Store.validated(at: path, model: model(Self.after))
        let state = try new.writer.read(SchemaShape.state)
        try expect(
            errorMessage(old.write(use.run)),
            is: Self.outdatedMessage(path)
        )
        try expect(new.writer.read(SchemaShape.state), is: state)
        let message = try errorMessage(new.write(use.run))
        #expect(!message.contains("since it was opened"))
    }

    @Test func `only a migration invalidates stores that were opened before it`() throws {
        let first = try store(Self.before) { try $0.insert("User", ["id": .integer(1)]) }
        _ = try first.dryRunMigration(to: model(Self.after))
        _ = try first.migrate(to: model(Self.before))
        try first.insert("User", ["id": .integer(2)])
        let second = try first.migrate(to: model(Self.after))
        let copy = try second.temporaryCopy()
        let again = try Store.validated(in: second.writer)
        let third = try second.migrate(to: model(Self.before))
        try third.insert("User", ["id": .integer(3)])
        try copy.insert("User", ["id": .integer(3)])
        for old in [first, second, again] {
            let message = try errorMessage(old.insert("User", ["id": .integer(4)]))
            #expect(message.hasSuffix(" has been migrated since it was opened. Open it again."))
        }
        let numbers = try third.writer.read { db in
            try Int64.fetchAll(db, sql: "SELECT id FROM User ORDER BY id")
        }
        #expect(numbers == [1, 2, 3])
    }
}
