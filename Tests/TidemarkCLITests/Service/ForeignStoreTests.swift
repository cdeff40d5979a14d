import Testing
import TidemarkTesting

/// The migration of a store by a pull: the model of a rejected configuration must not change the
/// store.
@Suite(.timeLimit(.minutes(40)))
struct ForeignStoreTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var url: String?
        var service = ""
        var resources = ""
        let status: Int32
        let message: String
        var testDescription: String { message }
    }

    private static let cases = [
        Case(
            url: "http://127.0.0.1:1/api/",
            status: 77,
            message: "set `service.name` to "
        ),
        Case(
            service: "account: bob",
            status: 77,
            message: """
                The store belongs to no account, and this pull signs in as bob. Use another store: \
                `store` in tidemark.yml, or --into.
                """
        ),
        Case(
            service: "headers: {X-Shop-Key: $HOME}",
            status: 77,
            message: """
                The configuration references $HOME, which it may not read. Allow it by \
                TIDEMARK_ENV=HOME, or use tidemark trust.
                """
        ),
        Case(
            service: "auth: {bearer: $TIDEMARK_TOKEN}",
            status: 64,
            message: "$TIDEMARK_TOKEN is not set. The configuration needs it."
        ),
        Case(
            service: "origins: [there]",
            status: 65,
            message: "service.origins: there is not an origin such as https://host."
        ),
        Case(
            resources: ", deletes: all",
            status: 65,
            message:
                "resources.Author.deletes: all is not known. Write none, sweep, marked:key.path or marked:key.path=VALUE."
        ),
    ]

    /// Writes a configuration for the store whose model has no books.
    private func reduceModel(_ shop: Shop, _ given: Case? = nil) throws {
        try shop.folder.write(
            "entities: {Author: {attributes: {id: integer64, name: string}}}\n",
            to: "narrow.yml"
        )
        try shop.folder.write(
            """
            store: own.db
            model: narrow.yml
            service:
              url: \(given?.url ?? shop.url)
              \(given?.service ?? "")
            resources:
              Author: {path: authors/\(given?.resources ?? "")}
            """,
            to: "tidemark.yml"
        )
    }

    private static let environment = ["TIDEMARK_STORE": "shop.db"]

    @Test(arguments: cases)
    func `a rejected configuration does not migrate the store`(_ given: Case) async throws {
        try await Shop.open { shop in
            try await shop.fill()
            let before = try await shop.dump()
            try reduceModel(shop, given)
            shop.fake.clearRequests()
            for command in [["pull"], ["pull", "--dry-run"], ["verify"]] {
                let outcome = try await shop.folder.run(command, environment: Self.environment)
                #expect(outcome.status == given.status, "\(outcome)")
                #expect(outcome.stdout == "")
                #expect(outcome.stderr.hasPrefix("tidemark: "), "\(outcome)")
                #expect(outcome.stderr.contains(given.message), "\(outcome)")
                #expect(outcome.stderr.count { $0 == "\n" } == 1)
            }
            #expect(try await shop.dump() == before)
            #expect(shop.fake.requests.isEmpty)
            #expect(!shop.folder.has("own.db"))
        }
    }

    @Test(arguments: cases.dropFirst(2))
    func `a rejected configuration creates no store`(_ given: Case) async throws {
        try await Shop.open { shop in
            try reduceModel(shop, given)
            let outcome = try await shop.folder.run("pull")
            #expect(outcome.status == given.status, "\(outcome)")
            #expect(!shop.folder.has("own.db"))
        }
    }

    /// Imports three authors, and a book of the first, into a store without a pull.
    private func importRows(_ shop: Shop) async throws {
        let rows = [
            ("Book", #"[{"id": 90, "title": "Own", "author": {"id": 1, "name": "Ann"}}]"#),
            ("Author", #"[{"id": 1}, {"id": 2, "name": "Bob"}, {"id": 3, "name": "Cid"}]"#),
        ]
        for (entity, text) in rows {
            _ = try await shop.folder.done(
                "import",
                "-",
                "--into",
                entity,
                "--store",
                "shop.db",
                "--model",
                "model.yml",
                stdin: text
            )
        }
    }

    @Test func `the first pull into a store does not migrate it if rows would be lost`()
        async throws
    {
        try await Shop.open { shop in
            try await importRows(shop)
            let before = try await shop.dump()
            try reduceModel(shop)
            for command in [["pull"], ["pull", "--full"], ["pull", "--dry-run"], ["verify"]] {
                let outcome = try await shop.folder.run(command, environment: Self.environment)
                #expect(outcome.status == 77, "\(outcome)")
                #expect(
                    outcome.stderr == """
                        tidemark: Nothing was pulled into shop.db yet, and a migration to the model \
                        would drop data: drop Author.books (1 link is lost); drop Book (1 row is \
                        lost). Run tidemark migrate first, or pull into another store.

                        """
                )
            }
            #expect(try await shop.dump() == before)
            #expect(shop.fake.requests.isEmpty)
            _ = try await shop.folder.done(
                "migrate",
                "--store",
                "shop.db",
                "--model",
                "narrow.yml"
            )
            _ = try await shop.folder.done("pull", environment: Self.environment)
            #expect(try await shop.dump()["Author"]?.elements.count == 3)
        }
    }

    @Test func `the first pull into a store adds to its model and keeps its rows`() async throws {
        try await Shop.open { shop in
            try await importRows(shop)
            let before = try await shop.dump()
            let model = try shop.folder.text(of: "model.yml")
            try shop.folder.write(
                model.replacing("title: string", with: "title: string, pages: integer64")
                    + "\n  Shelf: {attributes: {id: integer64}}",
                to: "model.yml"
            )
            let outcome = try await shop.folder.done("pull", "--only", "Author")
            #expect(outcome.stderr.contains("Migrated "), "\(outcome)")
            let books = try await shop.dump()["Book"]?.elements ?? []
            #expect(books.map { $0["title"] } == before["Book"]?.elements.map { $0["title"] })
            #expect(books.count == 1)
            #expect(try await shop.dump()["Author"]?.elements.count == 3)
        }
    }

    @Test func `a store of the same service is migrated, and an empty file becomes a store`()
        async throws
    {
        try await Shop.open { shop in
            try await shop.fill()
            try reduceModel(shop)
            let outcome = try await shop.folder.done("pull", environment: Self.environment)
            #expect(outcome.stderr.contains("shop.db"))
            #expect(try await shop.dump()["Book"] == nil)
            #expect(try await shop.dump()["Author"]?.elements.count == 3)
            try shop.folder.write("", to: "own.db")
            _ = try await shop.folder.done("pull")
            #expect(try await shop.folder.dump("own.db")["Author"]?.elements.count == 3)
        }
    }
}
