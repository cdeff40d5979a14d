import Foundation
import GRDB
import Testing
import TidemarkImport
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// Stores of earlier revisions, which `scripts/store-fixture` created.
struct StoreUpgradeTests {
    /// Writes a store of revision 96cc59e with unfinished work to a file, and returns its path.
    private static func write(in folder: borrowing Folder) throws -> String {
        let text = try String(
            contentsOf: URL(filePath: #filePath).resolvingSymlinksInPath()
                .deletingLastPathComponent()
                .appending(path: "../../Stores/96cc59e.sql").standardized,
            encoding: .utf8
        )
        let path = folder.filePath("s.sqlite")
        var configuration = Configuration()
        // The tables are in alphabetical order, so that rows precede rows which they reference.
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { db in try db.execute(sql: text) }
        try queue.close()
        return path
    }

    @Test func `a store of an earlier revision opens with its unfinished work`() throws {
        let folder = try Folder()
        let store = try Store.validated(at: Self.write(in: folder))
        let status = try SyncStatus.of(store)
        #expect(status.service == "https://fake.example")
        #expect(status.unresolvedReferenceCount == 2)
        #expect(
            status.pendingDeletions == [
                PendingDeletion(
                    resource: "authors/",
                    entity: "Author",
                    shares: [PendingDeletion.Share(entity: "Author", rows: 12, total: 12)]
                )
            ]
        )
        #expect(status.resources.map(\.path) == ["authors/", "books/"])
        #expect(status.resources.map(\.rows) == [12, 7])
        #expect(status.resources.map(\.ending) == [.complete, .failed])
        #expect(status.resources.map(\.nextPage) == [nil, 3])
    }

    @Test func `a pull into a store of an earlier revision completes its unfinished work`()
        async throws
    {
        let folder = try Folder()
        let store = try Store.validated(at: Self.write(in: folder), model: Bookshop.model)
        let shop = try Bookshop(
            FakeService(
                collections: [
                    "authors": (1...12).map {
                        ["id": .number("\($0)"), "name": .string("Author \($0)")]
                    },
                    "books": (1...7).map {
                        [
                            "id": .number("\($0)"), "title": .string("Book \($0)!"),
                            "author_id": .number("\($0 + ($0 > 5 ? 90 : 0))"),
                        ]
                    },
                ],
                dialect: .rest(pageSize: 12)
            ),
            store: store
        )
        #expect(try await shop.engine().pull().isComplete)
        let titles = try await store.writer.read { db in
            try String.fetchAll(db, sql: "SELECT title FROM Book ORDER BY id")
        }
        #expect(titles == (1...7).map { "Book \($0)!" })
        #expect(try shop.counts() == ["Author": 12, "Book": 7])
        #expect(try await store.reader.read { db in try !db.tableExists("_tidemark_stage") })
        #expect(try SyncStatus.of(store).unresolvedReferenceCount == 2)
    }
}
