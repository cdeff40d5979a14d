import Foundation
import HTTPTypes
import Testing
import TidemarkTesting

/// Text from documents, services and configurations, as printed at a terminal.
@Suite(.timeLimit(.minutes(40)))
struct TerminalTextTests {
    /// Text that controls a terminal, reverses the text direction or breaks a line.
    private static let controlCharacters =
        "x\n\u{1B}[31mtidemark: all is well\u{202E}\u{9B}2J\u{7}\u{2028}\u{7F}"

    private func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: scalar == "\n"
            default: true
            }
        }
    }

    @Test func `a member name cannot break the line of its diagnostic`() async throws {
        let folder = try Sample.folder()
        let document = try JSONEncoder().encode([["id": 1, Self.controlCharacters: 1]])
        let outcome = try await folder.importUsers(
            String(decoding: document, as: UTF8.self).replacing("}", with: #","name":"A"}"#)
        )
        #expect(outcome.stderr.split(separator: "\n").count == 1, "\(outcome)")
        #expect(isPlain(outcome.stderr))
    }

    @Test func `control characters in a configured path or account are not printed`() async throws {
        try await Shop.open { shop in
            for number in 8...12 {
                shop.fake["books/\(number)"] = ["id": .number("\(number)"), "title": "More"]
            }
            let path = #"books/?a=\e]0;title\a\nline\u202e"#
            try shop.folder.write(
                """
                store: shop.db
                model: model.yml
                service: {url: "\(shop.url)", account: "ada\\e]0;title\\a", limits: {attempts: 1}}
                resources: {Book: [{path: "\(path)"}, {path: "books/?b=1", deletes: none}]}
                """,
                to: "tidemark.yml"
            )
            _ = try await shop.folder.run("pull")
            shop.fake.change { data in for number in 1...12 { data["books/\(number)"] = nil } }
            let pending = "the service no longer has 12 of 12 rows of Book."
            let named = "Book (books/?a= ]0;title  line ): \(pending)"
            let commands: [(arguments: [String], status: Int32, message: String)] = [
                (["pull"], 75, named), (["status"], 0, named),
                (["verify"], 1, "Book:12 is not at the service."),
                (["deletions", "list"], 0, "Book: \(pending)"),
                (["deletions", "list", "Book"], 0, "Book: \(pending)"),
            ]
            for (arguments, status, message) in commands {
                let outcome = try await shop.folder.run(arguments)
                #expect(outcome.status == status, "\(arguments): \(outcome)")
                let text = outcome.stdout + outcome.stderr
                #expect(text.contains(message), "\(arguments): \(outcome)")
                #expect(isPlain(text), "\(arguments): \(outcome)")
            }
        }
    }

    @Test func `a table truncates cells by size, even if they consist of combining marks`()
        async throws
    {
        let folder = try Sample.folder()
        let marks = "a" + String(repeating: "\u{301}", count: 200_000)
        try await folder.importUsers(
            #"[{"id": 1, "name": "\#(marks)"}, {"id": 2, "name": "x\u202ey\u009b2J"}]"#
        )
        let table = try await folder.done("query", "User", "--store", "s.db")
        #expect(table.stdout.utf8.count < 2_000)
        #expect(isPlain(table.stdout))
        let row = try await folder.done("get", "User:2", "--store", "s.db")
        #expect(isPlain(row.stdout))
        #expect(try row.json()["name"] == .string("x\u{202E}y\u{9B}2J"))
    }

    @Test func `an error prints an argument on one line`() async throws {
        let folder = try await Sample.filled()
        let outcome = try await folder.run("query", "A\nB\u{1B}[2J", "--store", "s.db")
        #expect(outcome.status == 66)
        #expect(outcome.stderr == "tidemark: The model has no entity A B [2J. It has Note, User.\n")
    }

    @Test func `a message with a very long URL is truncated`() async throws {
        try await Shop.open { shop in
            shop.fake.inject(.status(400), at: "books/")
            let long = String(repeating: "long/", count: 5_000)
            try shop.configure(resources: long)
            let outcome = try await shop.folder.run("pull")
            #expect(outcome.status != 0)
            #expect(outcome.stderr.utf8.count < 40_000)
        }
    }
}
