import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTesting

/// Lists of which no object can be stored.
struct RejectedListTests {
    private static let model = Model {
        EntityDescription("Task") {
            Attribute("id", .integer64)
            Attribute("name", .string, isOptional: false)
        }
    }

    private static func mirror(
        _ lists: [String: String],
        _ style: (inout ResourceStyle) -> Void = { _ in }
    ) throws -> ScriptedMirror {
        var mirror = try ScriptedMirror(model, [("Task", "tasks")])
        style(&mirror.resources[0].style)
        for (path, list) in lists { mirror.service[path] = list }
        return mirror
    }

    /// A list of one task with a number as its key.
    private static let valid = #"{"results": [{"id": 7, "name": "a"}]}"#

    private static func list(_ objects: String..., next: String? = nil) -> String {
        let link = next.map { #", "next": "\#($0)""# } ?? ""
        return #"{"results": [\#(objects.joined(separator: ", "))]\#(link)}"#
    }

    private func rows(_ mirror: ScriptedMirror) throws -> [String] {
        try mirror.store.read { reader in
            try reader.fetch(RecordRequest("Task")).map { record in
                ["id", "name"].map { record[$0].requestText }.joined(separator: " ")
            }
        }
    }

    private func expectFailure(
        _ report: SyncReport,
        _ reason: String,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let error = try #require(report.failures.first as? ImportError, sourceLocation: location)
        #expect(error.code == .nothingStored, sourceLocation: location)
        #expect(error.message == reason, sourceLocation: location)
        #expect(report.resources["tasks"]?.ending == .failed, sourceLocation: location)
    }

    @Test(arguments: [
        (
            #"{"id": "things/1x", "name": "a"}"#,
            "Task:things/1x, id: The value is not a number. (2 times)"
        ),
        (#"{"name": "a"}"#, "Task, id: The object has no usable primary key. (2 times)"),
        (#"{"id": 1}"#, "Task:1, name: A row must have a value. (2 times)"),
        (#""text""#, "Task: An object was expected here. (2 times)"),
    ])
    func `a list whose objects are all rejected fails with the reason, and deletes nothing`(
        object: String,
        reason: String
    ) async throws {
        let mirror = try Self.mirror(["/tasks": Self.valid])
        try await mirror.pull()
        mirror.service["/tasks"] = Self.list(object, object)
        for _ in 1...2 {
            try expectFailure(
                try await mirror.pull(),
                "tasks: none of its 2 objects could be stored. \(reason)"
            )
            #expect(try rows(mirror) == ["7 a"])
        }
        mirror.service["/tasks"] = Self.list(#"{"id": 1, "name": "b"}"#)
        #expect(try await mirror.pull().isComplete)
        #expect(try rows(mirror) == ["1 b"])
    }

    @Test func `rows whose objects have become invalid stay, and the pull fails`() async throws {
        let mirror = try Self.mirror(["/tasks": Self.valid])
        try await mirror.pull()
        mirror.service["/tasks"] = Self.list(#"{"id": 7, "name": null}"#)
        #expect(try await mirror.pull().failures.count == 1)
        #expect(try rows(mirror) == ["7 a"])
    }

    @Test func `a list of several pages is read again from its first page`() async throws {
        let mirror = try Self.mirror([
            "/tasks": Self.list(#"{"id": "a"}"#, next: "/tasks?page=2"),
            "/tasks?page=2": Self.list(#"{"id": "b"}"#),
        ])
        #expect(try await mirror.pull().failures.count == 1)
        mirror.service["/tasks"] = Self.list(#"{"id": 1, "name": "a"}"#, next: "/tasks?page=2")
        mirror.service["/tasks?page=2"] = Self.list(#"{"id": 2, "name": "b"}"#)
        _ = mirror.service.takeRequests()
        #expect(try await mirror.pull().isComplete)
        #expect(mirror.service.takeRequests().first == "GET /tasks 200")
        #expect(try mirror.count("Task") == 2)
    }

    @Test func `an interrupted pull of such a list is resumed and fails`() async throws {
        let mirror = try Self.mirror([
            "/tasks": Self.list(#"{"id": "a"}"#, next: "/tasks?page=2")
        ])
        mirror.service.respond(to: "/tasks?page=2", .init(body: "{}", status: 500))
        #expect(try await mirror.pull().failures.first is RemoteError)
        mirror.service["/tasks?page=2"] = Self.list(#"{"id": "b"}"#)
        #expect(try await mirror.pull().failures.first is ImportError)
    }

    @Test func `one stored object on any page is enough`() async throws {
        let mirror = try Self.mirror([
            "/tasks": Self.list(#"{"id": "a"}"#, next: "/tasks?page=2"),
            "/tasks?page=2": Self.list(#"{"id": 2, "name": "b"}"#),
        ])
        for _ in 1...2 {
            #expect(try await mirror.pull().failures.isEmpty)
            #expect(try mirror.count("Task") == 1)
        }
    }

    @Test(arguments: [
        [#"{"id": 1, "gone": true}"#, #"{"id": 2, "gone": true}"#], [],
        [#"{"id": 1, "gone": true}"#, #"{"id": "x"}"#],
    ])
    func `objects that are marked as deleted are not rejected`(objects: [String]) async throws {
        let mirror = try Self.mirror([
            "/tasks": #"{"results": [\#(objects.joined(separator: ", "))]}"#
        ]) { $0.deletes = .marked(["gone"]) }
        for _ in 1...2 { #expect(try await mirror.pull().failures.isEmpty) }
    }

    @Test func `objects that a hook skips are not rejected`() async throws {
        let mirror = try Self.mirror(["/tasks": Self.valid])
        let importer = Importer(mirror.store, hooks: ImportHooks(willImport: { _, _, _ in .skip }))
        let report = try await mirror.engine(by: importer).pull()
        #expect(report.failures.isEmpty)
        #expect(try mirror.count("Task") == 0)
    }

    @Test func `the cursor stays if no changed object could be stored`() async throws {
        let since = ChangeQuery.Since(field: ["at"], parameter: "since")
        let first = #"{"id": 1, "name": "a", "at": "2026-01-01T00:00:00Z"}"#
        let mirror = try Self.mirror(["/tasks": Self.list(first)]) {
            $0.delta = .since(since)
            $0.deletes = .none
        }
        try await mirror.pull()
        let path = "/tasks?since=2025-12-31T23%3A59%3A59Z"
        mirror.service[path] = Self.list(#"{"id": "x", "at": "2026-02-01T00:00:00Z"}"#)
        _ = mirror.service.takeRequests()
        for _ in 1...2 {
            #expect(try await mirror.pull().failures.first is ImportError)
            #expect(mirror.service.takeRequests() == ["GET \(path) 200"])
        }
        mirror.service[path] = Self.list(
            #"{"id": 2, "name": "b", "at": "2026-02-01T00:00:00Z"}"#
        )
        #expect(try await mirror.pull().failures.isEmpty)
        #expect(try mirror.count("Task") == 2)
    }

    @Test func `lists of children fail together, not one by one`() async throws {
        let model = Model {
            EntityDescription("Post") {
                Attribute("id", .integer64)
                Relationship("comments", to: "Comment", isToMany: true, inverse: "post")
            }
            EntityDescription("Comment") {
                Attribute("id", .integer64)
                Relationship("post", to: "Post", inverse: "comments")
            }
        }
        let mirror = try ScriptedMirror(
            model,
            [("Post", "posts"), ("Comment", "posts/{post}/comments")]
        )
        mirror.service["/posts"] = Self.list(#"{"id": 1}"#, #"{"id": 2}"#)
        mirror.service["/posts/1/comments"] = Self.list(#"{"id": "x"}"#)
        mirror.service["/posts/2/comments"] = Self.list(#"{"id": 5}"#)
        for _ in 1...2 { #expect(try await mirror.pull().failures.isEmpty) }
        #expect(try mirror.count("Comment") == 1)
        mirror.service["/posts/2/comments"] = Self.list(#"{"id": "y"}"#)
        let failure = try await mirror.pull().failures.first as? ImportError
        #expect(failure?.code == .nothingStored)
        #expect(try mirror.count("Comment") == 1)
    }

    @Test func `a verification does not call such a list equal`() async throws {
        let mirror = try Self.mirror(["/tasks": Self.list(#"{"id": "x"}"#)])
        let verification = try await mirror.engine().verify()
        #expect(!verification.matches)
        #expect(verification.report.failures.first is ImportError)
    }
}
