import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkTesting

@testable import TidemarkSync

/// Reports of references to rows that are not in the store.
struct UnresolvedReferencesTests {
    private func report(_ paths: [String: String]) async throws -> SyncReport {
        let shop = try Bookshop()
        let service = Service.rest(url: shop.fake.url)
        let engine = try shop.engine(paths.map { service.resource($0.key, path: $0.value) })
        return try await engine.pull()
    }

    @Test func `unresolved references name an entity that no resource lists`() async throws {
        let report = try await report(["Book": "books/"])
        #expect(
            report.unresolvedReferences == [
                UnresolvedReferences(
                    entity: "Book",
                    relationship: "author",
                    destination: "Author",
                    count: 7,
                    isListed: false
                )
            ]
        )
        #expect(report.unresolvedReferenceCount == 7)
    }

    @Test func `pulling all lists resolves all references`() async throws {
        let report = try await report(["Book": "books/", "Author": "authors/"])
        #expect(report.unresolvedReferences == [])
        #expect(report.unresolvedReferenceCount == 0)
    }

    @Test(arguments: [
        (
            1, true,
            "1 unresolved reference of Book.author to Author: its row is not in the store."
        ),
        (
            2, true,
            "2 unresolved references of Book.author to Author: their rows are not in the store."
        ),
        (
            1, false,
            "1 unresolved reference of Book.author to Author: no resource lists Author. Add one to "
                + "resolve it."
        ),
        (
            7, false,
            "7 unresolved references of Book.author to Author: no resource lists Author. Add one to "
                + "resolve them."
        ),
    ])
    func `the description contains the count and what is missing`(
        _ count: Int,
        _ isListed: Bool,
        _ message: String
    ) {
        let references = UnresolvedReferences(
            entity: "Book",
            relationship: "author",
            destination: "Author",
            count: count,
            isListed: isListed
        )
        #expect(references.description == message)
    }
}
