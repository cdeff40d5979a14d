import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// What counts as a local change while a schedule runs.
struct LocalChangeObserverTests {
    private struct Cancelled: Error {}

    @Test func `any write of the app is observed, once`() async throws {
        let tasks = try TaskService(.rest)
        _ = try await tasks.engine().pull()
        try await LocalChangeObserver.observing(tasks.store) { observer in
            #expect(try await !observer.takeChanges())
            try await tasks.add("new")
            #expect(try await observer.takeChanges())
            #expect(try await !observer.takeChanges())
            try await tasks.store.writer.write { db in
                try db.execute(sql: "UPDATE Task SET title = 'mine'")
            }
            #expect(try await observer.takeChanges())
            try await tasks.store.write { writer in
                _ = try Outbox(tasks.store).retry(writer.db)
            }
            #expect(try await observer.takeChanges())
        }
    }

    @Test func `a transaction that is rolled back, or changes other tables, is not observed`()
        async throws
    {
        let tasks = try TaskService(.rest)
        _ = try await tasks.engine().pull()
        try await LocalChangeObserver.observing(tasks.store) { observer in
            await #expect(throws: Cancelled.self) {
                try await tasks.store.write { writer in
                    _ = try writer.insert("Task", values: ["title": .string("new")])
                    throw Cancelled()
                }
            }
            try await tasks.store.writer.write { db in
                try db.execute(
                    sql: "CREATE TABLE settings (name TEXT); INSERT INTO settings VALUES ('a')"
                )
            }
            #expect(try await !observer.takeChanges())
        }
    }

    @Test func `the transactions of a run are not local changes`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.rename(1, to: "mine")
        tasks.edit(2, ["title": "theirs"])
        try await LocalChangeObserver.observing(tasks.store) { observer in
            _ = try await engine.sync()
            #expect(observer.hasRunEnded)
            #expect(try await !observer.takeChanges())
            #expect(!observer.hasRunEnded)
        }
        #expect(try tasks.row(2) == "done: false, title: theirs")
        #expect(tasks.fake.audit.count == 1)
    }

    @Test func `a commit of another connection is noticed when changes are taken`() async throws {
        let folder = try Folder()
        let path = folder.filePath("tasks.db")
        let tasks = try TaskService(.rest, at: path)
        _ = try await tasks.engine().pull()
        let other = try DatabaseQueue(path: path)
        try await LocalChangeObserver.observing(tasks.store) { observer in
            #expect(observer.isShared)
            #expect(try await !observer.takeChanges())
            try await other.write { db in try db.execute(sql: "UPDATE Task SET title = 'mine'") }
            #expect(try await observer.takeChanges())
            #expect(try await !observer.takeChanges())
        }
    }

    @Test func `a store is observed no longer than the work lasts`() async throws {
        let tasks = try TaskService(.rest)
        weak var last: LocalChangeObserver?
        await #expect(throws: Cancelled.self) {
            try await LocalChangeObserver.observing(tasks.store) { observer in
                last = observer
                #expect(!observer.isShared)
                throw Cancelled()
            }
        }
        #expect(last == nil)
    }
}
