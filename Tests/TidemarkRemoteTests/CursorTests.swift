import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkTesting

/// How far an answer of a service that stamps its changes proves that they were read.
struct CursorTests {
    private func facts(_ stamps: [String], answered: String?) async throws -> PageFacts {
        var fixture = RemoteFixture()
        fixture.service.style.pagination = .none
        fixture.service.style.envelope = .none
        fixture.service.style.delta = .since(
            Delta.Since(field: ["at"], condition: .parameter("since"))
        )
        var fields = HTTPFields()
        fields[.date] = answered
        let objects = stamps.enumerated().map { #"{"id": \#($0), "at": \#($1)}"# }
        let text = "[\(objects.joined(separator: ", "))]"
        return try await fixture.first("things", StubTransport(text, fields: fields)).facts
    }

    @Test(arguments: [
        "Sun, 22 Nov 2026 03:21:07 GMT", "Sun, 22 Nov 2026 03:21:06 GMT", nil, "yesterday", "",
        "Sun, 22 Nov 999999999 03:21:07 GMT",
    ])
    func `the latest change is how far changes were read`(_ answered: String?) async throws {
        let stamps = [#""2026-11-22T03:21:06Z""#, #""2026-11-22T03:21:07Z""#, "null"]
        let facts = try await facts(stamps, answered: answered)
        #expect(facts.cursor == "2026-11-22T03:21:07Z")
        #expect(facts.latest?.text == "2026-11-22T03:21:07Z")
    }

    /// A phone whose clock is wrong, or an import gone bad: one such stamp for a cursor, and no
    /// change is ever seen again.
    @Test func `a change of tomorrow is no cursor`() async throws {
        let stamps = [
            #""2026-11-22T03:21:06Z""#, #""2099-01-01T00:00:00Z""#, #""2026-11-22T03:21:09Z""#,
        ]
        let facts = try await facts(stamps, answered: "Sun, 22 Nov 2026 03:21:07 GMT")
        #expect(facts.cursor == "2026-11-22T03:21:06Z")
    }

    @Test func `numbers are taken as they are, for they need not tell a time`() async throws {
        let facts = try await facts(
            ["1", "9000000000000"],
            answered: "Sun, 22 Nov 2026 03:21:07 GMT"
        )
        #expect(facts.cursor == "9000000000000")
    }

    @Test func `where every change is of tomorrow there is no cursor`() async throws {
        let facts = try await facts(
            [#""2099-01-01T00:00:00Z""#],
            answered: "Sun, 22 Nov 2026 03:21:07 GMT"
        )
        #expect(facts.cursor == nil)
    }
}
