import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// Checkpoints of the write-ahead log while transactions continue.
struct BackgroundCheckpointTests {
    /// A database whose write-ahead log grows by 500 pages at a time.
    private final class GrowingDatabase {
        private let folder: Folder
        private let path: String
        private let checkpoint: BackgroundCheckpoint
        private let pool: DatabasePool

        // Checkpoints of another file than the database fail.
        init(checkpointsOf name: String = "f.sqlite") throws {
            folder = try Folder()
            path = folder.filePath("f.sqlite")
            checkpoint = BackgroundCheckpoint(folder.filePath(name))
            var configuration = Configuration()
            configuration.prepareDatabase(checkpoint.watch)
            pool = try DatabasePool(path: path, configuration: configuration)
            try pool.write { db in try db.execute(sql: "CREATE TABLE filling (body BLOB)") }
        }

        /// Commits 500 pages, waits for the checkpoint that this starts, and returns the growth of
        /// the database file in units of 500 pages.
        func grow() throws -> Int {
            let before = try size
            try pool.write { db in
                for _ in 0..<500 {
                    try db.execute(sql: "INSERT INTO filling (body) VALUES (zeroblob(4000))")
                }
            }
            checkpoint.finish()
            return try (size - before) / (500 * 4_096)
        }

        /// Links the folder in the path of the checkpoints to the folder of the database.
        func linkFolder(_ name: String) throws {
            try FileManager.default.createSymbolicLink(
                atPath: folder.filePath(name),
                withDestinationPath: folder.filePath("")
            )
        }

        /// Returns a snapshot, which reads the current rows as long as it exists.
        func reader() throws -> DatabaseSnapshot { try DatabasePool(path: path).makeSnapshot() }

        func count(_ reader: some DatabaseReader) throws -> Int? {
            try reader.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM filling") }
        }

        var count: Int? { get throws { try count(pool) } }

        private var size: Int {
            get throws {
                try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
            }
        }
    }

    @Test func `a long log is checkpointed in the background and then restarted`() throws {
        let database = try GrowingDatabase()
        let growth = try (1...16).map { _ in try database.grow() }
        #expect(growth == [0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 7, 0, 0])
        #expect(try database.count == 8_000)
    }

    @Test func `a commit checkpoints a long log if the background checkpoint cannot`() throws {
        let database = try GrowingDatabase(checkpointsOf: "no/such/folder")
        let growth = try (1...16).map { _ in try database.grow() }
        #expect(growth == [0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 8])
        #expect(try database.count == 8_000)
    }

    @Test func `a failed checkpoint is retried at a later commit`() throws {
        let database = try GrowingDatabase(checkpointsOf: "absent/f.sqlite")
        let failing = try (1...8).map { _ in try database.grow() }
        #expect(failing == [0, 0, 0, 0, 0, 0, 0, 8])
        try database.linkFolder("absent")
        let growth = try (9...16).map { _ in try database.grow() }
        #expect(growth == [0, 0, 0, 0, 0, 0, 7, 0])
    }

    @Test func `a snapshot keeps its rows and does not block writers`() throws {
        let database = try GrowingDatabase()
        _ = try database.grow()
        let reader = try database.reader()
        let growth = try (2...10).map { _ in try database.grow() }
        #expect(growth == [0, 0, 0, 0, 0, 1, 0, 0, 0])
        #expect(try database.count(reader) == 500)
        #expect(try database.count == 5_000)
    }

    @Test func `a store checkpoints its log in the background`() throws {
        let folder = try Folder()
        let path = folder.filePath("s.sqlite")
        let store = try Store.validated(at: path, model: Model(entities: [.named("Tag", [])]))
        try store.transaction(durability: .relaxed) { db in
            try db.execute(sql: "CREATE TABLE filling (body BLOB)")
            try db.execute(sql: "INSERT INTO filling (body) VALUES (zeroblob(15000000))")
        }
        store.backgroundCheckpoint?.finish()
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        #expect(try #require(size) > 15_000_000)
    }
}
