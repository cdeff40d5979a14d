import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// What is written back to the database while others write.
struct BackgroundCheckpointTests {
    /// A database whose log grows by 500 pages at a time.
    private final class Filling {
        private let folder: Folder
        private let path: String
        private let checkpoint: BackgroundCheckpoint
        private let pool: DatabasePool

        // Which file the checkpoints are of may be said otherwise.
        init(checkpointsOf name: String = "f.sqlite") throws {
            folder = try Folder()
            path = folder.place("f.sqlite")
            checkpoint = BackgroundCheckpoint(folder.place(name))
            var configuration = Configuration()
            configuration.prepareDatabase(checkpoint.watch)
            pool = try DatabasePool(path: path, configuration: configuration)
            try pool.write { db in try db.execute(sql: "CREATE TABLE filling (body BLOB)") }
        }

        /// Commits 500 more pages, waits for a checkpoint that this has begun, and returns by how
        /// many times that the database has grown.
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

        /// Makes the folder of the checkpoints' path another name of the database's folder.
        func linkFolder(_ name: String) throws {
            try FileManager.default.createSymbolicLink(
                atPath: folder.place(name),
                withDestinationPath: folder.place("")
            )
        }

        /// Someone who reads, and sees the rows of now as long as that lasts.
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

    @Test func `a log is written back before a commit finds it long, and then begun anew`() throws {
        let filling = try Filling()
        let growth = try (1...16).map { _ in try filling.grow() }
        #expect(growth == [0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 7, 0, 0])
        #expect(try filling.count == 8_000)
    }

    @Test func `where that cannot be done, the commit that finds the log long does it`() throws {
        let filling = try Filling(checkpointsOf: "no/such/folder")
        let growth = try (1...16).map { _ in try filling.grow() }
        #expect(growth == [0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 8])
        #expect(try filling.count == 8_000)
    }

    @Test func `a checkpoint whose connection failed once is tried again at a later commit`() throws
    {
        let filling = try Filling(checkpointsOf: "absent/f.sqlite")
        let failing = try (1...8).map { _ in try filling.grow() }
        #expect(failing == [0, 0, 0, 0, 0, 0, 0, 8])
        try filling.linkFolder("absent")
        let growth = try (9...16).map { _ in try filling.grow() }
        #expect(growth == [0, 0, 0, 0, 0, 0, 7, 0])
    }

    @Test func `who reads meanwhile keeps what was there, and holds nobody up`() throws {
        let filling = try Filling()
        _ = try filling.grow()
        let reader = try filling.reader()
        let growth = try (2...10).map { _ in try filling.grow() }
        #expect(growth == [0, 0, 0, 0, 0, 1, 0, 0, 0])
        #expect(try filling.count(reader) == 500)
        #expect(try filling.count == 5_000)
    }

    @Test func `a store has its log written back`() throws {
        let folder = try Folder()
        let path = folder.place("s.sqlite")
        let store = try Store.watched(at: path, model: Model(entities: [.named("Tag", [])]))
        try store.writeRepeatable { db in
            try db.execute(sql: "CREATE TABLE filling (body BLOB)")
            try db.execute(sql: "INSERT INTO filling (body) VALUES (zeroblob(15000000))")
        }
        store.backgroundCheckpoint?.finish()
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        #expect(try #require(size) > 15_000_000)
    }
}
