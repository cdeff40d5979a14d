import Testing
import TidemarkModel
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// The change batches that subscribers of a store receive during pulls.
struct PullChangesTests {
    @Test func `subscribers receive one batch per commit that changes rows`() async throws {
        let shop = try Bookshop()
        let engine = try shop.engine()
        let changes: ChangeBatches = try await shop.store.changes()
        _ = try await engine.pull()
        var commits: [Int] = []
        var rows: [String] = []
        while let batch = try changes.poll() {
            #expect(batch.isLast)
            commits.append(batch.commit)
            rows += batch.changes.map { "\($0.kind) \($0.entity)#\($0.rowNumber)" }
        }
        #expect(commits.count == 5)
        #expect(commits == commits.sorted())
        let expected =
            (1...4).map { "insert Author#\($0)" } + (1...7).map { "insert Book#\($0)" }
        #expect(rows == expected)
        _ = try await engine.pull()
        #expect(try changes.poll() == nil)
    }

    @Test func `the batches contain deletions, changed values and resolved references`()
        async throws
    {
        let shop = try Bookshop()
        var options = PullOptions()
        options.only = ["Book"]
        _ = try await shop.engine().pull(with: options)
        let changes: ChangeBatches = try await shop.store.changes()
        shop.fake["books/3"]?["title"] = "Other"
        shop.fake["books/7"] = nil
        _ = try await shop.engine().pull()
        changes.finish()
        var books: Set<String> = []
        for try await batch in changes {
            for change in batch.changes where change.entity == "Book" {
                books.insert("\(change.kind) \(change.rowNumber) \(change.properties)")
            }
        }
        let linked = (1...7).map { "update \($0) [\"author\"]" }
        #expect(books == Set(linked + ["update 3 [\"title\"]", "delete 7 []"]))
    }

    @Test func `subscribers receive nothing from a dry run or a verification`() async throws {
        let shop = try Bookshop()
        let changes: ChangeBatches = try await shop.store.changes()
        _ = try await shop.engine().dryRunEngine().pull()
        _ = try await shop.engine().verify()
        #expect(try changes.poll() == nil)
    }
}
