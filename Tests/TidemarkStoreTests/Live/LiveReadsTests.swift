import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkStore

/// What a live result reads from the store, by the statements of the connections for reading.
struct LiveReadsTests {
    /// Returns the statements that a waiting consumer's list executes for commits, and for one that
    /// changes a row of it.
    private func statements(
        for commits: @Sendable (Store) async throws -> Void
    ) async throws -> [String] {
        let folder = try Folder()
        let log = Locked<[String]>([])
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            guard db.configuration.readonly else { return }
            db.trace { event in log.withLock { $0.append("\(event)") } }
        }
        let pool = try DatabasePool(
            path: folder.filePath("studio.sqlite"),
            configuration: configuration
        )
        let store = try Store.validated(in: pool, model: Studio.model)
        try Studio.fill(store)
        let clock = PollClock(.manual())
        let (snapshots, continuation) = AsyncStream.makeStream(of: [Person].self)
        let reader = Task {
            let results = store.live(Person.sorted(by: \.name), environment: clock.environment)
            for try await snapshot in results { continuation.yield(Array(snapshot)) }
        }
        var shown = snapshots.makeAsyncIterator()
        _ = await shown.next()
        await clock.sleeping()
        // When the feed is installed, all rows are read again: this commit comes after that.
        try await store.update(RowID<Person>(4)) { $0.name = "Second" }
        #expect(await shown.next()?.map(\.name) == ["Ada", "Second", "ben", "Émile"])
        // The consumer waits for its third snapshot.
        while store.liveFeed.state.withLock(\.consumers).isEmpty { await Task.yield() }
        log.withLock { $0 = [] }
        try await commits(store)
        try await store.update(RowID<Person>(4)) { $0.name = "Last" }
        #expect(await shown.next()?.map(\.name) == ["Ada", "Last", "ben", "Émile"])
        reader.cancel()
        try await reader.value
        return log.withLock { $0 }
    }

    @Test func `a commit that a request does not depend on reads nothing`() async throws {
        let alone = try await statements { _ in }
        #expect(!alone.isEmpty)
        let afterOthers = try await statements { store in
            try await store.insert(Team(name: "green"))
            try await store.update(RowID<Company>(1)) { $0.name = "Other" }
            try await store.writer.write { db in
                try db.execute(sql: "UPDATE Note SET text = 'x'")
            }
        }
        #expect(afterOthers == alone)
        // A commit that concerns it is read, although the list does not change.
        let afterOwn = try await statements { store in
            try await store.writer.write { db in
                try db.execute(sql: "UPDATE Person SET name = name WHERE _id = 1")
            }
        }
        #expect(afterOwn.count > alone.count)
    }
}
