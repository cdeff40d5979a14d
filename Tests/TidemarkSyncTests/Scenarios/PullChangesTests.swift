import Testing
import TidemarkModel
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// What the subscribers of a store get of pulls.
struct PullChangesTests {
    @Test func `the changes of a pull come commit by commit, and nothing else does`() async throws {
        let shop = try Bookshop()
        let engine = try shop.engine()
        let changes: ChangeBatches = try await shop.store.changes()
        _ = try await engine.pull()
        var commits: [Int] = []
        var rows: [String] = []
        while let batch = try changes.poll() {
            #expect(batch.isLast)
            commits.append(batch.commit)
            rows += batch.changes.map { "\($0.kind) \($0.entity)#\($0.row)" }
        }
        #expect(commits.count == 5)
        #expect(commits == commits.sorted())
        let expected =
            (1...4).map { "insert Author#\($0)" } + (1...7).map { "insert Book#\($0)" }
        #expect(rows == expected)
        _ = try await engine.pull()
        #expect(try changes.poll() == nil)
    }

    @Test func `deletions, changed values and references that are resolved are among them`()
        async throws
    {
        let shop = try Bookshop()
        var options = PullOptions()
        options.entities = ["Book"]
        _ = try await shop.engine().pull(options)
        let changes: ChangeBatches = try await shop.store.changes()
        shop.fake["books/3"]?["title"] = "Other"
        shop.fake["books/7"] = nil
        _ = try await shop.engine().pull()
        changes.finish()
        var books: Set<String> = []
        for try await batch in changes {
            for change in batch.changes where change.entity == "Book" {
                books.insert("\(change.kind) \(change.row) \(change.properties)")
            }
        }
        let linked = (1...7).map { "update \($0) [\"author\"]" }
        #expect(books == Set(linked + ["update 3 [\"title\"]", "delete 7 []"]))
    }

    @Test func `a dry run changes nothing for them`() async throws {
        let shop = try Bookshop()
        let changes: ChangeBatches = try await shop.store.changes()
        _ = try await shop.engine().rehearsal().pull()
        _ = try await shop.engine().verify()
        #expect(try changes.poll() == nil)
    }
}
