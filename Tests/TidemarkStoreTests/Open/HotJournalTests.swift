import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Stores with a hot rollback journal, left by a process that was killed in a transaction.
struct HotJournalTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Note",
            attributes: ["text"].map {
                Attribute($0, .string)
            }
        )
    ])

    /// Copies a file during a large transaction, half of which is in the file, and returns the
    /// path of the copy.
    private static func copy(_ path: String, during change: String) throws -> String {
        let copy = "\(path)-left"
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA journal_mode = DELETE")
            try db.execute(sql: "PRAGMA cache_size = 5")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inDatabase { db in
            try db.inTransaction {
                try db.execute(sql: change)
                for end in ["", "-journal"] {
                    try FileManager.default.copyItem(atPath: path + end, toPath: copy + end)
                }
                return .rollback
            }
        }
        try queue.close()
        #expect(FileManager.default.fileExists(atPath: "\(copy)-journal"))
        return copy
    }

    /// Enough rows for SQLite to write some of them before the transaction ends.
    private static let rows = """
        WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < 2000)
        """

    @Test func `opening a store rolls back the interrupted transaction`() throws {
        let folder = try Folder()
        let path = folder.filePath("store.sqlite")
        let store = try Store.open(at: path, model: Self.model)
        try store.writer.write { db in
            try db.execute(sql: "INSERT INTO Note (text) VALUES ('kept')")
        }
        try store.writer.close()
        let left = try Self.copy(
            path,
            during: "\(Self.rows) INSERT INTO Note (text) SELECT hex(randomblob(200)) FROM number"
        )
        let opened = try Store.validated(at: left)
        let notes = try opened.writer.read { db in
            try String.fetchAll(db, sql: "SELECT text FROM Note")
        }
        #expect(notes == ["kept"])
    }

    @Test func `an empty file with a hot journal becomes a store`() throws {
        let folder = try Folder()
        let path = folder.filePath("empty.sqlite")
        try Data().write(to: URL(filePath: path))
        let left = try Self.copy(
            path,
            during: "CREATE TABLE t AS \(Self.rows) SELECT hex(randomblob(200)) FROM number"
        )
        let store = try Store.validated(at: left, model: Self.model)
        #expect(try store.read { db in try db.count("Note") } == 0)
    }
}
