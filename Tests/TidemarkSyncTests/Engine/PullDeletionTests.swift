import Testing
import TidemarkImport
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// Deletion of rows, which requires a complete list that does not contain them.
struct PullDeletionTests {
    /// Responses that contain no list, although their status is successful.
    private static let responsesWithoutList: [FakeFault] = [
        .body(#"{"detail": "Try again later."}"#, type: "application/json"),
        .body(#"{"results": null, "error": "later"}"#, type: "application/json"),
        .body(#"{"results": "none"}"#, type: "application/json"),
        .body("null", type: "application/json"),
        .body(#""down for maintenance""#, type: "application/json"),
        .body("", type: "application/json"),
        .body(" \n", type: "text/plain"),
        .status(204),
    ]

    @Test(arguments: responsesWithoutList)
    func `a response without a list is a failure and deletes nothing`(
        _ fault: FakeFault
    ) async throws {
        let shop = try Bookshop()
        let engine = try shop.engine()
        _ = try await engine.pull()
        let state = try shop.state()
        shop.fake.inject(fault, at: "books/")
        let report = try await engine.pull()
        #expect(report.resources["books/"]?.failure != nil)
        #expect(report.resources["authors/"]?.failure == nil)
        #expect(!report.isComplete)
        #expect(try shop.state() == state)
    }

    @Test(arguments: responsesWithoutList)
    func `a later page without a list is a failure and deletes nothing`(
        _ fault: FakeFault
    ) async throws {
        let shop = try Bookshop()
        let engine = try shop.engine()
        _ = try await engine.pull()
        let state = try shop.state()
        shop.fake["books/7"] = nil
        shop.fake.inject(fault, at: "books/?page=2")
        let report = try await engine.pull()
        #expect(report.resources["books/"]?.failure != nil)
        #expect(report.resources["books/"]?.pages == 1)
        #expect(try shop.state() == state)
    }

    @Test func `a single object is not a list of one object`() async throws {
        let shop = try Bookshop()
        _ = try await shop.engine().pull()
        let state = try shop.state()
        shop.fake.inject(
            .body(#"{"detail": "Try again later."}"#, type: "application/json"),
            at: "books/"
        )
        var books = shop.resources[1]
        books.style.envelope = .none
        let report = try await shop.engine([books]).report()
        let failure = report.resources["books/"]?.failure as? RemoteError
        #expect(failure?.code == .noList)
        #expect(try shop.state() == state)
    }

    @Test func `a page that is applied in several transactions deletes no row that it contains`()
        async throws
    {
        let shop = try Bookshop()
        _ = try await shop.engine(rowsInTransaction: 2).pull()
        let state = try shop.state()
        #expect(try shop.counts() == ["Author": 4, "Book": 7])
        let report = try await shop.engine(rowsInTransaction: 2).pull()
        #expect(report.total.isUnchanged)
        #expect(try shop.state() == state)
    }

    @Test func `an empty complete list deletes all rows of the entity`() async throws {
        let shop = try Bookshop()
        let engine = try shop.engine()
        _ = try await engine.pull()
        shop.fake.change { $0.collections[1].objects = [] }
        let report = try await engine.pull()
        #expect(report.isComplete)
        #expect(report.total.entities["Book"]?.deleted == 7)
        #expect(try shop.counts() == ["Author": 4, "Book": 0])
    }

    @Test func `a deleted object removes its row and its links, and nothing else`() async throws {
        let shop = try Bookshop()
        let engine = try shop.engine()
        _ = try await engine.pull()
        shop.fake["authors/2"] = nil
        for book in ["books/1", "books/5"] { shop.fake[book]?["author_id"] = .null }
        let report = try await engine.pull()
        #expect(report.total.entities["Author"]?.deleted == 1)
        #expect(report.total.entities["Author"]?.unchanged == 3)
        #expect(report.total.entities["Book"]?.deleted == 0)
        #expect(
            try shop.state() == """
                Author
                #  id  name      books
                1  1   Author 1  [4]
                3  3   Author 3  [2 6]
                4  4   Author 4  [3 7]

                Book
                #  id  title   author
                1  1   Book 1  -
                2  2   Book 2  3
                3  3   Book 3  4
                4  4   Book 4  1
                5  5   Book 5  -
                6  6   Book 6  3
                7  7   Book 7  4
                """
        )
    }

    @Test func `a resource without deletion detection deletes nothing`() async throws {
        let shop = try Bookshop()
        let resources = shop.resources.map { resource in
            var resource = resource
            resource.style.deletes = .none
            return resource
        }
        let engine = try shop.engine(resources)
        _ = try await engine.pull()
        let state = try shop.state()
        shop.fake.change { $0.collections[1].objects = [] }
        shop.fake["authors/1"] = nil
        let report = try await engine.pull()
        #expect(report.isComplete)
        #expect(report.total.entities["Book"]?.deleted ?? 0 == 0)
        #expect(try shop.state() == state)
    }

    @Test func `an object that is listed again is inserted again`() async throws {
        let shop = try Bookshop()
        let engine = try shop.engine()
        _ = try await engine.pull()
        let book = shop.fake["books/6"]
        shop.fake["books/6"] = nil
        #expect(try await engine.pull().total.entities["Book"]?.deleted == 1)
        shop.fake["books/6"] = book
        #expect(try await engine.pull().total.entities["Book"]?.inserted == 1)
        #expect(try shop.counts() == ["Author": 4, "Book": 7])
    }

    @Test func `a pending deletion remains until a list confirms or withdraws it`() async throws {
        let mirror = try Mirror(.parse, notes: 12)
        try await mirror.pull()
        for note in 0..<12 { mirror.write("n\(note)", nil) }
        try await mirror.pull()
        #expect(try SyncStatus.of(mirror.store).pendingDeletions.map(\.rowCount) == [12])
        // The changes were read to their end, but report no deletions.
        mirror.fake.inject(.status(400), times: 1, at: "classes/Note?count=1&limit=0")
        #expect(try await mirror.engine().pull().isComplete == false)
        #expect(try SyncStatus.of(mirror.store).pendingDeletions.map(\.rowCount) == [12])
    }
}
