import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Rows without a key that lose their link during an import session.
struct OrphanedRowSessionTests {
    private static let posts = ImportSession("posts", into: "Post")

    private let store: Store

    init() throws {
        store = try .of(
            .named("Post", [], .one("author", "Author")),
            .named("Author", [], .one("pet", "Pet")),
            .named("Pet")
        )
        try load(1...3, #""author": {"name": "a", "pet": {"name": "b"}}"#)
    }

    private func load(_ posts: ClosedRange<Int>, _ member: String) throws {
        try store.load("Post", document(posts, member))
    }

    private func document(_ posts: ClosedRange<Int>, _ member: String) -> String {
        "[" + posts.map { #"{"id": \#($0), \#(member)}"# }.joined(separator: ", ") + "]"
    }

    private func begin() throws {
        try store.writer.write { db in try Importer(store).begin(db, Self.posts) }
    }

    private func apply(_ json: String) throws {
        var items = try JSONDocument(Array(json.utf8)).items()
        _ = try store.writer.write { db in
            try Importer(store).apply(db, &items, of: Self.posts)
        }
    }

    private func finish(guardedBy deletionGuard: DeletionGuard? = nil) throws -> SessionOutcome {
        try store.writer.write { db in
            try Importer(store).finish(db, Self.posts, guardedBy: deletionGuard)
        }
    }

    private func counts() throws -> [String] {
        try store.read { db in
            try ["Post", "Author", "Pet"].map { "\($0) \(try db.count($0))" }
        }
    }

    @Test func `unlinked rows are deleted when the session finishes, also after a new start`()
        throws
    {
        try begin()
        try apply(document(1...1, #""author": null"#))
        #expect(try counts() == ["Post 3", "Author 3", "Pet 3"])
        try begin()
        try apply(document(1...1, #""author": null"#))
        try apply(document(2...2, #""name": "b""#))
        try expect(finish().report.text, is: "Author -2, Pet -2, Post -1")
        #expect(try counts() == ["Post 2", "Author 1", "Pet 1"])
        try begin()
        try apply(document(1...2, #""name": "b""#))
        try expect(finish().report.text, is: "nothing")
    }

    @Test func `a row that is linked again before the session finishes is kept`() throws {
        try begin()
        try apply(document(1...1, #""author": null"#))
        try store.update("Post:3", links: ["author": ["Author#1"]])
        try apply(document(2...3, #""name": "b""#))
        try expect(finish().report.text, is: "nothing")
        #expect(try counts() == ["Post 3", "Author 3", "Pet 3"])
    }

    @Test func `unlinked rows count towards the deletion guard, with the rows that contain them`()
        throws
    {
        try load(1...20, #""author": {"name": "a", "pet": {"name": "b"}}"#)
        let strict = DeletionGuard(share: 0.1, rows: 2, fullDeletionThreshold: 3)
        try begin()
        try apply(document(1...17, #""name": "b""#))
        guard case .pending(let report, let pending) = try finish(guardedBy: strict) else {
            Issue.record("Nothing is pending.")
            return
        }
        expect(report.text, is: "nothing")
        #expect(
            pending.shares.map { "\($0.entity) \($0.rows)" } == ["Post 3", "Author 3", "Pet 3"]
        )
        #expect(try counts() == ["Post 20", "Author 20", "Pet 20"])
        let approved = try store.writer.write { db in
            try Importer(store).approveDeletion(db, "posts")
        }
        expect(approved.text, is: "Author -3, Pet -3, Post -3")
        #expect(try counts() == ["Post 17", "Author 17", "Pet 17"])
    }

    @Test func `a deletion that is not pending can be neither approved nor rejected`() throws {
        let importer = Importer(store)
        let decisions: [(Database) throws -> Void] = [
            { db in _ = try importer.approveDeletion(db, "posts") },
            { db in try importer.rejectDeletion(db, "posts") },
        ]
        for decide in decisions {
            let error = #expect(throws: ImportError.self) { try store.writer.write(decide) }
            #expect(error?.code == .noPendingDeletion)
        }
    }
}
