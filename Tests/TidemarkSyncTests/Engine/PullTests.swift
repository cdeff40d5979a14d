import HTTPTypes
import Testing
import TidemarkImport
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTesting

/// Pulls of a small service: rows, reports, events and repeated pulls.
struct PullTests {
    @Test func `a pull fills the store and reports its pages, objects and requests`() async throws {
        let shop = try Bookshop()
        let report = try await shop.engine().pull()
        #expect(report.isComplete)
        #expect(report.resources.mapValues(\.pages) == ["authors/": 2, "books/": 3])
        #expect(report.resources.mapValues(\.items) == ["authors/": 4, "books/": 7])
        #expect(report.resources.mapValues(\.entity) == ["authors/": "Author", "books/": "Book"])
        #expect(report.total.entities["Author"]?.inserted == 4)
        #expect(report.total.entities["Book"]?.inserted == 7)
        #expect(report.requests == 5)
        #expect(report.unresolvedReferenceCount == 0)
        #expect(
            try shop.state() == """
                Author
                #  id  name      books
                1  1   Author 1  [4]
                2  2   Author 2  [1 5]
                3  3   Author 3  [2 6]
                4  4   Author 4  [3 7]

                Book
                #  id  title   author
                1  1   Book 1  2
                2  2   Book 2  3
                3  3   Book 3  4
                4  4   Book 4  1
                5  5   Book 5  2
                6  6   Book 6  3
                7  7   Book 7  4
                """
        )
    }

    @Test func `the report contains the number of bytes of the documents`() async throws {
        let shop = try Bookshop(
            FakeService(collections: ["authors": [["id": 1, "name": "Ursula"]], "books": []])
        )
        let report = try await shop.engine().pull()
        let author = #"{"id":1,"name":"Ursula"}"#
        let documents = [
            #"{"count":1,"next":null,"previous":null,"results":[\#(author)]}"#,
            #"{"count":0,"next":null,"previous":null,"results":[]}"#,
        ]
        #expect(report.bytes == documents.map(\.utf8.count).reduce(0, +))
    }

    @Test func `a second pull changes nothing`() async throws {
        let shop = try Bookshop()
        let engine = try shop.engine()
        _ = try await engine.pull()
        let state = try shop.state()
        let report = try await engine.pull()
        #expect(report.isComplete)
        #expect(report.total.isUnchanged)
        #expect(report.total.entities["Author"]?.unchanged == 4)
        #expect(report.total.entities["Book"]?.unchanged == 7)
        #expect(report.requests == 5)
        #expect(try shop.state() == state)
    }

    @Test func `events report each page, with the total number of objects`() async throws {
        let shop = try Bookshop()
        _ = try await shop.engine().pull()
        #expect(
            shop.events.lines == [
                "started authors/, books/", "authors/: 3 of 4", "authors/: 4 of 4",
                "authors/: 4 inserted, 0 deleted", "books/: 3 of 7", "books/: 6 of 7",
                "books/: 7 of 7", "books/: 7 inserted, 0 deleted", "finished",
            ]
        )
    }

    @Test func `only the resources of the specified entities are pulled`() async throws {
        let shop = try Bookshop()
        let report = try await shop.engine().pull(with: PullOptions(only: ["Author"]))
        #expect(report.resources.keys.sorted() == ["authors/"])
        #expect(
            shop.fake.requests.map(\.request.path) == ["/api/authors/", "/api/authors/?page=2"]
        )
        #expect(try shop.counts() == ["Author": 4, "Book": 0])
    }

    @Test func `unresolved references are linked when their rows are inserted`() async throws {
        let shop = try Bookshop()
        let engine = try shop.engine()
        #expect(
            try await engine.pull(with: PullOptions(only: ["Book"])).unresolvedReferenceCount == 7
        )
        #expect(
            try await engine.pull(with: PullOptions(only: ["Author"])).unresolvedReferenceCount == 0
        )
        let other = try Bookshop()
        _ = try await other.engine().pull()
        #expect(try shop.state() == other.state())
    }

    @Test func `an object that changed at the service updates its row, and no other`() async throws
    {
        let shop = try Bookshop()
        let engine = try shop.engine()
        _ = try await engine.pull()
        let state = try shop.state()
        shop.fake["books/5"]?["title"] = "Book Five"
        let report = try await engine.pull()
        #expect(report.total.entities["Book"]?.updated == 1)
        #expect(report.total.entities["Book"]?.unchanged == 6)
        #expect(report.total.entities["Author"]?.isUnchanged == true)
        shop.fake["books/5"]?["title"] = "Book 5"
        _ = try await engine.pull()
        #expect(try shop.state() == state)
    }

    @Test func `a reference that changed at the service changes its link`() async throws {
        let shop = try Bookshop()
        let engine = try shop.engine()
        _ = try await engine.pull()
        shop.fake["books/1"]?["author_id"] = 1
        _ = try await engine.pull()
        let authors = try shop.state().split(separator: "\n\n").first
        #expect(
            authors == """
                Author
                #  id  name      books
                1  1   Author 1  [1 4]
                2  2   Author 2  [5]
                3  3   Author 3  [2 6]
                4  4   Author 4  [3 7]
                """
        )
    }

    @Test func `a list in another order changes nothing`() async throws {
        let shop = try Bookshop()
        let engine = try shop.engine()
        _ = try await engine.pull()
        let state = try shop.state()
        shop.fake.change { data in
            data.collections[1].objects.reverse()
        }
        let report = try await engine.pull()
        #expect(report.total.isUnchanged)
        #expect(try shop.state() == state)
    }
}
