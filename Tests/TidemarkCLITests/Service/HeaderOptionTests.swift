import Foundation
import Testing
import TidemarkFakeServer
import TidemarkTesting

/// `--header`: services that require a header field, by URL without a configuration.
@Suite(.timeLimit(.minutes(40)))
struct HeaderOptionTests {
    private static let token = "t0ken-do-not-store"
    private static let users = #"[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}]"#

    /// Runs a test with a folder, the URL of a list that requires a token, and an environment that
    /// contains the token.
    private func open(
        _ body: (Folder, String, [String: String]) async throws -> Void
    ) async throws {
        let fixedResponses = FixedResponses(
            bodies: ["users/": Self.users],
            required: ("Authorization", "Bearer \(Self.token)")
        )
        try await FakeServer.run(fixedResponses.service) { url in
            let folder = try Folder()
            let environment = [
                "TIDEMARK_TOKEN": Self.token, "SHOP_TOKEN": Self.token,
                "XDG_CONFIG_HOME": folder.path("config"),
            ]
            try await body(folder, "\(url.absoluteString)users/", environment)
        }
    }

    private static let header = "Authorization: Bearer $TIDEMARK_TOKEN"

    @Test func `a pull sends the field, and the store remembers its variable by name`()
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

    @Test func `model infer sends the header field`() async throws {
        try await open { folder, address, environment in
            let outcome = try await folder.run(
                ["model", "infer", address, "-H", Self.header],
                environment: environment
            )
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.stdout.contains("User:"))
        }
    }

    @Test func `another variable requires trust for the origin and the header fields`()
        async throws
    {
        try await open { folder, address, environment in
            let header = "Authorization: Bearer $SHOP_TOKEN"
            let pull = ["pull", address, "--into", "s.db", "--header", header]
            let rejected = try await folder.run(pull, environment: environment)
            #expect(rejected.status == 77, "\(rejected)")
            #expect(rejected.stderr.contains("references $SHOP_TOKEN, which it may not read."))
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

    @Test func `revoking a URL without fields revokes every entry of its origin`() async throws {
        let folder = try Folder()
        let environment = ["XDG_CONFIG_HOME": folder.path("config")]
        func trust(_ arguments: String...) async throws -> Outcome {
            try await folder.run(["trust"] + arguments, environment: environment)
        }
        for address in ["http://a.example/users", "http://a.example:81/users"] {
            for header in ["Authorization: Bearer $ONE", "X-Key: $TWO"] {
                #expect(try await trust(address, "-H", header, "--yes").status == 0)
            }
        }
        let one = try await trust(
            "http://a.example/",
            "--revoke",
            "-H",
            "X-Key: $TWO"
        )
        #expect(one.stdout == "http://a.example/ is trusted no longer.\n", "\(one)")
        let all = try await trust("http://a.example/", "--revoke")
        #expect(all.stdout == "http://a.example/ is trusted no longer.\n", "\(all)")
        let list = try folder.text(of: "config/tidemark/trusted").split(separator: "\n")
        #expect(list.count == 2)
        #expect(list.allSatisfy { $0.contains(" http://a.example:81 $") })
        let none = try await trust("http://a.example/", "--revoke")
        #expect(none.stdout == "http://a.example/ was not trusted.\n")
    }

    @Test func `another variable and an additional field are remembered`() async throws {
        try await open { folder, address, environment in
            let header = "Authorization: Bearer $TIDEMARK_NEW"
            let renamed = ["TIDEMARK_NEW": Self.token]
            let first = try await folder.run(
                ["pull", address, "--into", "s.db", "-H", Self.header],
                environment: environment
            )
            #expect(first.status == 0, "\(first)")
            let wrong = try await folder.run(
                ["pull", address, "--into", "s.db", "-H", header],
                environment: ["TIDEMARK_NEW": "another"]
            )
            #expect(wrong.status == 77, "\(wrong)")
            let unchanged = try await folder.run(
                ["pull", "--store", "s.db"],
                environment: environment
            )
            #expect(unchanged.status == 0, "\(unchanged)")
            let second = try await folder.run(
                ["pull", address, "--into", "s.db", "-H", header, "-H", "X-Client: films"],
                environment: renamed
            )
            #expect(second.status == 0, "\(second)")
            let third = try await folder.run(["pull", "--store", "s.db"], environment: renamed)
            #expect(third.status == 0, "\(third)")
            let bytes = try Data(contentsOf: folder.url.appending(path: "s.db"))
            #expect(bytes.range(of: Data("X-Client: films".utf8)) != nil)
        }
    }

    /// The service requires a user and a password, and the URL also has a parameter that looks like
    /// a secret.
    @Test func `a store that remembers a URL without its credentials reports which to specify`()
        async throws
    {
        let basic = "Basic \(Data("ada:pass1234".utf8).base64EncodedString())"
        let fixedResponses = FixedResponses(
            bodies: ["users/": Self.users, "users/?api_key=k": Self.users],
            required: ("Authorization", basic)
        )
        try await FakeServer.run(fixedResponses.service) { url in
            let folder = try Folder()
            let address = "\(url.absoluteString)users/?api_key=k"
                .replacing("http://", with: "http://ada:pass1234@")
            let first = try await folder.run("pull", address, "--into", "s.db")
            #expect(first.status == 0, "\(first)")
            for verb in ["verify", "pull"] {
                let rejected = try await folder.run(verb, "--store", "s.db")
                #expect(rejected.status == 77, "\(rejected)")
                #expect(
                    rejected.stderr.contains(
                        "give the address again, with its user and password and `api_key`"
                    ),
                    "\(rejected)"
                )
                let outcome = try await folder.run(
                    [verb, "--store", "s.db", "-H", "Authorization: Basic $TIDEMARK_B"],
                    environment: ["TIDEMARK_B": String(basic.dropFirst("Basic ".count))]
                )
                #expect(outcome.status == 0, "\(outcome)")
            }
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
    func `a literal credential or an invalid header field is a usage error`(
        _ header: String,
        _ message: String
    ) async throws {
        let folder = try Folder()
        for verb in [["pull"], ["model", "infer"], ["verify"]] {
            let outcome = try await folder.run(
                verb + ["http://127.0.0.1:1/a", "--header", header]
                    + (verb == ["model", "infer"] ? [] : ["--store", "s.db"])
            )
            #expect(outcome.status == 64, "\(verb): \(outcome)")
            #expect(outcome.stderr.contains(message), "\(outcome)")
        }
        #expect(try folder.names() == [])
    }

    @Test func `a literal that is not a credential is sent`() async throws {
        let fixedResponses = FixedResponses(
            bodies: ["users/": Self.users],
            required: ("X-Client", "films 1.0")
        )
        try await FakeServer.run(fixedResponses.service) { url in
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

    @Test func `--header with a configuration is a usage error`() async throws {
        let folder = try Folder()
        try folder.write("store: s.db\n", to: "tidemark.yml")
        try await InvalidCommand(
            "pull",
            "--header",
            "X-Client: a",
            status: 64,
            "--header is for an address. In a configuration, use service.headers."
        )
        .check(in: folder)
    }
}
