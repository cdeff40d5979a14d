import Foundation
import HTTPTypes
import Testing
import TidemarkTesting

/// Secrets in the queries of URLs are sent, and neither printed nor stored.
@Suite(.timeLimit(.minutes(40)))
struct QuerySecretTests {
    private static let environment = [
        "TIDEMARK_KEY": "k3y/do not show", "TIDEMARK_OP": "0p-do-not-show",
        "TIDEMARK_TOKEN": "t0ken+do&not=show",
    ]

    /// Texts that occur in no output and no file.
    private static let secrets = ["do-not-show", "do not show", "do%20not", "t0ken"]

    private func expectNoSecret(_ outcome: Outcome, _ command: [String]) {
        for secret in Self.secrets {
            #expect(!"\(outcome)".contains(secret), "\(command): \(outcome)")
        }
    }

    private func expectNoSecret(in folder: Folder) throws {
        for name in try folder.names() where name.hasPrefix("shop.db") {
            let bytes = try Data(contentsOf: folder.url.appending(path: name))
            for secret in Self.secrets {
                #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)")
            }
        }
    }

    /// Opens a shop whose configuration has variables in all queries.
    private func open(_ body: (Shop) async throws -> Void) async throws {
        try await Shop.open(accepting: FakeWrites()) { shop in
            try shop.configure(
                service: "push: preset",
                url: "\(shop.url)?ticket=$TIDEMARK_TOKEN",
                resources:
                    "?sign=v$TIDEMARK_KEY, push: {update: 'PATCH books/{key}/?op=$TIDEMARK_OP'}"
            )
            try await body(shop)
        }
    }

    private func run(
        _ shop: Shop,
        _ command: String...
    ) async throws -> Outcome {
        let outcome = try await shop.folder.run(command, environment: Self.environment)
        expectNoSecret(outcome, command)
        return outcome
    }

    private func paths(_ shop: Shop, _ method: HTTPRequest.Method) -> [String] {
        shop.fake.requests.filter { $0.request.method == method }
            .compactMap(\.request.path)
    }

    @Test func `variables are replaced in the queries of the URL, of paths and of operations`()
        async throws
    {
        try await open { shop in
            #expect(try await run(shop, "pull").status == 0)
            let pages = paths(shop, .get).filter { $0.contains("/books/") }
            #expect(pages.count == 3)
            for path in pages {
                #expect(path.contains("sign=vk3y%2Fdo%20not%20show"), "\(path)")
                #expect(path.contains("ticket=t0ken%2Bdo%26not%3Dshow"), "\(path)")
            }
            _ = try await run(shop, "update", "Book:1", "--values", #"{"title": "mine"}"#)
            #expect(try await run(shop, "push").status == 0)
            let sent = paths(shop, .patch)
            #expect(sent.count == 1)
            #expect(sent.allSatisfy { $0.contains("/books/1/?op=0p-do-not-show") }, "\(sent)")
            #expect(shop.fake.audit.count == 1)
            try expectNoSecret(in: shop.folder)
        }
    }

    @Test(arguments: [.status(500), .status(400), .connectionClosed, .html] as [FakeFault])
    func `they are neither printed nor stored, even if a push fails`(
        _ fault: FakeFault
    ) async throws {
        try await open { shop in
            #expect(try await run(shop, "pull").status == 0)
            _ = try await run(shop, "update", "Book:1", "--values", #"{"title": "mine"}"#)
            _ = try await run(shop, "insert", "Book", "--values", #"{"title": "new"}"#)
            for format in ["text", "json"] {
                let dry = try await run(shop, "push", "--dry-run", "--format", format)
                #expect(dry.stdout.contains("$TIDEMARK_OP"), "\(dry)")
            }
            shop.fake.inject(fault, times: 10)
            for format in ["text", "json"] {
                #expect(try await run(shop, "push", "--format", format).status != 0)
                for row in ["Book#1", "Book#8"] {
                    _ = try await run(shop, "outbox", "show", row, "--format", format)
                }
                _ = try await run(shop, "outbox", "list", "--format", format)
                _ = try await run(shop, "sync", "--format", format)
                _ = try await run(shop, "status", "--format", format)
                _ = try await run(shop, "pull", "--format", format)
            }
            try expectNoSecret(in: shop.folder)
        }
    }

    @Test func `a variable follows the rules of trust, wherever it is`() async throws {
        let places = [
            "?ticket=$SHOP_KEY", "?sort=$SHOP_KEY", ", push: {update: 'PATCH x/{key}?a=$SHOP_KEY'}",
        ]
        for place in places {
            try await Shop.open(accepting: FakeWrites()) { shop in
                try shop.configure(service: "push: preset", resources: place)
                let outcome = try await shop.folder.run("pull", environment: ["SHOP_KEY": "x"])
                #expect(outcome.status == 77, "\(outcome)")
                #expect(
                    outcome.stderr.contains(
                        "The configuration references $SHOP_KEY, which it may not read."
                    )
                )
                #expect(shop.fake.requests.isEmpty)
            }
        }
    }

    @Test(arguments: [
        ("?ticket=open", "ticket=open"), ("?pass_key=hunter2", "pass_key=hunter2"),
        ("?startkey=%22a%22", "startkey=%22a%22"), ("?filter=$SHOP", nil),
        ("?$filter=x", "$filter=x"),
    ])
    func `a literal that does not look generated is sent as it is`(
        query: String,
        sent: String?
    ) async throws {
        try await Shop.open { shop in
            try shop.configure(resources: query)
            let outcome = try await shop.folder.run("pull")
            #expect((outcome.status == 0) == (sent != nil), "\(outcome)")
            #expect(!"\(outcome)".contains("hunter2"))
            let pages = paths(shop, .get).filter { $0.contains("/books/") }
            #expect(pages.count == (sent == nil ? 0 : 3))
            for path in pages {
                let isSent = [path, path.removingPercentEncoding ?? ""].contains {
                    $0.contains(sent ?? "")
                }
                #expect(isSent, "\(path)")
            }
            if sent != nil {
                let bytes = try Data(contentsOf: shop.folder.url.appending(path: "shop.db"))
                #expect(bytes.range(of: Data("hunter2".utf8)) == nil)
            }
        }
    }

    @Test(arguments: [
        ("?token=VALUE", "resources.Book.path", "token"),
        (
            ", push: {update: 'PATCH x/{key}?api_key=VALUE'}", "resources.Book.push.update",
            "api_key"
        ),
        (", push: {create: 'POST x?a=b&sig=VALUE'}", "resources.Book.push.create", "sig"),
    ])
    func `a generated literal under the name of a secret is an error that does not show it`(
        place: String,
        location: String,
        name: String
    ) async throws {
        let value = "ghp_k3J9sLq0vB7xYt2WcR5nZ8mA1dF4hE6uPoXi"
        try await Shop.open(accepting: FakeWrites()) { shop in
            try shop.configure(
                service: "push: preset",
                resources: place.replacing("VALUE", with: value)
            )
            let outcome = try await shop.folder.run("pull")
            #expect(outcome.status == 65, "\(outcome)")
            #expect(
                outcome.stderr.contains(
                    "\(location): the value of the parameter \(name) looks like a credential."
                ),
                "\(outcome)"
            )
            #expect(!"\(outcome)".contains("k3J9s"))
            #expect(shop.fake.requests.isEmpty)
        }
    }
}
