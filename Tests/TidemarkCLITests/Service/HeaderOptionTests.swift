import Foundation
import Testing
import TidemarkFakeServer
import TidemarkTesting

/// Services that require a header field, by address alone.
@Suite(.timeLimit(.minutes(40)))
struct HeaderOptionTests {
    private static let token = "t0ken-do-not-store"
    private static let users = #"[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}]"#

    /// A folder, the address of a list behind a token, and the environment that has the token.
    private func open(
        _ body: (Folder, String, [String: String]) async throws -> Void
    ) async throws {
        let script = Script(
            answers: ["users/": Self.users],
            required: ("Authorization", "Bearer \(Self.token)")
        )
        try await FakeServer.run(script.service) { url in
            let folder = try Folder()
            let environment = [
                "TIDEMARK_TOKEN": Self.token, "SHOP_TOKEN": Self.token,
                "XDG_CONFIG_HOME": folder.path("config"),
            ]
            try await body(folder, "\(url.absoluteString)users/", environment)
        }
    }

    private static let header = "Authorization: Bearer $TIDEMARK_TOKEN"

    @Test func `a pull sends the field, and the store remembers the name of its variable`()
        async throws
    {
        try await open { folder, address, environment in
            let first = try await folder.run(
                ["pull", address, "--into", "s.db", "--header", Self.header],
                environment: environment
            )
            #expect(first.status == 0, "\(first)")
            #expect(try await folder.dump()["User"]?.elements.count == 2)
            for name in try folder.names() {
                let bytes = try Data(contentsOf: folder.url.appending(path: name))
                #expect(bytes.range(of: Data(Self.token.utf8)) == nil, "\(name)")
            }
            for arguments in [
                ["pull", "--store", "s.db"], ["pull", address, "--into", "s.db"],
                ["verify", "--store", "s.db"], ["verify", address, "--store", "s.db"],
            ] {
                let again = try await folder.run(arguments, environment: environment)
                #expect(again.status == 0, "\(arguments): \(again)")
            }
            let without = try await folder.run("pull", "--store", "s.db")
            #expect(without.status == 64)
            #expect(without.stderr.contains("$TIDEMARK_TOKEN is not set."), "\(without)")
        }
    }

    @Test func `a model is inferred behind a token`() async throws {
        try await open { folder, address, environment in
            let outcome = try await folder.run(
                ["model", "infer", address, "-H", Self.header],
                environment: environment
            )
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.stdout.contains("User:"))
        }
    }

    @Test func `a variable of another name needs trust, for this origin and these fields`()
        async throws
    {
        try await open { folder, address, environment in
            let header = "Authorization: Bearer $SHOP_TOKEN"
            let pull = ["pull", address, "--into", "s.db", "--header", header]
            let refused = try await folder.run(pull, environment: environment)
            #expect(refused.status == 77, "\(refused)")
            #expect(refused.stderr.contains("asks for $SHOP_TOKEN, which it may not read."))
            let trusted = try await folder.run(
                ["trust", address, "--header", header, "--yes"],
                environment: environment
            )
            #expect(trusted.status == 0, "\(trusted)")
            #expect(trusted.stderr.contains("$SHOP_TOKEN in the header field Authorization"))
            let pulled = try await folder.run(pull, environment: environment)
            #expect(pulled.status == 0, "\(pulled)")
            let again = try await folder.run(["pull", "--store", "s.db"], environment: environment)
            #expect(again.status == 0, "\(again)")
            let changed = try await folder.run(
                ["pull", address, "--into", "s.db", "--header", "X-Other: $SHOP_TOKEN"],
                environment: environment
            )
            #expect(changed.status == 77, "\(changed)")
            #expect(changed.stderr.contains("has changed since you trusted it"), "\(changed)")
        }
    }

    @Test(arguments: [
        ("Authorization: Bearer abc", "the value of Authorization is a credential"),
        ("Cookie: a=b", "the value of Cookie is a credential"),
        ("X-API-Key: abc", "the value of X-API-Key is a credential"),
        ("X-Auth-Token: abc", "the value of X-Auth-Token is a credential"),
        ("X-Client", "is not a header field"), ("X-Client:", "is not a header field"),
        ("X Client: a", "is not a header field"), ("X-Client: a\u{1}b", "is not a header field"),
    ])
    func `a credential as a literal, or no header field, is wrong usage`(
        _ header: String,
        _ words: String
    ) async throws {
        let folder = try Folder()
        for verb in [["pull"], ["model", "infer"], ["verify"]] {
            let outcome = try await folder.run(
                verb + ["http://127.0.0.1:1/a", "--header", header]
                    + (verb == ["model", "infer"] ? [] : ["--store", "s.db"])
            )
            #expect(outcome.status == 64, "\(verb): \(outcome)")
            #expect(outcome.stderr.contains(words), "\(outcome)")
        }
        #expect(try folder.names() == [])
    }

    @Test func `a literal is sent where it is no credential`() async throws {
        let script = Script(answers: ["users/": Self.users], required: ("X-Client", "films 1.0"))
        try await FakeServer.run(script.service) { url in
            let folder = try Folder()
            let address = "\(url.absoluteString)users/"
            let outcome = try await folder.run(
                ["pull", address, "--into", "s.db", "--header", "X-Client: films 1.0"]
            )
            #expect(outcome.status == 0, "\(outcome)")
            let again = try await folder.run(["pull", "--store", "s.db"])
            #expect(again.status == 0, "\(again)")
        }
    }

    @Test func `a configuration has its own header fields`() async throws {
        let folder = try Folder()
        try folder.write("store: s.db\n", to: "tidemark.yml")
        try await Mistake(
            "pull",
            "--header",
            "X-Client: a",
            status: 64,
            "--header is for an address. In a configuration, use service.headers."
        )
        .check(in: folder)
    }
}
