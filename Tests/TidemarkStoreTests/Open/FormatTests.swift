import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Stores that another version of Tidemark has written.
struct FormatTests {
    private static let model = Model(entities: [.named("User")])

    /// Creates a store with a format and other damage, and closes it.
    private func store(
        _ format: Int,
        in folder: borrowing Folder,
        _ sql: String = ""
    ) throws -> String {
        let path = folder.filePath("store.sqlite")
        let store = try Store.open(at: path, model: Self.model)
        try store.writer.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            try db.execute(
                sql: "UPDATE _tidemark_store SET value = \(format) WHERE name = 'format'; \(sql)"
            )
        }
        try store.writer.close()
        return path
    }

    private static func refusal(of format: Int) -> String {
        """
        The store PATH has format \(format) of an earlier Tidemark: push its changes with that \
        version, then pull into a new file.
        """
    }

    @Test func `every store has the format, with and without capture`() throws {
        let format: (Store) throws -> Int? = { store in
            try store.writer.read { db in
                try Int.fetchOne(db, sql: "SELECT value FROM _tidemark_store WHERE name = 'format'")
            }
        }
        #expect(try format(Store.inMemory(model: Self.model)) == 3)
        #expect(try format(Notebook.store()) == 3)
        #expect(try format(Store.adopt(DatabaseQueue(), model: Self.model)) == 3)
    }

    @Test(arguments: [
        (1, ""), (2, ""),
        // As those versions created their tables, and as another program may have damaged them.
        (1, "DROP TABLE _tidemark_keyless; DROP TABLE _tidemark_migrations"),
        (2, "DROP INDEX _tidemark_index_retry; ALTER TABLE _tidemark_held DROP COLUMN position"),
        (1, "UPDATE _tidemark_store SET value = '{' WHERE name = 'model'"),
        (2, "DROP TABLE User"),
    ])
    func `a store of an earlier format is refused, and stays unchanged byte by byte`(
        _ format: Int,
        _ sql: String
    ) throws {
        let folder = try Folder()
        let path = try store(format, in: folder, sql)
        let before = try Data(contentsOf: URL(filePath: path))
        let other = Model(entities: [.named("Company")])
        for open in [
            { try Store.open(at: path) }, { try Store.open(at: path, model: Self.model) },
            { try Store.open(at: path, model: other) }, { try Store.openReadOnly(at: path) },
        ] {
            let error = #expect(throws: StoreError.self) { try open() }
            #expect(error?.code == .unreadable)
            #expect(error?.description.replacing(path, with: "PATH") == Self.refusal(of: format))
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store.sqlite"]
        )
    }

    @Test func `the log of a killed process is not checkpointed by a refusal`() throws {
        let folder = try Folder()
        let copy = try Folder()
        let path = folder.filePath("store.sqlite")
        let store = try Store.open(at: path, model: Self.model)
        try store.writer.write { db in
            try db.execute(sql: "UPDATE _tidemark_store SET value = 2 WHERE name = 'format'")
        }
        let copied = copy.filePath("store.sqlite")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copied + suffix)
        }
        let read = { try ["", "-wal"].map { try Data(contentsOf: URL(filePath: copied + $0)) } }
        let before = try read()
        #expect(before[1].isEmpty == false)
        for open in [{ try Store.open(at: copied) }, { try Store.openReadOnly(at: copied) }] {
            let error = #expect(throws: StoreError.self) { try open() }
            #expect(error?.description.replacing(copied, with: "PATH") == Self.refusal(of: 2))
        }
        #expect(try read() == before)
    }

    @Test func `a database of an app with a store of an earlier format is refused`() throws {
        let queue = try DatabaseQueue()
        let store = try Store.adopt(queue, model: Self.model)
        try store.writer.write { db in
            try db.execute(sql: "UPDATE _tidemark_store SET value = 1 WHERE name = 'format'")
        }
        let error = #expect(throws: StoreError.self) { try Store.adopt(queue, model: Self.model) }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("has format 1 of an earlier Tidemark") == true)
    }

    @Test(arguments: [4, 77, 0, -1])
    func `a format that no earlier version had requires another Tidemark`(_ format: Int) throws {
        let folder = try Folder()
        let path = try store(format, in: folder, "DROP TABLE _tidemark_held")
        let before = try Data(contentsOf: URL(filePath: path))
        let error = #expect(throws: StoreError.self) { try Store.open(at: path) }
        #expect(error?.code == .unreadable)
        expect(
            (error?.description ?? "").replacing(path, with: "PATH"),
            is: """
                The store PATH has format \(format), this Tidemark reads 3. \
                Update Tidemark, or pull into a new store.
                """
        )
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
}
