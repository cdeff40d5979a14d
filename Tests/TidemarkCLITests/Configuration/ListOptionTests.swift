import Foundation
import HTTPTypes
import Testing
import TidemarkFakeServer
import TidemarkFakeServices
import TidemarkTesting

/// The options of a list, tested by the requests that result from them.
@Suite(.timeLimit(.minutes(40)))
struct ListOptionTests {
    private static let model = """
        entities:
          Book:
            attributes: {id: integer64, title: string, updatedAt: date}
        """

    /// Pulls with a configuration that has options for the books, first as they are, and then after
    /// each change.
    ///
    /// `check` receives the requests of each pull, and the titles in the store after the last one.
    private func pull(
        _ fake: FakeService,
        _ options: String,
        preset: String = "rest",
        path: String = "books",
        then changes: [@Sendable (inout FakeData) -> Void] = [],
        check: (_ pulls: [[String]], _ titles: [String]) throws -> Void
    ) async throws {
        try await FakeServer.run(fake) { url in
            let folder = try Folder()
            try folder.write(Self.model, to: "model.yml")
            try folder.write(
                """
                store: s.db
                model: model.yml
                service: {url: '\(url.absoluteString)', preset: \(preset), limits: {attempts: 1}}
                resources: {Book: {path: \(path), \(options)}}
                """,
                to: "tidemark.yml"
            )
            var pulls: [[String]] = []
            for change in [{ @Sendable _ in }] + changes {
                fake.change(change)
                fake.clearRequests()
                _ = try await folder.done("pull")
                pulls.append(
                    fake.requests.map { request in
                        let path = request.request.path?.replacing("/api/", with: "") ?? ""
                        let method = request.request.method == .get ? "" : "HEAD "
                        return "\(method)\(path) \(request.status ?? 0)"
                    }
                )
            }
            let titles = try await folder.dump()["Book"]?.elements.compactMap {
                $0["title"]?.string
            }
            try check(pulls, titles ?? [])
        }
    }

    private static let two = #"[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]"#
    private static let one = #"[{"id": 3, "title": "c"}]"#

    struct Paged: Sendable, CustomTestStringConvertible {
        let options: String
        var first: String
        let second: String
        var fields: [String: String] = [:]
        var testDescription: String { options }
    }

    private static let paged = [
        Paged(options: "envelope: none, pagination: page", first: two, second: "page=2"),
        Paged(options: "envelope: none, pagination: 'page:p'", first: two, second: "p=2"),
        Paged(options: "envelope: none, pagination: offset", first: two, second: "offset=2"),
        Paged(options: "envelope: none, pagination: 'offset:skip'", first: two, second: "skip=2"),
        Paged(
            options: "envelope: none, pagination: link",
            first: two,
            second: "x=1",
            fields: ["Link": "<?x=1>; rel=next"]
        ),
        Paged(
            options: "envelope: none, pagination: 'header:X-Next'",
            first: two,
            second: "x=1",
            fields: ["X-Next": "BASE/books?x=1"]
        ),
        Paged(
            options: "envelope: none, pagination: 'after:id>since_id'",
            first: two,
            second: "since_id=2"
        ),
        Paged(
            options: "pagination: next",
            first: #"{"next": "?x=1", "results": \#(two)}"#,
            second: "x=1"
        ),
        Paged(
            options: "envelope: a.b, pagination: 'next:a.more'",
            first: #"{"a": {"more": "?x=1", "b": \#(two)}}"#,
            second: "x=1"
        ),
        Paged(
            options: "envelope: items, pagination: 'token:meta.cursor>after'",
            first: #"{"meta": {"cursor": "q7"}, "items": \#(two)}"#,
            second: "after=q7"
        ),
    ]

    @Test(arguments: paged) func `pagination and envelope determine the request for the next page`(
        _ given: Paged
    ) async throws {
        let empty = ["page=3", "p=3", "offset=3", "skip=3", "since_id=3"].map {
            ("books?\($0)", "[]")
        }
        let second =
            given.options.contains("items")
            ? #"{"items": \#(Self.one)}"#
            : given.options.contains("a.b") ? #"{"a": {"b": \#(Self.one)}}"# : Self.one
        let pages = [("books", given.first), ("books?\(given.second)", second)]
        let fixedResponses = FixedResponses(
            bodies: Dictionary(pages + empty) { first, _ in first },
            fields: ["books": given.fields]
        )
        try await pull(fixedResponses.service, given.options) { pulls, titles in
            // Page 1 is not there: so pages are counted from 1.
            let requests = pulls[0].filter { !$0.hasSuffix("=1 404") }
            #expect(requests.prefix(2) == ["books 200", "books?\(given.second) 200"])
            #expect(titles == ["a", "b", "c"])
        }
    }

    @Test func `pagination none reads a single page`() async throws {
        let fixedResponses = FixedResponses(bodies: [
            "books": #"{"next": "?x=1", "results": \#(Self.two)}"#
        ])
        try await pull(fixedResponses.service, "pagination: none, deletes: none") { pulls, titles in
            #expect(pulls == [["books 200"]])
            #expect(titles == ["a", "b"])
        }
    }

    /// Returns a Rails service with seven books, four per page.
    private func rails() -> FakeService {
        FakeService(
            collections: [
                "books": (1...7).map { ["id": .number("\($0)"), "title": .string("\($0)")] }
            ],
            dialect: .rails { $0.perPage = 4 }
        )
    }

    private static let removal: @Sendable (inout FakeData) -> Void = { $0["books/3"] = nil }
    private static let change: @Sendable (inout FakeData) -> Void = {
        $0["books/3"]?["title"] = "new"
    }

    @Test func `pageSize and order are parameters of every request`() async throws {
        try await pull(rails(), "pageSize: per_page=5, order: sort=id", preset: "rails") {
            pulls,
            _ in
            #expect(
                pulls[0] == ["books?per_page=5&sort=id 200", "books?per_page=5&sort=id&page=2 200"]
                    || pulls[0] == [
                        "books?per_page=5&sort=id 200", "books?page=2&per_page=5&sort=id 200",
                    ]
            )
        }
    }

    @Test func `delta requests what changed since the latest change`() async throws {
        let options = "delta: 'since:updated_at>updated_since', deletes: none"
        try await pull(rails(), options, preset: "rails", then: [Self.change]) { pulls, titles in
            #expect(pulls[1][0].hasPrefix("books?updated_since=2"), "\(pulls)")
            #expect(titles == ["1", "2", "new", "4", "5", "6", "7"])
        }
    }

    @Test func `deltaOrder sorts requests for changes only`() async throws {
        let options =
            "delta: 'since:updated_at>updated_since', deltaOrder: sort=updated_at, deletes: none"
        try await pull(rails(), options, preset: "rails", then: [Self.change]) { pulls, _ in
            #expect(!pulls[0][0].contains("sort"))
            #expect(pulls[1][0].contains("sort=updated_at"))
        }
    }

    @Test func `deltaOverlap requests changes from that much earlier`() async throws {
        let options = "delta: 'since:updated_at>updated_since', deltaOverlap: 30m, deletes: none"
        try await pull(rails(), options, preset: "rails", then: [Self.change]) { pulls, titles in
            // The request starts one printed unit, a millisecond, before the cursor.
            #expect(pulls[1][0].hasPrefix("books?updated_since=2017-07-14T02%3A09%3A59.999Z"))
            #expect(titles == ["1", "2", "new", "4", "5", "6", "7"])
        }
    }

    @Test func `a count mismatch leads to a request for the keys of all objects`() async throws {
        let options = """
            delta: 'since:updated_at>updated_since', count: 'query:per_page=1', keys: fields=id
            """
        try await pull(rails(), options, preset: "rails", then: [Self.removal]) { pulls, titles in
            #expect(pulls[1].contains("books?per_page=1 200"), "\(pulls[1])")
            #expect(pulls[1].contains("books?fields=id 200"), "\(pulls[1])")
            #expect(titles == ["1", "2", "4", "5", "6", "7"])
        }
    }

    @Test func `a version cursor requests changes, and tombstones delete rows`() async throws {
        let fake = FakeService(
            collections: [
                "books": (1...3).map { ["id": .string("\($0)"), "title": .string("\($0)")] }
            ],
            dialect: .kinto()
        )
        let path = "buckets/app/collections/books/records"
        let options = """
            envelope: data, pagination: 'header:Next-Page', total: none, \
            count: 'head:Total-Objects', delta: 'version:_since', deletes: 'marked:deleted', \
            drift: none, validation: collection
            """
        try await pull(fake, options, path: path, then: [{ _ in }, Self.removal]) { pulls, titles in
            #expect(pulls[1] == ["\(path)?_since=%22\(0)%22 304"] || pulls[1][0].hasSuffix(" 304"))
            #expect(pulls[2][0].contains("_since="))
            #expect(pulls[2].contains("HEAD \(path) 200"))
            #expect(titles.sorted() == ["1", "2"])
        }
    }

    @Test func `an object that is marked as deleted is deleted`() async throws {
        try await pull(
            rails(),
            "deletes: 'marked:meta.gone'",
            preset: "rails",
            then: [{ $0["books/3"]?["meta"] = ["gone": true] }]
        ) { _, titles in
            #expect(titles == ["1", "2", "4", "5", "6", "7"])
        }
    }

    @Test(arguments: [
        ("deletes: sweep", 4), ("total: none", 4), ("drift: none", 2),
        ("total: none, drift: none", 2),
    ])
    func `a second reading confirms a deletion, except with drift none`(
        _ options: String,
        _ requests: Int
    ) async throws {
        try await pull(rails(), options, preset: "rails", then: [Self.removal]) { pulls, titles in
            #expect(pulls[1].count == requests, "\(pulls)")
            #expect(titles == ["1", "2", "4", "5", "6", "7"])
        }
    }

    @Test(arguments: [("none", "200"), ("pages", "304")])
    func `validation determines whether pages are requested conditionally`(
        _ validation: String,
        _ status: String
    ) async throws {
        try await pull(
            rails(),
            "validation: \(validation)",
            preset: "rails",
            then: [{ _ in }]
        ) { pulls, _ in
            #expect(pulls[0] == ["books 200", "books?page=2 200"])
            #expect(pulls[1] == ["books \(status)", "books?page=2 \(status)"])
        }
    }

    @Test func `service.lists applies to all lists of the service`() async throws {
        let fake = rails()
        try await FakeServer.run(fake) { url in
            let folder = try Folder()
            try folder.write(Self.model, to: "model.yml")
            try folder.write(
                """
                store: s.db
                model: model.yml
                service: {url: '\(url.absoluteString)', lists: {envelope: none, pagination: link}}
                """,
                to: "tidemark.yml"
            )
            _ = try await folder.done("pull")
            #expect(try await folder.done("count", "Book").stdout == "7\n")
        }
    }

    @Test(arguments: [
        ("pagination", "next:", "automatic, none, next,"),
        ("pagination", "token:a", "automatic, none, next,"),
        ("emptyPages", "0", "a number of pages, at least 1"),
        ("count", "many", "none, head:NAME or query:PARAMETERS."),
        ("delta", "since:a", "none, version:PARAMETER, since:key.path>PARAMETER, "),
        ("delta", "version:", "none, version:PARAMETER, since:key.path>PARAMETER, "),
        ("deletes", "marked:", "none, sweep, marked:key.path or marked:key.path=VALUE."),
        ("drift", "never", "possible or none."),
        ("validation", "all", "none, pages or collection."),
    ])
    func `an unknown value is reported with its key and the known values`(
        _ option: String,
        _ value: String,
        _ known: String
    ) async throws {
        let folder = try Folder()
        try folder.write(Self.model, to: "model.yml")
        for path in ["service.lists", "resources.Book"] {
            let section = "{\(option): '\(value)'}"
            let lists = path == "service.lists" ? ", lists: \(section)" : ""
            let resources = path == "service.lists" ? "" : "resources: {Book: \(section)}"
            try folder.write(
                "store: s.db\nmodel: model.yml\nservice: {url: 'http://127.0.0.1:1/'\(lists)}\n\(resources)\n",
                to: "tidemark.yml"
            )
            let outcome = try await folder.run("pull")
            #expect(outcome.status == 65)
            #expect(
                outcome.stderr.hasPrefix(
                    "tidemark: \(path).\(option): \(value) is not known. Write \(known)"
                ),
                "\(outcome)"
            )
        }
    }
}
