import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkSync

/// Lists whose response has the status 204 and no body.
struct NoContentTests {
    private static let model = Model {
        EntityDescription("Task") { Attribute("id", .integer64) }
    }

    private static func mirror(
        _ status: Int,
        body: String = "",
        _ style: (inout ResourceStyle) -> Void = { $0.readsNoContentAsEmpty = true }
    ) async throws -> ScriptedMirror {
        var mirror = try ScriptedMirror(model, [("Task", "tasks")])
        style(&mirror.resources[0].style)
        mirror.service["/tasks"] = #"{"results": [{"id": 1}, {"id": 2}]}"#
        try await mirror.pull()
        mirror.service.respond(to: "/tasks", .init(body: body, status: status))
        return mirror
    }

    @Test(arguments: [Envelope.none, .keyPath(["results"]), .keyPath(["0", "rows"])])
    func `with the option it is an empty list, whatever the envelope`(
        envelope: Envelope
    ) async throws {
        var mirror = try await Self.mirror(204)
        mirror.resources[0].style.envelope = envelope
        for _ in 1...2 {
            let report = try await mirror.pull()
            #expect(report.isComplete, "\(report.failures)")
            #expect(try mirror.count("Task") == 0)
        }
        let verification = try await mirror.engine().verify()
        #expect(verification.matches)
    }

    @Test func `without the option it is an error that names it`() async throws {
        let mirror = try await Self.mirror(204) { _ in }
        let failure = try #require(try await mirror.pull().failures.first as? RemoteError)
        #expect(failure.code == .notJSON)
        #expect(failure.hint == "If the service has no objects, write `empty: 204` for this list.")
        #expect(try mirror.count("Task") == 2)
    }

    @Test(arguments: [(200, ""), (200, "  "), (201, ""), (205, ""), (404, ""), (500, "")])
    func `an empty body with another status stays an error`(
        status: Int,
        body: String
    ) async throws {
        let mirror = try await Self.mirror(status, body: body)
        #expect(try await !mirror.pull().failures.isEmpty)
        #expect(try mirror.count("Task") == 2)
    }

    @Test func `a later page without a body ends the list`() async throws {
        let mirror = try await Self.mirror(204)
        mirror.service["/tasks"] = #"{"results": [{"id": 3}], "next": "/tasks?page=2"}"#
        mirror.service.respond(to: "/tasks?page=2", .init(body: "", status: 204))
        #expect(try await mirror.pull().isComplete)
        #expect(try mirror.count("Task") == 1)
    }

    @Test func `no changes may be a response without a body`() async throws {
        var mirror = try ScriptedMirror(Self.model, [("Task", "tasks")])
        mirror.resources[0].style.readsNoContentAsEmpty = true
        mirror.resources[0].style.delta = .since(.init(field: ["at"], parameter: "since"))
        mirror.resources[0].style.deletes = .none
        mirror.service["/tasks"] = #"{"results": [{"id": 1, "at": "2026-01-01T00:00:00Z"}]}"#
        try await mirror.pull()
        mirror.service.respond(
            to: "/tasks?since=2026-01-01T00:00:00Z",
            .init(body: "", status: 204)
        )
        #expect(try await mirror.pull().failures.isEmpty)
        #expect(try mirror.count("Task") == 1)
    }

    @Test func `a single object without a body is an error`() async throws {
        let mirror = try await Self.mirror(204) {
            $0.makeSingleObject()
            $0.envelope = .none
            $0.readsNoContentAsEmpty = true
        }
        #expect(try await !mirror.pull().failures.isEmpty)
    }
}
