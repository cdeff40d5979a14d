import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// The forms in which services end a list, and write an empty one.
struct ListFormTests {
    private static let model = Model {
        EntityDescription("Task") { Attribute("id", .integer64) }
    }

    /// Returns a mirror of a list with the responses to its requests, by path.
    private static func mirror(
        _ responses: [(path: String, response: ScriptedService.Response)],
        _ style: (inout ResourceStyle) -> Void = { _ in }
    ) throws -> ScriptedMirror {
        var mirror = try ScriptedMirror(model, [("Task", "tasks")])
        style(&mirror.resources[0].style)
        for (path, response) in responses { mirror.service.respond(to: path, response) }
        return mirror
    }

    private static let linkField = HTTPField.Name("Link") ?? .accept

    private static func page(
        _ numbers: [Int],
        _ members: String = "",
        link: String? = nil,
        status: Int = 200,
        fields: HTTPFields = [:]
    ) -> ScriptedService.Response {
        let objects = numbers.map { #"{"id": \#($0)}"# }.joined(separator: ", ")
        var fields = fields
        if let link { fields.append(HTTPField(name: linkField, value: link)) }
        return .init(
            body: #"{"results": [\#(objects)]\#(members.isEmpty ? "" : ", \(members)")}"#,
            status: status,
            fields: fields
        )
    }

    /// Pulls twice, and expects that both pulls read all tasks.
    private func expectWhole(
        _ mirror: ScriptedMirror,
        _ count: Int,
        requests: Int? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        for _ in 1...2 {
            let report = try await mirror.pull()
            #expect(report.isComplete, "\(report.failures)", sourceLocation: location)
            #expect(try mirror.count("Task") == count, sourceLocation: location)
        }
        // The whole list is read by the second pull as well.
        let sent = mirror.service.takeRequests().count
        #expect(sent == requests.map { $0 * 2 } ?? sent, sourceLocation: location)
    }

    // MARK: Ends

    @Test func `an empty page with its own cursor ends a list`() async throws {
        let mirror = try Self.mirror(
            [
                ("/tasks", Self.page([1, 2], #""cursor": "a""#)),
                ("/tasks?cursor=a", Self.page([3], #""cursor": "b""#)),
                ("/tasks?cursor=b", Self.page([], #""cursor": "b""#)),
            ]
        ) { $0.pagination = .token(["cursor"], parameter: "cursor") }
        try await expectWhole(mirror, 3, requests: 3)
    }

    @Test func `an empty page that links to itself ends a list`() async throws {
        let mirror = try Self.mirror([
            ("/tasks", Self.page([1, 2], #""_links": {"next": {"href": "/tasks?after=2"}}"#)),
            ("/tasks?after=2", Self.page([], #""_links": {"next": {"href": "/tasks?after=2"}}"#)),
        ])
        try await expectWhole(mirror, 2, requests: 2)
    }

    @Test func `an empty list whose Link field leads to itself is empty`() async throws {
        let mirror = try Self.mirror([("/tasks", Self.page([], link: #"</tasks>; rel="next""#))])
        try await expectWhole(mirror, 0)
    }

    @Test func `a page with objects that links to itself is an error`() async throws {
        let mirror = try Self.mirror([("/tasks", Self.page([1], link: #"</tasks>; rel="next""#))])
        let failure = try await mirror.pull().failures.first as? RemoteError
        #expect(failure?.code == .paginationLoop)
    }

    @Test(arguments: [
        #""has_more": false"#, #""meta": {"hasNextPage": false}"#, #""last": true"#,
        #""end_of_stream": true"#,
        #""additional_data": {"pagination": {"more_items_in_collection": false}}"#,
    ])
    func `a flag that says so ends a list, whatever cursors and links it comes with`(
        flag: String
    ) async throws {
        let next = #", "next": "/tasks?page=2", "next_cursor": "b", "cursor": "c""#
        let pages = [("/tasks", Self.page([1, 2], flag + next))]
        for pagination in [Pagination.automatic, .token(["cursor"], parameter: "cursor")] {
            let mirror = try Self.mirror(pages) { $0.pagination = pagination }
            try await expectWhole(mirror, 2, requests: 1)
        }
    }

    @Test(arguments: [#"results="false""#, "results=false", #"cursor="0:1:0"; results="false""#])
    func `a Link field to a page without results ends a list`(parameter: String) async throws {
        let link = #"</tasks?page=2>; rel="next"; \#(parameter)"#
        let mirror = try Self.mirror([("/tasks", Self.page([1, 2], link: link))])
        try await expectWhole(mirror, 2, requests: 1)
    }

    @Test func `a null link beside a total that is reached outranks a cursor`() async throws {
        let members = #""next": null, "count": 2, "next_cursor": "b""#
        let mirror = try Self.mirror([("/tasks", Self.page([1, 2], members))])
        try await expectWhole(mirror, 2, requests: 1)
    }

    @Test func `a flag does not outrank a total that is not reached`() async throws {
        let members = #""has_more": false, "count": 5"#
        let mirror = try Self.mirror([("/tasks", Self.page([1, 2], members))])
        let failure = try await mirror.pull().failures.first as? RemoteError
        #expect(failure?.code == .incompleteList)
        #expect(try mirror.count("Task") == 0)
    }

    @Test func `pages without objects are skipped up to a number`() async throws {
        let names = ["a", "b", "c", "d"]
        var pages = [("/tasks", Self.page([1], #""cursor": "a""#))]
        for (name, next) in zip(names, names.dropFirst() + [""]) {
            let objects = next.isEmpty ? [2] : []
            pages.append(("/tasks?cursor=\(name)", Self.page(objects, #""cursor": "\#(next)""#)))
        }
        func mirror(_ limit: Int) throws -> ScriptedMirror {
            try Self.mirror(pages) {
                $0.pagination = .token(["cursor"], parameter: "cursor")
                $0.emptyPages = limit
            }
        }
        try await expectWhole(mirror(4), 2, requests: 5)
        let short = try mirror(3)
        let failure = try await short.pull().failures.first as? RemoteError
        #expect(failure?.code == .paginationLoop)
        #expect(failure?.message.hasPrefix("The last 3 pages of tasks have no objects") == true)
        #expect(short.service.takeRequests().count == 4)
    }

    // MARK: Empty lists

    @Test(arguments: [
        #"{"success": true, "results": null}"#, #"{"results": null}"#,
        #"{"code": 0, "message": "OK", "results": null}"#, #"{"count": 0}"#,
        #"{"results": null, "error": null, "errors": []}"#,
    ])
    func `null, or nothing beside a total of 0, is an empty list`(body: String) async throws {
        let mirror = try Self.mirror([("/tasks", Self.page([1]))])
        try await mirror.pull()
        mirror.service["/tasks"] = body
        let report = try await mirror.pull()
        #expect(report.isComplete, "\(report.failures)")
        #expect(try mirror.count("Task") == 0)
    }

    @Test(arguments: [
        #"{"success": false, "results": null}"#, #"{"results": null, "error": "no"}"#,
        #"{"code": 401, "message": "no", "results": null}"#, #"{"message": "no", "results": null}"#,
        #"{"errcode": 40001, "results": null}"#, #"{"status": "error", "results": null}"#,
        #"{}"#, #"{"count": 3}"#, "null", #"{"results": 0}"#, #"{"results": ""}"#,
        #"{"results": null, "count": 3}"#, #"{"count": 0, "error": "no"}"#,
    ])
    func `nothing is deleted where the document may be about an error`(
        body: String
    ) async throws {
        let mirror = try Self.mirror([("/tasks", Self.page([1]))])
        try await mirror.pull()
        mirror.service["/tasks"] = body
        #expect(try await !mirror.pull().isComplete)
        #expect(try mirror.count("Task") == 1)
    }

    // MARK: Ranges and header fields

    @Test func `a response of 206 with a range is a page of a list that is paged by offset`()
        async throws
    {
        func page(_ numbers: [Int], _ range: String) -> ScriptedService.Response {
            Self.page(numbers, status: 206, fields: [.contentRange: range])
        }
        let mirror = try Self.mirror([
            ("/tasks", page([1, 2], "0-1/3")), ("/tasks?offset=2", page([3], "2-2/3")),
        ]) { $0.pagination = .offset(parameter: "offset") }
        try await expectWhole(mirror, 3, requests: 2)
        mirror.service.respond(to: "/tasks", Self.page([1], status: 206))
        #expect((try await mirror.pull().failures.first as? RemoteError)?.status == 206)
        #expect(try mirror.count("Task") == 3)
    }

    @Test func `a token in a header field is sent in a parameter`() async throws {
        let name = try #require(HTTPField.Name("X-MS-Continuation"))
        let mirror = try Self.mirror([
            ("/tasks", Self.page([1, 2], fields: [name: "a b"])),
            ("/tasks?continuation=a%20b", Self.page([3])),
        ]) { $0.pagination = .headerToken("x-ms-continuation", parameter: "continuation") }
        try await expectWhole(mirror, 3, requests: 2)
    }
}
