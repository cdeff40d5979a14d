import Foundation
import HTTPTypes
import Testing
import TidemarkFakeServer
import TidemarkTesting

/// Pulls by URL, without a configuration.
@Suite(.timeLimit(.minutes(40)))
struct PullAddressTests {
    private func pull(
        _ address: String,
        in folder: Folder,
        _ more: String...
    ) async throws -> Outcome {
        try await folder.run(["pull", address, "--into", "s.db"] + more)
    }

    @Test func `a list is pulled into a new store, and no page is requested twice`() async throws {
        try await Shop.open { shop in
            let outcome = try await pull("\(shop.url)books/", in: shop.folder)
            #expect(outcome.status == 0, "\(outcome)")
            #expect(
                outcome.lines.contains(
                    "Book          3        7         7        0          0        0        0"
                ),
                "\(outcome)"
            )
            #expect(
                shop.fake.requests.map(\.request.path) == [
                    "/api/books/", "/api/books/?page=2", "/api/books/?page=3",
                ]
            )
            let dump = try await shop.folder.dump("s.db")
            #expect(dump["Book"]?.elements.count == 7)
            #expect(dump["Book"]?[0]?["title"] == "Book 1")
        }
    }

    @Test func `a second pull of the same URL sends conditional requests`() async throws {
        try await Shop.open { shop in
            _ = try await pull("\(shop.url)books/", in: shop.folder)
            shop.fake["books/3"] = nil
            shop.fake.clearRequests()
            let outcome = try await pull("\(shop.url)books", in: shop.folder, "--format", "json")
            #expect(outcome.status == 0, "\(outcome)")
            #expect(try outcome.json()["entities"]?["Book"]?["deleted"] == 1)
            // A row that is missing from counted pages is deleted once a second reading lacks it
            // too.
            #expect(shop.fake.requests.map(\.status) == [200, 200, 304, 304])
            shop.fake.clearRequests()
            _ = try await pull("\(shop.url)books/", in: shop.folder)
            #expect(shop.fake.requests.map(\.status) == [304, 304])
        }
    }

    @Test func `a new member is reported and does not change the model`() async throws {
        try await Shop.open { shop in
            _ = try await pull("\(shop.url)books/", in: shop.folder)
            shop.fake["books/1"]?["pages"] = 120
            let outcome = try await pull("\(shop.url)books/", in: shop.folder)
            #expect(outcome.status == 0)
            #expect(
                outcome.stderr
                    == "Book:1, pages: The model has no attribute or relationship for this key.\n"
            )
        }
    }

    @Test func `a document of links pulls all lists with their relationships`() async throws {
        let service = try StarWars.service()
        try await FakeServer.run(service) { url in
            let folder = try Folder()
            let first = try await pull(url.absoluteString, in: folder)
            #expect(first.status == 0, "\(first)")
            #expect(first.stdout.contains("Person        9       82"), "\(first)")
            #expect(service.requests.count == 1 + 24)
            let film = try await folder.done("get", "Film:1", "--store", "s.db").json()
            #expect(film["characters"]?.elements.count == 18)

            service.clearRequests()
            let second = try await pull(url.absoluteString, in: folder, "--format", "json")
            #expect(try second.json()["resources"]?.keys.count == 6)
            #expect(service.requests.allSatisfy { $0.status == 304 })

            let one = try await pull("\(url.absoluteString)films/", in: folder, "--format", "json")
            #expect(try one.json()["resources"]?.keys == ["films/"])
        }
    }

    @Test func `a list that the store was not created for is rejected`() async throws {
        try await Shop.open { shop in
            _ = try await pull("\(shop.url)books/", in: shop.folder)
            let outcome = try await pull("\(shop.url)authors/", in: shop.folder)
            #expect(outcome.status == 66)
            #expect(
                outcome.stderr == """
                    tidemark: The store has no list of \(shop.url)authors/; it was made for books/ of \
                    \(shop.url). Pull into another store.

                    """
            )
        }
    }

    @Test func `a store of another service is rejected before any request`() async throws {
        try await Shop.open { shop in
            _ = try await pull("\(shop.url)books/", in: shop.folder)
            let outcome = try await pull("http://127.0.0.1:1/books/", in: shop.folder)
            #expect(outcome.status == 77)
            #expect(
                outcome.stderr.contains("not to http://127.0.0.1:1. Use another store: ")
            )
        }
    }

    @Test func `a dry run creates no store`() async throws {
        try await Shop.open { shop in
            let outcome = try await pull("\(shop.url)books/", in: shop.folder, "--dry-run")
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.stdout.contains("Book          3        7         7"))
            #expect(!shop.folder.has("s.db"))
        }
    }

    @Test func `a store with a model is filled according to it`() async throws {
        try await Shop.open { shop in
            _ = try await shop.folder.done(
                "import",
                "-",
                "--into",
                "Author",
                "--model",
                "model.yml",
                "--store",
                "s.db",
                stdin: "[]"
            )
            let outcome = try await pull(shop.url, in: shop.folder)
            #expect(outcome.status == 0, "\(outcome)")
            #expect(try await shop.folder.dump("s.db")["Author"]?[0]?["books"]?.elements.count == 2)
        }
    }

    @Test(arguments: ["api_key", "appid", "bearer", "otp", "sid", "ticket"])
    func `secrets in the URL are sent and neither stored nor printed`(
        _ parameter: String
    ) async throws {
        try await Shop.open { shop in
            let address = shop.url.replacing("http://", with: "http://ann:s3cret@")
            let outcome = try await pull(
                "\(address)books/?\(parameter)=t0ken&a=b",
                in: shop.folder
            )
            #expect(outcome.status == 0, "\(outcome)")
            #expect(shop.fake.requests.count == 3)
            for asked in shop.fake.requests {
                #expect(asked.request.path?.contains("\(parameter)=t0ken") == true)
                #expect(asked.request.path?.contains("a=b") == true)
                #expect(asked.request.headerFields[.authorization] != nil)
            }
            #expect(!"\(outcome)".contains("t0ken") && !"\(outcome)".contains("s3cret"))
            for name in try shop.folder.names() {
                let bytes = try Data(contentsOf: shop.folder.url.appending(path: name))
                #expect(bytes.range(of: Data("t0ken".utf8)) == nil, "\(name)")
                #expect(bytes.range(of: Data("s3cret".utf8)) == nil, "\(name)")
            }
        }
    }

    @Test func `a query parameter that selects objects identifies another list`() async throws {
        try await Shop.open { shop in
            _ = try await pull("\(shop.url)books/?author=1", in: shop.folder)
            let other = try await pull("\(shop.url)books/?author=2", in: shop.folder)
            #expect(other.status == 66, "\(other)")
            #expect(other.stderr.contains("books/?author=1"), "\(other)")
        }
    }

    @Test func `usage errors are reported before any request`() async throws {
        let folder = try Folder()
        try await InvalidCommand(
            "pull",
            "http://127.0.0.1:1/a/",
            status: 64,
            "No store is named. Use --store PATH."
        ).check(in: folder)
        try await InvalidCommand(
            "pull",
            "https://",
            "--into",
            "s.db",
            status: 64,
            "Invalid URL: expected http:// or https://, a host, and a port up to 65535, if any."
        ).check(in: folder)
        try await InvalidCommand(
            "pull",
            "http://127.0.0.1:1/a/",
            "--preset",
            "gopher",
            status: 64,
            "Error: --preset gopher is not known. Known are jsonapi, kinto, parse, rails, rest."
        ).check(in: folder)
        try await InvalidCommand(
            "pull",
            "--preset",
            "rest",
            status: 64,
            "Error: --preset is for a URL; a configuration has service.preset."
        ).check(in: folder)
        #expect(try folder.names() == [])
    }
}
