import Testing
import TidemarkTesting

/// Failures of a service: each has its own exit status and a message with the URL, and no row is
/// lost.
@Suite(.timeLimit(.minutes(40)))
struct ServiceFaultTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let fault: FakeFault
        let status: Int32
        let message: String
        var at = "books/"
        var testDescription: String { "\(fault) at \(at)" }
    }

    private static let cases = [
        Case(
            fault: .status(404),
            status: 66,
            message: "returned 404: “This error was injected.”."
        ),
        Case(
            fault: .status(401),
            status: 77,
            message: """
                returned 401: “This error was injected.”. Check the credentials: `auth` or \
                `headers` in tidemark.yml, `--header` with an address
                """
        ),
        Case(
            fault: .status(403),
            status: 77,
            message: "returned 403: “This error was injected.”."
        ),
        Case(
            fault: .status(422),
            status: 65,
            message: "returned 422: “This error was injected.”."
        ),
        Case(
            fault: .status(429),
            status: 75,
            message: "returned 429: “This error was injected.”."
        ),
        Case(
            fault: .status(500),
            status: 69,
            message: "returned 500: “This error was injected.”."
        ),
        Case(fault: .html, status: 65, message: "a web page (HTML), not with JSON."),
        Case(
            fault: .body(#"{"results": [{"id": 1}"#, type: "application/json"),
            status: 65,
            message: "invalid JSON: line 1, column 23: unexpected end of input."
        ),
        Case(
            fault: .truncatedBody(after: 60),
            status: 69,
            message: "the connection broke in the middle of the body."
        ),
        Case(
            fault: .truncatedBody(after: 60),
            status: 69,
            message: "the connection broke in the middle of the body.",
            at: "books/?page=2"
        ),
        Case(fault: .connectionClosed, status: 69, message: ": "),
        Case(
            fault: .cyclicNextLink,
            status: 65,
            message: "as its next page, which was already read.",
            at: "books/?page=2"
        ),
        Case(
            fault: .redirect(to: "https://elsewhere.example/books/"),
            status: 77,
            message: "leads to https://elsewhere.example, which does not belong to the service"
        ),
        Case(
            fault: .body(#"{"detail": "Later."}"#, type: "application/json"),
            status: 65,
            message: "returned no list: there is no list at `results`: `results` is missing."
        ),
        Case(
            fault: .body(#"{"results": null, "error": "later"}"#, type: "application/json"),
            status: 65,
            message: "returned no list: expected an array or an object at `results`, found null."
        ),
        Case(
            fault: .body("", type: "application/json"),
            status: 65,
            message: "returned 200 with nothing, not with JSON."
        ),
    ]

    @Test(arguments: cases)
    func `a failed resource is reported with its URL, loses no rows and stops no other`(
        _ given: Case
    ) async throws {
        try await Shop.open { shop in
            try await shop.fill()
            let before = try await shop.dump()
            shop.fake["books/7"] = nil
            shop.fake["authors/2"]?["name"] = "Changed"
            shop.fake.inject(given.fault, at: given.at)

            let outcome = try await shop.folder.run("pull")
            #expect(outcome.status == given.status, "\(outcome)")
            let lines = outcome.stderr.split(separator: "\n").map(String.init)
            #expect(
                lines.first == "Book did not finish; none of its rows were deleted."
            )
            let actualMessage = try #require(lines.last)
            #expect(lines.count == 2, "\(outcome)")
            #expect(actualMessage.hasPrefix("tidemark: "))
            #expect(actualMessage.contains("\(shop.url)books/"), "\(actualMessage)")
            #expect(actualMessage.contains(given.message), "\(actualMessage)")

            let after = try await shop.dump()
            #expect(after["Book"] == before["Book"])
            #expect(after["Author"]?[0] == before["Author"]?[0])
            #expect(after["Author"]?[1]?["name"] == "Changed")
        }
    }

    @Test func `a refused connection is reported with the URL, and nothing changes`() async throws {
        try await Shop.open { shop in
            try shop.configure(url: "http://127.0.0.1:1/api/")
            let outcome = try await shop.folder.run("pull")
            #expect(outcome.status == 69)
            #expect(
                outcome.stderr.contains(
                    "tidemark: GET http://127.0.0.1:1/api/authors/: no connection could be made."
                )
            )
            #expect(try await shop.dump() == ["Author": [], "Book": []])
        }
    }

    @Test func `a store that belongs to another service is not changed`() async throws {
        try await Shop.open { shop in
            try await shop.fill()
            let before = try await shop.dump()
            try shop.configure(url: "http://127.0.0.1:1/api/")
            let outcome = try await shop.folder.run("pull")
            #expect(outcome.status == 77)
            #expect(outcome.stderr.contains("not to http://127.0.0.1:1. Use another store: "))
            #expect(try await shop.dump() == before)
        }
    }

    @Test func `a request without a response times out`() async throws {
        try await Shop.open { shop in
            let text = try shop.folder.text(of: "tidemark.yml")
            try shop.folder.write(
                text.replacing("attempts: 1", with: "attempts: 1, timeout: 200ms"),
                to: "tidemark.yml"
            )
            shop.fake.inject(.noResponse)
            let outcome = try await shop.folder.run("pull", "--only", "Author")
            #expect(outcome.status == 69)
            #expect(
                outcome.stderr.contains(
                    "GET \(shop.url)authors/: timed out: no data received for 0.2 s."
                )
            )
        }
    }

    @Test func `a request that fails once is retried`() async throws {
        try await Shop.open { shop in
            let text = try shop.folder.text(of: "tidemark.yml")
            try shop.folder.write(
                text.replacing("attempts: 1", with: "attempts: 2"),
                to: "tidemark.yml"
            )
            shop.fake.inject(.status(503), times: 1, at: "books/?page=2")
            let outcome = try await shop.folder.done("pull", "--format", "json")
            #expect(try outcome.json()["requests"] == 5)
            #expect(try await shop.dump()["Book"]?.elements.count == 7)
        }
    }

    @Test func `the JSON report contains the result of each resource`() async throws {
        try await Shop.open { shop in
            shop.fake.inject(.status(500), at: "books/?page=2")
            let outcome = try await shop.folder.run("pull", "--format", "json")
            #expect(outcome.status == 69)
            let report = try outcome.json()
            #expect(report["isComplete"] == false)
            #expect(report["resources"]?["authors/"]?["failure"] == nil)
            #expect(report["resources"]?["books/"]?["pages"] == 1)
            #expect(
                report["resources"]?["books/"]?["failure"]?.string?
                    .hasPrefix("GET \(shop.url)books/?page=2 returned 500") == true
            )
        }
    }
}
