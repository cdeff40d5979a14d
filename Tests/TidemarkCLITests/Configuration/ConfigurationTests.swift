import Testing
import TidemarkTesting

/// The keys and values of `tidemark.yml`, and the errors for invalid ones.
@Suite(.timeLimit(.minutes(40)))
struct ConfigurationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let status: Int32
        let message: String
        var testDescription: String { message }
    }

    private static let cases = [
        Case(
            text: "shop: x\nservice: {url: 'http://127.0.0.1:1/'}",
            status: 65,
            message: """
                tidemark.yml: shop is not known. Known are store, model, service, resources, conflicts.
                """
        ),
        Case(
            text: "service: {url: 'http://127.0.0.1:1/', adress: x}",
            status: 65,
            message: """
                tidemark.yml: service.adress is not known. Known are url, name, preset, headers, \
                auth, origins, account, limits, lists, push.
                """
        ),
        Case(
            text: "service: {url: 'http://127.0.0.1:1/', limits: {speed: 1}}",
            status: 65,
            message: """
                tidemark.yml: service.limits.speed is not known. Known are concurrency, timeout, \
                pageLimit, attempts, redirects, answerTime, retryTime, pause, bodyBytes, bodyInMemory, \
                jsonItemBytes, jsonItemTokens, rejections, assetBytes, conflictAge, \
                conflictRecords.
                """
        ),
        Case(
            text: "service: {url: 'http://127.0.0.1:1/', auth: {basic: {user: u, pin: 1}}}",
            status: 65,
            message: "tidemark.yml: service.auth.basic.password is missing."
        ),
        Case(
            text: "service: {url: 'http://127.0.0.1:1/'}\nresources: {Book: {paht: books/}}",
            status: 65,
            message: """
                tidemark.yml: resources.Book.paht is not known. Known are path, content, type, \
                envelope, item, pagination, base, emptyPages, pageSize, order, drift, total, count, delta, \
                deltaOrder, deltaOverlap, full, deletes, keys, validation, empty, readNulls, push.
                """
        ),
        Case(
            text: "service: {preset: rest}",
            status: 65,
            message: "tidemark.yml: service.url is missing."
        ),
        Case(
            text: "service: [1]",
            status: 65,
            message: "tidemark.yml: service: expected a mapping (key: value)."
        ),
        Case(
            text: "service: {url: 'http://127.0.0.1:1/'}\nresources: {Book: [{path: books/}]}",
            status: 65,
            message: """
                tidemark.yml: resources.Book: expected a mapping (key: value), or a sequence of two \
                or more.
                """
        ),
        Case(
            text: "service: {url: 'http://127.0.0.1:1/'}\nresources: {Book: [{path: a/}, books/]}",
            status: 65,
            message: "tidemark.yml: resources.Book[1]: expected a mapping (key: value)."
        ),
        Case(
            text: "resources: {Book: {path: books/}}",
            status: 64,
            message: "The configuration has no service. Add service: {url: …}."
        ),
        Case(
            text: "service: {url: nowhere}",
            status: 65,
            message:
                "service.url: invalid URL nowhere: expected http:// or https://, a host, and a port up to 65535, if any."
        ),
        Case(
            text: "service: {url: 'http://127.0.0.1:1/', preset: gopher}",
            status: 65,
            message:
                "service.preset gopher is not known. Known are jsonapi, kinto, parse, rails, rest."
        ),
        Case(
            text: "service: {url: 'http://127.0.0.1:1/', limits: {attempts: 0}}",
            status: 65,
            message: "service.limits.attempts must be at least 1."
        ),
        Case(
            text: "service: {url: 'http://127.0.0.1:1/', limits: {timeout: soon}}",
            status: 65,
            message: "service.limits.timeout: write 30s, 500ms or 2m, not soon."
        ),
        Case(
            text: "service: {url: 'http://127.0.0.1:1/', limits: {bodyBytes: much}}",
            status: 65,
            message: "service.limits.bodyBytes: write 8MiB, 64KiB or 2GiB, not much."
        ),
        Case(
            text: "service: {url: 'http://127.0.0.1:1/', limits: {attempts: many}}",
            status: 65,
            message: "tidemark.yml: service.limits.attempts: expected a whole number."
        ),
        Case(
            text: "service: {url: 'http://127.0.0.1:1/'}\nresources: {Book: {}, Book: {}}",
            status: 65,
            message: "tidemark.yml, line 4, column 13: duplicate key Book."
        ),
        Case(
            text: "service: {url: 'http://127.0.0.1:1/', origins: [there]}",
            status: 65,
            message: "service.origins: there is not an origin such as https://host."
        ),
        Case(
            text: "service: {url: 'http://127.0.0.1:1/'}\nresources: {Book: {deletes: all}}",
            status: 65,
            message:
                "resources.Book.deletes: all is not known. Write none, sweep, marked:key.path or marked:key.path=VALUE."
        ),
        Case(
            text: "service: {url: 'http://127.0.0.1:1/'}\nresources: {Book: {deltaOverlap: 5m}}",
            status: 65,
            message: """
                resources.Book.deltaOverlap is for changes by time, which delta does not request.
                """
        ),
        Case(
            text: """
                service: {url: 'http://127.0.0.1:1/', preset: parse}
                resources: {Book: {deltaOverlap: long}}
                """,
            status: 65,
            message:
                "resources.Book.deltaOverlap: long is not known. Write 30s, 500ms or 2m."
        ),
        Case(
            text: "service: {url: 'http://127.0.0.1:1/'}\nresources: {Book: {pagination: p}}",
            status: 65,
            message: """
                resources.Book.pagination: p is not known. Write automatic, none, next, \
                next:key.path, link, header:NAME, page, page:PARAMETER, offset, offset:PARAMETER, \
                token:key.path>PARAMETER, token:header:NAME>PARAMETER or after:key.path>PARAMETER.
                """
        ),
        Case(
            text: "service: {url: 'http://127.0.0.1:1/', lists: {path: all/}}",
            status: 65,
            message: """
                service.lists.path cannot hold for all lists: it belongs to a resource. Write it \
                as resources.ENTITY.path.
                """
        ),
        Case(
            text: "service: {url: 'http://127.0.0.1:1/', lists: {pagination: page, type: books}}",
            status: 65,
            message: """
                service.lists.type cannot hold for all lists: it belongs to a resource. Write it \
                as resources.ENTITY.type.
                """
        ),
        Case(
            text: "service: &s {url: 'http://127.0.0.1:1/'}",
            status: 65,
            message: """
                tidemark.yml, line 3, column 10: anchors and aliases are not allowed. \
                Write it out.
                """
        ),
        Case(
            text: "service: {url: 'http://127.0.0.1:1/'",
            status: 65,
            message: """
                tidemark.yml, line 4, column 1: not valid YAML: did not find expected ',' or '}'.
                """
        ),
    ]

    @Test(arguments: cases)
    func `an invalid configuration is reported with its key or line and changes nothing`(
        _ given: Case
    ) async throws {
        let folder = try await Sample.filled()
        try folder.write("store: s.db\nmodel: model.yml\n\(given.text)\n", to: "tidemark.yml")
        try await InvalidCommand("pull", status: given.status, given.message).check(in: folder)
        let dump = try await folder.dump()
        #expect(dump == Sample.dump)
    }

    @Test func `a missing configuration is an error`() async throws {
        let folder = try Folder()
        try await InvalidCommand(
            "pull",
            status: 66,
            "There is no configuration at tidemark.yml. Name one, or write tidemark.yml."
        )
        .check(in: folder)
        try await InvalidCommand(
            "pull",
            "other.yml",
            status: 66,
            "There is no configuration at other.yml. Name one, or write tidemark.yml."
        )
        .check(in: folder)
    }

    @Test func `a configuration without a store is an error`() async throws {
        let folder = try Folder()
        try folder.write("service: {url: 'http://127.0.0.1:1/'}", to: "tidemark.yml")
        try await InvalidCommand(
            "pull",
            status: 64,
            "tidemark.yml names no store. Add store: PATH, or use --store."
        )
        .check(in: folder)
    }

    @Test func `paths are relative to the folder of the configuration`() async throws {
        try await Shop.open { shop in
            try shop.configure(to: "far/away/shop.yml")
            try shop.folder.write(try shop.folder.text(of: "model.yml"), to: "far/away/model.yml")
            _ = try await shop.folder.done("pull", "far/away/shop.yml")
            #expect(shop.folder.has("far/away/shop.db"))
            #expect(!shop.folder.has("shop.db"))
        }
    }

    @Test func `--store takes precedence over TIDEMARK_STORE, and that over the configuration`()
        async throws
    {
        try await Shop.open { shop in
            let environment = ["TIDEMARK_STORE": "b.db"]
            let folder = shop.folder
            _ = try await folder.done("pull", "--store", "a.db", environment: environment)
            #expect(folder.has("a.db") && !folder.has("b.db") && !folder.has("shop.db"))
            _ = try await folder.done("pull", "--only", "Author", environment: environment)
            #expect(folder.has("b.db") && !folder.has("shop.db"))
            _ = try await folder.done("pull", "--only", "Book")
            #expect(folder.has("shop.db"))

            let count = ["count", "Author"]
            let first = try await folder.run(
                count + ["--store", "shop.db"],
                environment: environment
            )
            #expect(first.stdout == "0\n")
            #expect(try await folder.run(count, environment: environment).stdout == "3\n")
            #expect(try await folder.run(count).stdout == "0\n")
            let empty = try await folder.run(count, environment: ["TIDEMARK_STORE": ""])
            #expect(empty.stdout == "0\n")
        }
    }
}
