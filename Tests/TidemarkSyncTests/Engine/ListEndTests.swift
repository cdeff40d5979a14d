import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// The completeness of lists: nothing in a response may indicate further objects.
struct ListEndTests {
    private static let model = Model {
        EntityDescription("Task") { Attribute("id", .integer64) }
    }

    private static func mirror() throws -> ScriptedMirror {
        try ScriptedMirror(model, [("Task", "tasks")])
    }

    private static func tasks(_ numbers: ClosedRange<Int>) -> String {
        "[\(numbers.map { #"{"id": \#($0)}"# }.joined(separator: ", "))]"
    }

    /// Returns a mirror with six tasks.
    private static func filled() async throws -> ScriptedMirror {
        let mirror = try mirror()
        mirror.service["/tasks"] = #"{"results": \#(tasks(1...6))}"#
        try await mirror.pull()
        return mirror
    }

    @Test func `a Link field is followed even if the objects are in an envelope`() async throws {
        let mirror = try await Self.filled()
        mirror.service.respond(
            to: "/tasks",
            .init(
                body: #"{"results": \#(Self.tasks(1...3))}"#,
                fields: [HTTPField.Name("Link")!: #"</tasks?page=2>; rel="next""#]
            )
        )
        mirror.service["/tasks?page=2"] = #"{"results": \#(Self.tasks(4...7))}"#
        let report = try await mirror.pull()
        #expect(report.isComplete)
        #expect(
            report.resources["tasks"]?.warnings.map(\.code) == [.pagesRecognized]
        )
        #expect(try mirror.count("Task") == 7)
        #expect(try await mirror.pull().resources["tasks"]?.warnings == [])
    }

    @Test(arguments: [
        #"{"results": [{"id": 1}], "count": 6}"#, #"{"results": [{"id": 1}], "has_more": true}"#,
        #"{"results": [{"id": 1}], "next": "", "count": 6}"#,
        #"{"results": [{"id": 1}], "next": "", "has_more": true}"#,
        #"{"results": [{"id": 1}], "next": 2}"#, #"{"results": [{"id": 1}], "next": ["x"]}"#,
        #"{"results": [{"id": 1}], "results": []}"#,
        #"{"results": [{"id": 1}], "next": "/tasks?page=2", "next": null}"#,
    ])
    func `a response that indicates further objects fails the list`(_ body: String) async throws {
        let mirror = try await Self.filled()
        mirror.service["/tasks"] = body
        let report = try await mirror.pull()
        #expect(report.resources["tasks"]?.ending == .failed)
        #expect(try mirror.count("Task") == 6)
    }

    @Test func `a 206 response is not a whole list`() async throws {
        let mirror = try await Self.filled()
        mirror.service.respond(
            to: "/tasks",
            .init(body: #"{"results": \#(Self.tasks(1...2))}"#, status: 206)
        )
        let failure = try await mirror.pull().failures.first as? RemoteError
        #expect(failure?.status == 206)
        #expect(try mirror.count("Task") == 6)
    }

    @Test func `a configured pagination that ends early fails the list`() async throws {
        var mirror = try await Self.filled()
        mirror.resources[0].style.pagination = .none
        mirror.service["/tasks"] = #"{"results": \#(Self.tasks(1...2)), "next": "/tasks?page=2"}"#
        #expect((try await mirror.pull().failures.first as? RemoteError)?.code == .incompleteList)
        #expect(try mirror.count("Task") == 6)
        mirror.resources[0].style.deletes = .none
        #expect(try await mirror.pull().isComplete)
        #expect(try mirror.count("Task") == 6)
    }

    /// Some services indicate the last page by an empty string.
    @Test func `an empty next link ends the list if nothing contradicts it`() async throws {
        let mirror = try await Self.filled()
        mirror.service["/tasks"] = #"{"results": \#(Self.tasks(1...5)), "next": "", "count": 5}"#
        #expect(try await mirror.pull().isComplete)
        #expect(try mirror.count("Task") == 5)
    }

    @Test func `the error for a list with fewer objects than its total contains both numbers`()
        async throws
    {
        var mirror = try await Self.filled()
        mirror.resources[0].style.pagination = .nextInBody(["paging", "next"])
        mirror.resources[0].style.total = .body(["paging", "all"])
        mirror.service["/tasks"] = #"{"results": \#(Self.tasks(1...2)), "paging": {"all": 6}}"#
        let failure = try #require(try await mirror.pull().failures.first as? RemoteError)
        #expect(failure.code == .incompleteList)
        #expect(failure.message == "tasks returned 2 of 6 objects, and no next page was found.")
        #expect(failure.hint?.hasPrefix("Set `pagination` to the way in which") == true)
        #expect(try mirror.count("Task") == 6)
    }

    @Test func `an unmodified page with an offset and a total costs one request`() async throws {
        var mirror = try Self.mirror()
        mirror.resources[0].style.pagination = .offset(parameter: "offset")
        mirror.service["/tasks"] = #"{"results": \#(Self.tasks(1...5)), "count": 5}"#
        try await mirror.pull()
        #expect(mirror.service.takeRequests() == ["GET /tasks 200"])
        try await mirror.pull()
        #expect(mirror.service.takeRequests() == ["GET /tasks 304"])
    }

    @Test func `a list with only Last-Modified is requested with If-Modified-Since`() async throws {
        let mirror = try Self.mirror()
        mirror.service.respond(
            to: "/tasks",
            .init(
                body: Self.tasks(1...7),
                fields: [
                    .lastModified: "Sun, 22 Nov 2026 03:21:06 GMT",
                    .date: "Sun, 22 Nov 2026 03:21:09 GMT",
                ]
            )
        )
        try await mirror.pull()
        #expect(mirror.service.takeRequests() == ["GET /tasks 200"])
        #expect(try await mirror.pull().resources["tasks"]?.ending == .unchanged)
        #expect(mirror.service.takeRequests() == ["GET /tasks 304"])
    }

    @Test func `an unmodified list without pages costs one request and no body`() async throws {
        let mirror = try Self.mirror()
        mirror.service["/tasks"] = Self.tasks(1...7)
        try await mirror.pull()
        _ = mirror.service.takeRequests()
        try await mirror.pull()
        #expect(mirror.service.takeRequests() == ["GET /tasks 304"])
    }

    @Test(arguments: [10, 12, 16, 24])
    func `a HEAD request finds the page after an unmodified page that may be full`(
        _ count: Int
    ) async throws {
        let mirror = try Self.mirror()
        mirror.service["/tasks"] = Self.tasks(1...count)
        try await mirror.pull()
        _ = mirror.service.takeRequests()
        try await mirror.pull()
        #expect(mirror.service.takeRequests() == ["GET /tasks 304", "HEAD /tasks 200"])
        // The page is unmodified, but no longer the last.
        mirror.service.respond(
            to: "/tasks",
            .init(
                body: Self.tasks(1...count),
                fields: [HTTPField.Name("Link")!: #"</tasks?page=2>; rel="next""#]
            )
        )
        mirror.service["/tasks?page=2"] = Self.tasks(count + 1...count + 1)
        try await mirror.pull()
        #expect(try mirror.count("Task") == count + 1)
    }

    // MARK: Lists of several pages

    /// Returns a mirror with nine tasks on three pages, which are numbered and counted.
    private static func paged() async throws -> ScriptedMirror {
        let mirror = try mirror()
        for page in 1...3 {
            let path = page == 1 ? "/tasks" : "/tasks?page=\(page)"
            mirror.service[path] = pageBody(page, tasks(page * 3 - 2...page * 3))
        }
        mirror.service["/tasks?page=4"] = pageBody(4, "[]")
        try await mirror.pull()
        #expect(try mirror.count("Task") == 9)
        return mirror
    }

    private static func pageBody(_ page: Int, _ tasks: String, more: String = "") -> String {
        #"{"results": \#(tasks), "page": \#(page), "total_pages": 3\#(more)}"#
    }

    @Test(arguments: [nil, "[]"])
    func `a page that is counted, but missing or empty, fails the list`(
        _ tasks: String?
    ) async throws {
        let mirror = try await Self.paged()
        mirror.service["/tasks?page=2"] = tasks.map { Self.pageBody(2, $0) }
        let report = try await mirror.pull()
        #expect(try mirror.count("Task") == 9)
        #expect(report.resources["tasks"]?.ending == .failed)
    }

    @Test func `repeated pages are a pagination loop`() async throws {
        let mirror = try await Self.paged()
        for page in 2...4 {
            mirror.service["/tasks?page=\(page)"] = Self.pageBody(page, Self.tasks(1...3))
        }
        let failure = try await mirror.pull().failures.first as? RemoteError
        #expect(failure?.code == .paginationLoop)
        #expect(try mirror.count("Task") == 9)
    }

    /// An inserted object moves the others by one, so that two pages may begin with the same
    /// object.
    @Test(arguments: [48, 1 << 20])
    func `pages that share only their first object are different pages`(
        _ bodyInMemory: Int
    ) async throws {
        let mirror = try await Self.paged()
        mirror.service["/tasks?page=2"] = Self.pageBody(
            2,
            #"[{"id": 1}, {"id": 5}, {"id": 6}]"#
        )
        let report = try await mirror.engine { $0.http.bodyInMemory = bodyInMemory }.report()
        #expect(report.resources["tasks"]?.ending == .inconsistent)
        #expect(report.failures.isEmpty)
        #expect(try mirror.count("Task") == 9)
    }

    @Test func `a total that is not in the configured member is found`() async throws {
        let mirror = try await Self.filled()
        mirror.service["/tasks"] = #"{"results": \#(Self.tasks(1...2)), "total_count": 6}"#
        #expect((try await mirror.pull().failures.first as? RemoteError)?.code == .incompleteList)
        #expect(try mirror.count("Task") == 6)
    }

    @Test func `a total that counts other objects can be ignored`() async throws {
        var mirror = try await Self.filled()
        mirror.service["/tasks"] = #"{"results": \#(Self.tasks(1...5)), "total": 6}"#
        mirror.resources[0].style.total = .none
        #expect(try await mirror.pull().isComplete)
        #expect(try mirror.count("Task") == 5)
    }

    @Test func `a list without page drift that has fewer objects than its total fails`()
        async throws
    {
        var mirror = try Self.mirror()
        mirror.resources[0].style.stability = .stable
        mirror.service["/tasks"] =
            #"{"results": \#(Self.tasks(1...3)), "next": "/tasks?page=2", "count": 6}"#
        mirror.service["/tasks?page=2"] = #"{"results": \#(Self.tasks(4...6)), "count": 6}"#
        try await mirror.pull()
        mirror.service["/tasks?page=2"] = #"{"results": \#(Self.tasks(4...4)), "count": 6}"#
        #expect((try await mirror.pull().failures.first as? RemoteError)?.code == .incompleteList)
        #expect(try mirror.count("Task") == 6)
    }
}
