import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkStore

/// Live results of a store that the `sqlite3` shell changes.
@Suite(.enabled(if: Shell.isAvailable, "The sqlite3 shell is not installed."))
struct LiveProcessTests {
    @Test func `a list follows what the shell writes within one poll`() async throws {
        let folder = try Folder()
        let path = folder.filePath("studio.sqlite")
        let store = try Store.validated(at: path, model: Studio.model)
        try Studio.fill(store)
        let clock = PollClock(.manual())
        var list = store.live(Person.sorted(by: \.name), environment: clock.environment)
            .makeAsyncIterator()
        #expect(try await list.next()?.map(\.name) == ["Ada", "Zoe", "ben", "Émile"])
        let statements = [
            (
                "INSERT INTO Person (id, name, isActive, status) VALUES (5, 'Bob', 1, 'away')",
                ["Ada", "Bob", "Zoe", "ben", "Émile"]
            ),
            ("UPDATE Person SET name = 'Aaa' WHERE id = 4", ["Aaa", "Ada", "Bob", "ben", "Émile"]),
            (
                "PRAGMA foreign_keys = ON; DELETE FROM Person WHERE id IN (2, 5)",
                ["Aaa", "Ada", "Émile"]
            ),
        ]
        for (sql, names) in statements {
            #expect(try Shell.run(path, sql) == "")
            await clock.tick()
            let snapshot = try #require(try await list.next())
            #expect(snapshot.map(\.name) == names)
            #expect(snapshot.changes != nil)
        }
    }

    @Test func `a store that was opened for reading is followed, too`() async throws {
        let folder = try Folder()
        let path = folder.filePath("studio.sqlite")
        try Studio.fill(Store.validated(at: path, model: Studio.model))
        let store = try Store.openReadOnly(at: path)
        let clock = PollClock(.manual())
        var list = store.live(
            Person.sorted(by: \.name).including(\.notes).counting(\.teams),
            environment: clock.environment
        ).makeAsyncIterator()
        #expect(try await list.next()?.map(\.name) == ["Ada", "Zoe", "ben", "Émile"])
        #expect(try Shell.run(path, "UPDATE Note SET person = 4 WHERE _id = 1") == "")
        await clock.tick()
        #expect(try await list.next()?.map { $0.notes.values?.count } == [2, 1, 1, 1])
        let triggers = try await store.read { reader in
            try String.fetchAll(reader.db, sql: "SELECT name FROM sqlite_temp_master")
        }
        #expect(triggers.isEmpty)
    }
}
