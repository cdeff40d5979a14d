import Testing
import TidemarkTesting

/// Warnings and counts that a successful pull reports.
@Suite(.timeLimit(.minutes(40)))
struct PullWarningTests {
    /// Options of a list, and the beginning of the warning that a second pull reports about them.
    struct Case: Sendable, CustomTestStringConvertible {
        let options: String
        let message: String

        /// Whether the service rejects the request for changes.
        var isRejected = false
        var testDescription: String { message }
    }

    private static let cases = [
        Case(
            options: #", delta: "since:updated_at>updated_since""#,
            message: "`delta` is not used: rows that the service deletes would not be noticed."
        ),
        Case(
            options: #", deletes: none, delta: "since:changed>updated_since""#,
            message:
                "changes cannot be requested: no object has a time at changed, which `delta` names."
        ),
        Case(
            options: #", deletes: none, delta: "since:updated_at>updated_since""#,
            message: "the service rejects the request for changes (GET ",
            isRejected: true
        ),
    ]

    @Test(arguments: cases)
    func `changes that are not requested are reported on standard error and in JSON`(
        _ given: Case
    ) async throws {
        try await Shop.open { shop in
            for number in 1...7 {
                shop.fake["books/\(number)"]?["updated_at"] = .string(
                    "2026-01-01T00:00:0\(number)Z"
                )
            }
            try shop.configure(resources: given.options)
            try await shop.fill()
            if given.isRejected { shop.fake.inject(.status(404), at: "books/?updated_since") }
            let text = try await shop.fill()
            #expect(
                text.stderr.split(separator: "\n")
                    .contains { $0.hasPrefix("Book: \(given.message)") },
                "\(text)"
            )
            let report = try await shop.folder.done("pull", "--format", "json").json()
            let warnings = report["resources"]?["books/"]?["warnings"]?.elements ?? []
            #expect(warnings.count == 1)
            #expect(warnings.first?.string?.hasPrefix(given.message) == true, "\(warnings)")
            #expect(report["resources"]?["authors/"]?["warnings"] == [])
        }
    }

    @Test func `the table has rows for nested entities, which count deletions by cascade`()
        async throws
    {
        try await Shop.open { shop in
            try shop.folder.write(
                """
                entities:
                  Author:
                    attributes: {id: integer64, name: string}
                    relationships:
                      notes: {to: Note, toMany: true, inverse: author, deleteRule: cascade}
                      books: {to: Book, toMany: true, inverse: author}
                  Book:
                    attributes: {id: integer64, title: string}
                    relationships: {author: {to: Author, inverse: books}}
                  Note:
                    attributes: {id: integer64}
                    relationships: {author: {to: Author, inverse: notes}}
                """,
                to: "model.yml"
            )
            for author in 1...3 {
                shop.fake["authors/\(author)"]?["notes"] = [
                    ["id": .number("\(author)1")], ["id": .number("\(author)2")],
                ]
            }
            try await shop.fill()
            shop.fake["authors/1"]?["notes"] = [["id": 11]]
            shop.fake["authors/2"] = nil
            let outcome = try await shop.fill()
            let rows = outcome.lines.map { $0.split(separator: " ") }
            let authors = try #require(rows.first { $0.first == "Author" })
            let notes = try #require(rows.first { $0.first == "Note" }, "\(outcome)")
            // The column before the last contains the number of deleted rows.
            #expect([authors, notes].map { $0[$0.count - 2] } == ["1", "3"], "\(outcome)")
        }
    }
}
