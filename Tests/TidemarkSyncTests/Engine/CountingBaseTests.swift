import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// The numbers by which services name the first page of a list, or its first object.
struct CountingBaseTests {
    private static let model = Model {
        EntityDescription("Post") { Attribute("id", .integer64) }
        EntityDescription("Task") {
            Attribute("id", .integer64)
            Relationship("post", to: "Post")
        }
    }

    private static func body(_ numbers: some Sequence<Int>, _ members: String = "") -> String {
        let objects = numbers.map { #"{"id": \#($0)}"# }.joined(separator: ", ")
        return #"{"results": [\#(objects)]\#(members.isEmpty ? "" : ", \(members)")}"#
    }

    private static func mirror(
        _ bodies: [String: String],
        _ style: (inout ResourceStyle) -> Void = { _ in }
    ) throws -> ScriptedMirror {
        var mirror = try ScriptedMirror(model, [("Task", "tasks")])
        style(&mirror.resources[0].style)
        for (path, body) in bodies { mirror.service[path] = body }
        return mirror
    }

    private func expectRequests(
        _ mirror: ScriptedMirror,
        _ requests: [String],
        count: Int,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let report = try await mirror.pull()
        #expect(report.isComplete, "\(report)", sourceLocation: location)
        #expect(try mirror.count("Task") == count, sourceLocation: location)
        let sent = mirror.service.takeRequests().map { $0.split(separator: " ")[1].dropFirst(6) }
        #expect(sent.prefix(requests.count).map(String.init) == requests, sourceLocation: location)
    }

    // MARK: Pages

    @Test func `pages that are counted from 0 are found by page 1, once`() async throws {
        let mirror = try Self.mirror([
            "/tasks": Self.body(1...2), "/tasks?page=1": Self.body(3...4),
            "/tasks?page=2": Self.body([5]), "/tasks?page=3": Self.body([]),
        ]) { $0.pagination = .number(parameter: "page") }
        for _ in 1...2 {
            let pages = ["", "?page=1", "?page=2", "?page=3"]
            try await expectRequests(mirror, pages, count: 5)
        }
    }

    @Test func `pages that are counted from 1 cost one request more, once`() async throws {
        let mirror = try Self.mirror([
            "/tasks": Self.body(1...2), "/tasks?page=1": Self.body(1...2),
            "/tasks?page=2": Self.body([3]), "/tasks?page=3": Self.body([]),
        ]) { $0.pagination = .number(parameter: "page") }
        try await expectRequests(mirror, ["", "?page=1", "?page=2", "?page=3"], count: 3)
        try await expectRequests(mirror, ["", "?page=2", "?page=3"], count: 3)
    }

    @Test func `a service that knows no page 1 counts from 1`() async throws {
        let mirror = try Self.mirror([
            "/tasks": Self.body(1...2), "/tasks?page=2": Self.body([3]),
            "/tasks?page=3": Self.body([]),
        ]) { $0.pagination = .number(parameter: "page") }
        try await expectRequests(mirror, ["", "?page=1", "?page=2", "?page=3"], count: 3)
    }

    @Test func `one inserted object does not decide the base`() async throws {
        let mirror = try Self.mirror([
            "/tasks": Self.body(1...2), "/tasks?page=1": Self.body([9, 1]),
            "/tasks?page=2": Self.body([2, 3]), "/tasks?page=3": Self.body([]),
        ]) { $0.pagination = .number(parameter: "page") }
        try await mirror.pull()
        mirror.service["/tasks"] = Self.body([9, 1])
        _ = mirror.service.takeRequests()
        let pages = ["", "?page=1", "?page=2", "?page=3"]
        try await expectRequests(mirror, pages, count: 4)
    }

    @Test(arguments: [
        #""number": 0"#, #""page": {"number": 0}"#, #""p": 0"#, #""meta": {"page": 0}"#,
    ])
    func `the number in the first response is the base`(members: String) async throws {
        let mirror = try Self.mirror([
            "/tasks": Self.body(1...2, members), "/tasks?p=1": Self.body([3]),
            "/tasks?p=2": Self.body([]),
        ]) { $0.pagination = .number(parameter: "p") }
        try await expectRequests(mirror, ["", "?p=1", "?p=2"], count: 3)
    }

    @Test(arguments: [
        #""totalPages": 2, "number": 0, "first": true, "last": false"#,
        #""nbPages": 2, "page": 0"#, #""page": {"number": 0, "totalPages": 2}"#,
    ])
    func `pages that are counted from 0 are recognized`(members: String) async throws {
        let mirror = try Self.mirror([
            "/tasks": Self.body(1...2, members),
            "/tasks?page=1": Self.body([3], #""last": true"#),
        ])
        for _ in 1...2 {
            let report = try await mirror.pull()
            #expect(report.isComplete, "\(report.failures)")
            #expect(try mirror.count("Task") == 3)
        }
    }

    @Test(arguments: [
        (0, ["?page=1", "?page=2"]), (1, ["?page=2", "?page=3"]),
    ])
    func `a configured base is not looked for`(base: Int, pages: [String]) async throws {
        let mirror = try Self.mirror([
            "/tasks": Self.body(1...2), "/tasks\(pages[0])": Self.body([3]),
            "/tasks\(pages[1])": Self.body([]),
        ]) {
            $0.pagination = .number(parameter: "page")
            $0.base = base
        }
        try await expectRequests(mirror, [""] + pages, count: 3)
    }

    @Test func `a path that names a page is followed by the next one`() async throws {
        var mirror = try Self.mirror([
            "/tasks?page=0": Self.body(1...2, #""number": 0"#),
            "/tasks?page=1": Self.body([3], #""number": 1"#),
            "/tasks?page=2": Self.body([]),
        ])
        mirror.resources = [
            Service.rest(url: ScriptedService.url).resource("Task", path: "tasks?page=0")
        ]
        mirror.resources[0].style.pagination = .number(parameter: "page")
        try await expectRequests(mirror, ["?page=0", "?page=1", "?page=2"], count: 3)
    }

    @Test func `a response that says that it is not the first page is an error`() async throws {
        let mirror = try Self.mirror([
            "/tasks": Self.body(3...4, #""number": 1, "first": false, "totalPages": 2"#)
        ])
        let failure = try await mirror.pull().failures.first as? RemoteError
        #expect(failure?.code == .incompleteList)
        #expect(failure?.message.contains("not the first page") == true)
        #expect(try mirror.count("Task") == 0)
    }

    // MARK: Offsets

    @Test func `objects that are counted from 1 are requested so`() async throws {
        func page(_ numbers: ClosedRange<Int>) -> String {
            Self.body(
                numbers,
                #""startIndex": \#(numbers.lowerBound), "itemsPerPage": 2, "totalResults": 5"#
            )
        }
        for pagination in [Pagination.automatic, .offset(parameter: "startIndex")] {
            let mirror = try Self.mirror([
                "/tasks": page(1...2), "/tasks?startIndex=3": page(3...4),
                "/tasks?startIndex=5": page(5...5),
            ]) {
                $0.pagination = pagination
                $0.total = .body(["totalResults"])
            }
            try await expectRequests(mirror, ["", "?startIndex=3", "?startIndex=5"], count: 5)
            try await expectRequests(mirror, ["", "?startIndex=3", "?startIndex=5"], count: 5)
        }
    }

    // MARK: Lists under parents

    @Test func `the base of one list holds for the lists of all parents`() async throws {
        var mirror = try ScriptedMirror(
            Self.model,
            [("Post", "posts"), ("Task", "posts/{post}/tasks")]
        )
        mirror.service["/posts"] = Self.body(1...9)
        for post in 1...9 {
            let path = "/posts/\(post)/tasks"
            mirror.service[path] = Self.body([post * 10])
            mirror.service["\(path)?page=1"] = Self.body([post * 10 + 1])
            mirror.service["\(path)?page=2"] = Self.body([])
        }
        mirror.resources[1].style.pagination = .number(parameter: "page")
        mirror.resources[1].style.deletes = .none
        #expect(try await mirror.pull().isComplete)
        #expect(try mirror.count("Task") == 18)
    }
}
