import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Stores that are opened read-only.
struct ReadOnlyTests {
    private static let model = Model(entities: [.named("User")])
    private static let isRoot = geteuid() == 0

    /// The names, contents and times of the files in a folder, which a reader must not change.
    private struct State: Equatable {
        var contents: [String: Data] = [:]
        var times: [String: Date?] = [:]

        init(of folder: borrowing Folder) throws {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
            where !name.hasSuffix("-shm") {
                let path = folder.filePath(name)
                contents[name] = try Data(contentsOf: URL(filePath: path))
                times[name] =
                    try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
                    as? Date
            }
        }
    }

    private static func count(_ path: String) throws -> Int {
        let store = try Store.openReadOnly(at: path)
        return try store.read { db in try db.count("User") }
    }

    private static func setPermissions(_ permissions: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }

    @Test func `a reader changes neither the file nor its folder`() throws {
        let folder = try Folder()
        let path = folder.filePath("s.sqlite")
        try Store.open(at: path, model: Self.model).insert("User")
        let before = try State(of: folder)
        #expect(before.contents.keys.sorted() == ["s.sqlite"])
        #expect(try Self.count(path) == 1)
        #expect(try State(of: folder) == before)
    }

    @Test func `a reader reads the log of a killed process and keeps it`() throws {
        let folder = try Folder()
        let path = folder.filePath("s.sqlite")
        let store = try Store.open(at: path, model: Self.model)
        try store.insert("User")
        // A copy of the files of an open store is equal to what a killed process leaves.
        for end in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: path + end,
                toPath: folder.filePath("left.sqlite") + end
            )
        }
        let before = try State(of: folder)
        #expect(try Self.count(folder.filePath("left.sqlite")) == 1)
        #expect(try State(of: folder) == before)
    }

    @Test func `a reader works while another connection holds the write lock`() throws {
        let folder = try Folder()
        let path = folder.filePath("s.sqlite")
        try Store.open(at: path, model: Self.model).insert("User")
        let queue = try DatabaseQueue(path: path)
        try queue.inDatabase { db in
            try db.execute(sql: "BEGIN IMMEDIATE; INSERT INTO User DEFAULT VALUES")
            #expect(try Self.count(path) == 1)
            try db.execute(sql: "COMMIT")
        }
        #expect(try Self.count(path) == 2)
    }

    @Test(arguments: [false, true])
    func `a read-only store rejects every write`(_ hasOtherConnection: Bool) throws {
        let folder = try Folder()
        let path = folder.filePath("s.sqlite")
        var other: Store? = try Store.open(at: path, model: Self.model)
        try other?.insert("User")
        if !hasOtherConnection { other = nil }
        let store = try Store.openReadOnly(at: path)
        let error = #expect(throws: DatabaseError.self) { try store.insert("User") }
        #expect(error?.resultCode == .SQLITE_READONLY)
        let raw = #expect(throws: DatabaseError.self) {
            try store.writer.writeWithoutTransaction { db in
                try db.execute(sql: "DELETE FROM User")
            }
        }
        #expect(raw?.resultCode == .SQLITE_READONLY)
        #expect(try store.read { db in try db.count("User") } == 1)
    }

    @Test func `does not open a missing or empty file, or one that is not a database`() throws {
        let folder = try Folder()
        func errorMessage(_ name: String) -> String? {
            #expect(throws: StoreError.self) { try Store.openReadOnly(at: folder.filePath(name)) }?
                .description.replacing(folder.path + "/", with: "")
        }
        #expect(errorMessage("absent.sqlite") == "There is no store at absent.sqlite.")
        try folder.write("", to: "empty.sqlite")
        #expect(errorMessage("empty.sqlite") == "The store empty.sqlite is empty.")
        try folder.write("x", to: "byte.sqlite")
        #expect(
            errorMessage("byte.sqlite")
                == "byte.sqlite is not a SQLite database. Choose another path for the store."
        )
    }

    @Test(.disabled(if: isRoot, "Root may write everywhere: run the tests as a user."))
    func `reads a file without write permission, but not in a read-only folder`() throws {
        let folder = try Folder()
        let path = folder.filePath("s.sqlite")
        try Store.open(at: path, model: Self.model).insert("User")
        try Self.setPermissions(0o400, of: path)
        #expect(try Self.count(path) == 1)
        for end in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + end) {
            try FileManager.default.removeItem(atPath: path + end)
        }
        try Self.setPermissions(0o500, of: folder.path)
        defer { #expect(throws: Never.self) { try Self.setPermissions(0o700, of: folder.path) } }
        // The file cannot be opened as immutable either, because root could change it meanwhile.
        for permissions in [0o400, 0o600] {
            try Self.setPermissions(permissions, of: path)
            let error = #expect(throws: StoreError.self) { try Self.count(path) }
            #expect(error?.code == .permissionDenied)
            #expect(
                error?.description == """
                    The store \(path) cannot be read: SQLite has to write into its folder. Copy \
                    \(path) into a folder that you can write, while no process writes to it.
                    """
            )
        }
        #expect(throws: StoreError.self) { try Store.open(at: path) }
        try Self.setPermissions(0, of: path)
        let error = #expect(throws: StoreError.self) { try Self.count(path) }
        #expect(error?.code == .permissionDenied)
    }
}
