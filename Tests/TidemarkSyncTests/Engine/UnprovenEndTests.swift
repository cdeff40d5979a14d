import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkTesting

@testable import TidemarkSync

/// Lists whose responses contain something that may mean that there are more objects, under names
/// that no convention defines.
struct UnprovenEndTests {
    private static let model = Model {
        EntityDescription("Task") { Attribute("id", .integer64) }
    }

    private static func page(
        _ numbers: some Sequence<Int>,
        _ members: String = "",
        fields: HTTPFields = [:]
    ) -> ScriptedService.Response {
        let objects = numbers.map { #"{"id": \#($0)}"# }.joined(separator: ", ")
        return .init(
            body: #"{"results": [\#(objects)]\#(members.isEmpty ? "" : ", \(members)")}"#,
            fields: fields
        )
    }

    private static func mirror(
        _ responses: [(path: String, response: ScriptedService.Response)],
        _ style: (inout ResourceStyle) -> Void = { _ in }
    ) throws -> ScriptedMirror {
        var mirror = try ScriptedMirror(model, [("Task", "tasks")])
        style(&mirror.resources[0].style)
        for (path, response) in responses { mirror.service.respond(to: path, response) }
        return mirror
    }

    /// Returns a mirror with the tasks 1 to 3.
    private static func filled(
        _ style: (inout ResourceStyle) -> Void = { _ in }
    ) async throws -> ScriptedMirror {
        let mirror = try mirror([("/tasks", page(1...3))], style)
        try await mirror.pull()
        _ = mirror.service.takeRequests()
        return mirror
    }

    private func ending(_ report: SyncReport) -> String {
        guard let list = report.resources["tasks"] else { return "missing" }
        return "\(list.ending)\(list.unprovenEnd.map { ", \($0)" } ?? "")"
    }

    // MARK: Evidence that is not followed

    @Test(arguments: [
        (#""bookmark_token": 1, "page_token": "b""#, #"page_token: "b""#),
        (#""scan_continuation": "b""#, #"scan_continuation: "b""#),
        (#""has_more_rows": false, "hasMore_items": true"#, "hasMore_items: true"),
        (#""meta": {"nextStartKey": 7}"#, "meta.nextStartKey: 7"),
        (#""pagination": {"skipToken": "b"}"#, #"pagination.skipToken: "b""#),
        (#""results_found": 9"#, "results_found: 9"),
        (#""meta": {"matched_docs": "9"}"#, "meta.matched_docs: 9"),
        (#""shop:cursor": "b""#, #"shop:cursor: "b""#),
        (
            #""next_href_url": "https://elsewhere.example/2""#,
            #"next_href_url: "https://elsewhere.example/2""#
        ),
    ])
    func `a list with suspected evidence deletes nothing, is quoted, and is read again`(
        members: String,
        quote: String
    ) async throws {
        let mirror = try await Self.filled()
        mirror.service.respond(to: "/tasks", Self.page([1, 4], members))
        for _ in 1...2 {
            let report = try await mirror.pull()
            #expect(ending(report) == "unproven, the response contains \(quote)")
            #expect(!report.isComplete)
            #expect(try mirror.count("Task") == 4)
            let status = try SyncStatus.of(mirror.store).resources.first
            #expect(status?.unprovenEnd == .suspected(quote))
        }
        mirror.service.respond(to: "/tasks", Self.page([1, 4]))
        #expect(try await ending(mirror.pull()) == "complete")
        #expect(try mirror.count("Task") == 2)
        #expect(try SyncStatus.of(mirror.store).resources.first?.unprovenEnd == nil)
    }

    @Test(arguments: ["X-Shop-Next-Cursor", "X-Scan-Continuation", "X-Shop-Total-Count"])
    func `a header field with such a name is suspected evidence`(name: String) async throws {
        let field = try #require(HTTPField.Name(name))
        let mirror = try await Self.filled()
        mirror.service.respond(to: "/tasks", Self.page([1], fields: [field: "7"]))
        #expect(
            try await ending(mirror.pull()).hasPrefix("unproven, the response contains \(name): ")
        )
        #expect(try mirror.count("Task") == 3)
    }

    @Test func `a list of which the user says that it has one page is complete`() async throws {
        let mirror = try await Self.filled { $0.pagination = .none }
        mirror.service.respond(to: "/tasks", Self.page([1], #""shop_cursor": "b", "found": 9"#))
        #expect(try await ending(mirror.pull()) == "complete")
        #expect(try mirror.count("Task") == 1)
    }

    @Test func `without totals, only a cursor is evidence`() async throws {
        let mirror = try await Self.filled { $0.total = .none }
        mirror.service.respond(to: "/tasks", Self.page([1, 2], #""results_found": 9"#))
        #expect(try await ending(mirror.pull()) == "complete")
        mirror.service.respond(to: "/tasks", Self.page([1], #""shop_cursor": "b""#))
        #expect(try await ending(mirror.pull()).hasPrefix("unproven"))
        #expect(try mirror.count("Task") == 2)
    }

    @Test func `a long page that is streamed is read for evidence, too`() async throws {
        let mirror = try await Self.filled()
        mirror.service.respond(to: "/tasks", Self.page(1...2, #""scan_continuation": "b""#))
        let report = try await mirror.engine { $0.http.bodyInMemory = 8 }.report(PullOptions())
        #expect(ending(report) == #"unproven, the response contains scan_continuation: "b""#)
        #expect(try mirror.count("Task") == 3)
    }

    // MARK: Evidence that is followed

    @Test func `a link leads to the next pages, and is remembered`() async throws {
        let mirror = try Self.mirror([
            ("/tasks", Self.page([1, 2], #""next_results_url": "/tasks?from=2""#)),
            ("/tasks?from=2", Self.page([3], #""next_results_url": "/tasks?from=3""#)),
            ("/tasks?from=3", Self.page([4])),
        ])
        let report = try await mirror.pull()
        #expect(ending(report) == "complete")
        #expect(report.resources["tasks"]?.warnings.map(\.code) == [.pagesRecognized])
        #expect(try mirror.count("Task") == 4)
        #expect(try await mirror.pull().isComplete)
        #expect(try await mirror.pull().resources["tasks"]?.warnings == [])
    }

    @Test func `a cursor is sent in the parameter of its name`() async throws {
        let mirror = try Self.mirror([
            ("/tasks", Self.page([1, 2], #""cursor": "b c""#)),
            ("/tasks?cursor=b%20c", Self.page([3])),
        ])
        for _ in 1...2 {
            #expect(try await mirror.pull().isComplete)
            #expect(try mirror.count("Task") == 3)
        }
    }

    @Test(arguments: [
        #""self": "/tasks?page_token=a""#, #""links": {"first": "/tasks?page_token=a"}"#,
        #""_links": [{"rel": "self", "href": "/tasks?page_token="}]"#,
    ])
    func `a token is sent in a parameter that a link of the response has`(
        link: String
    ) async throws {
        let mirror = try Self.mirror([
            ("/tasks", Self.page([1, 2], #""page_token": "b", \#(link)"#)),
            ("/tasks?page_token=b", Self.page([3])),
        ])
        #expect(try await ending(mirror.pull()) == "complete")
        #expect(try mirror.count("Task") == 3)
    }

    @Test func `a list is complete if what it leads to has no other objects`() async throws {
        for objects in [[], [1, 2], [2]] {
            let mirror = try await Self.filled()
            mirror.service.respond(
                to: "/tasks",
                Self.page([1, 2], #""next_results_url": "/tasks?from=2""#)
            )
            mirror.service.respond(to: "/tasks?from=2", Self.page(objects))
            for _ in 1...2 {
                #expect(try await ending(mirror.pull()) == "complete")
                #expect(try mirror.count("Task") == 2)
            }
            // Each pull asks, because the list may have become longer.
            #expect(mirror.service.takeRequests().filter { $0.contains("from=2") }.count >= 2)
            mirror.service.respond(to: "/tasks?from=2", Self.page([5]))
            #expect(try await ending(mirror.pull()) == "complete")
            #expect(try mirror.count("Task") == 3)
        }
    }

    @Test(arguments: [
        ScriptedService.Response(body: "{}", status: 404),
        .init(body: #"{"error": "no"}"#, status: 400), .init(body: "{}"),
        .init(body: #"{"results": 1}"#), .init(body: "<p>", fields: [.contentType: "text/html"]),
    ])
    func `another answer than a list neither fails the list nor proves it`(
        answer: ScriptedService.Response
    ) async throws {
        let mirror = try await Self.filled()
        mirror.service.respond(
            to: "/tasks",
            Self.page([1, 2], #""next_results_url": "/tasks?from=2""#)
        )
        mirror.service.respond(to: "/tasks?from=2", answer)
        for _ in 1...2 {
            let report = try await mirror.pull()
            #expect(
                ending(report)
                    == #"unproven, the response contains next_results_url: "/tasks?from=2""#
            )
            #expect(report.failures.isEmpty)
            #expect(try mirror.count("Task") == 3)
        }
    }

    @Test func `an empty page that leads on does not end the list`() async throws {
        let link = #""self": "/tasks?scan_cursor=""#
        let mirror = try await Self.filled()
        mirror.service.respond(to: "/tasks", Self.page([1, 2], #""scan_cursor": "a", \#(link)"#))
        mirror.service.respond(to: "/tasks?scan_cursor=a", Self.page([], #""scan_cursor": "b""#))
        mirror.service.respond(to: "/tasks?scan_cursor=b", Self.page([3, 4]))
        #expect(try await ending(mirror.pull()) == "complete")
        #expect(try mirror.count("Task") == 4)
    }

    @Test func `a guessed parameter that the service ignores proves nothing`() async throws {
        let mirror = try await Self.filled()
        mirror.service.respond(to: "/tasks", Self.page([1, 2], #""cursor": "b""#))
        mirror.service.respond(to: "/tasks?cursor=b", Self.page([1, 2], #""cursor": "b""#))
        #expect(try await ending(mirror.pull()) == #"unproven, the response contains cursor: "b""#)
        #expect(try mirror.count("Task") == 3)
    }

    // MARK: Changes

    @Test func `changes with suspected evidence lead to the whole list`() async throws {
        var style = ChangeQuery.Since(field: ["at"], parameter: "since")
        style.overlap = .zero
        func page(_ days: [Int], _ members: String = "") -> ScriptedService.Response {
            let objects = days.map { #"{"id": \#($0), "at": "2026-01-0\#($0)T00:00:00Z"}"# }
            return .init(
                body: #"{"results": [\#(objects.joined(separator: ", "))]\#(members)}"#
            )
        }
        let mirror = try Self.mirror([("/tasks", page([1, 2]))]) {
            $0.delta = .since(style)
            $0.deletes = .none
        }
        try await mirror.pull()
        _ = mirror.service.takeRequests()
        let changes = "/tasks?since=2026-01-01T23%3A59%3A59Z"
        mirror.service.respond(to: changes, page([2, 3], #", "scan_continuation": "b""#))
        mirror.service.respond(to: "/tasks", page([1, 2, 3, 4]))
        let report = try await mirror.pull()
        #expect(report.isComplete)
        #expect(try mirror.count("Task") == 4)
        #expect(report.resources["tasks"]?.warnings.map(\.code) == [.changesIncomplete])
    }

    // MARK: Full pages

    private static func asking(
        _ count: Int,
        second: ScriptedService.Response?
    ) throws -> ScriptedMirror {
        let mirror = try mirror([("/tasks", page(1...count))]) { $0.asksForSecondPage = true }
        if let second { mirror.service.respond(to: "/tasks?page=2", second) }
        return mirror
    }

    @Test func `the second page of a full one is requested, and remembered`() async throws {
        let mirror = try Self.asking(10, second: Self.page(11...20))
        mirror.service.respond(to: "/tasks?page=3", Self.page([21]))
        mirror.service.respond(to: "/tasks?page=4", Self.page([]))
        for _ in 1...2 {
            #expect(try await mirror.pull().isComplete)
            #expect(try mirror.count("Task") == 21)
        }
        #expect(try SyncStatus.of(mirror.store).resources.first?.unprovenEnd == nil)
    }

    @Test(arguments: [
        ScriptedService.Response(body: "{}", status: 404), .init(body: "{}", status: 400),
        page([]), page(1...10),
    ])
    func `without a second page, a list of that length is assumed to be complete`(
        answer: ScriptedService.Response
    ) async throws {
        let mirror = try Self.asking(10, second: answer)
        for expected in [[SyncWarning.Code.endAssumed], []] {
            let report = try await mirror.pull()
            #expect(report.isComplete)
            #expect(report.resources["tasks"]?.unprovenEnd == .assumed(objects: 10))
            #expect(report.resources["tasks"]?.warnings.map(\.code) == expected)
            #expect(try mirror.count("Task") == 10)
        }
        let asked = mirror.service.takeRequests().filter { $0.contains("page=2") }
        #expect(asked.count == 1)
        // A list that has become as long as another page is asked again.
        mirror.service.respond(to: "/tasks", Self.page(1...20))
        mirror.service.respond(to: "/tasks?page=2", Self.page(21...23))
        mirror.service.respond(to: "/tasks?page=3", Self.page([]))
        #expect(try await mirror.pull().isComplete)
        #expect(try mirror.count("Task") == 23)
    }

    @Test func `pages that were found are requested although the first one has become shorter`()
        async throws
    {
        let mirror = try Self.asking(10, second: Self.page(11...20))
        mirror.service.respond(to: "/tasks?page=3", Self.page([]))
        try await mirror.pull()
        mirror.service.respond(to: "/tasks", Self.page(1...9))
        #expect(try await ending(mirror.pull()) == "complete")
        #expect(try mirror.count("Task") == 19)
    }

    @Test func `a service that no longer has pages fails one pull`() async throws {
        let mirror = try Self.asking(10, second: Self.page(11...20))
        mirror.service.respond(to: "/tasks?page=3", Self.page([]))
        try await mirror.pull()
        for path in ["/tasks", "/tasks?page=2"] {
            mirror.service.respond(to: path, Self.page(1...21))
        }
        #expect((try await mirror.pull().failures.first as? RemoteError)?.code == .paginationLoop)
        #expect(try mirror.count("Task") == 21)
        #expect(try await ending(mirror.pull()) == "complete")
        #expect(try mirror.count("Task") == 21)
    }

    // MARK: Lists under parents

    @Test func `lists of children delete nothing if one of them may have more`() async throws {
        let model = Model {
            EntityDescription("Post") { Attribute("id", .integer64) }
            EntityDescription("Task") {
                Attribute("id", .integer64)
                Relationship("post", to: "Post")
            }
        }
        let mirror = try ScriptedMirror(model, [("Post", "posts"), ("Task", "posts/{post}/tasks")])
        mirror.service.respond(to: "/posts", Self.page([1, 2]))
        mirror.service.respond(to: "/posts/1/tasks", Self.page([5, 6]))
        mirror.service.respond(to: "/posts/2/tasks", Self.page([7]))
        try await mirror.pull()
        // Task 5 has moved to the part of the second list that is not read.
        mirror.service.respond(to: "/posts/1/tasks", Self.page([6]))
        mirror.service.respond(to: "/posts/2/tasks", Self.page([7], #""page_token": "b""#))
        let report = try await mirror.pull()
        #expect(report.resources["posts/{post}/tasks"]?.ending == .unproven)
        #expect(try mirror.count("Task") == 3)
        mirror.service.respond(to: "/posts/2/tasks", Self.page([7]))
        #expect(try await mirror.pull().isComplete)
        #expect(try mirror.count("Task") == 2)
    }

    @Test(arguments: [1, 9, 11, 19, 24])
    func `the second page of one of another length is not requested`(count: Int) async throws {
        let mirror = try Self.asking(count, second: nil)
        #expect(try await ending(mirror.pull()) == "complete")
        #expect(mirror.service.takeRequests().count <= 2)
    }
}
