import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// References to objects that are not stored yet.
struct ArrivalOrderTests {
    /// RestKit linked an object to stored objects only, so that a book before its author had none.
    ///
    /// SDSyncEngine did not support relationships.
    @Test(arguments: [1, 4])
    func `a book that is pulled before its author is linked to it`(_ concurrency: Int) async throws
    {
        let shop = try Bookshop()
        let books = shop.resources[1]
        let authors = shop.resources[0]
        var predecessor: [String] = []
        let known: Set<String> = []
        for book in shop.fake.data[objects: "books"] ?? [] {
            let author = book["author_id"].map { "\($0)" } ?? ""
            predecessor.append(known.contains(author) ? author : "-")
        }
        let first = try await shop.engine([books]).pull()
        #expect(first.unresolvedReferenceCount == 7)
        let second = try await shop.engine([books, authors], concurrency: concurrency).pull()

        #expect(second.unresolvedReferenceCount == 0)
        #expect(predecessor == Array(repeating: "-", count: 7))
        #expect(
            try table(of: shop.store, "Book") == """
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

    /// SDSyncEngine reported its end after its requests, even if their objects were not written
    /// yet.
    @Test(arguments: 1...4)
    func `the rows that a pull reports are in the store when it returns`(
        _ concurrency: Int
    ) async throws {
        let shop = try Bookshop()
        let report = try await shop.engine(concurrency: concurrency).pull()
        let inserted = report.total.entities.mapValues(\.inserted)
        #expect(inserted == ["Author": 4, "Book": 7])
        #expect(try shop.counts() == inserted)
    }
}
