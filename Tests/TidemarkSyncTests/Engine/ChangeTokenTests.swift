import GRDB
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTesting

/// Changes that are requested by what the last page of a list contains: a token, or a URL.
struct ChangeTokenTests {
    private static let model = Model {
        EntityDescription("Event") {
            Attribute("id", .string)
            Attribute("title", .string)
        }
    }

    private static func page(_ objects: String, _ members: String) -> String {
        #"{"items": [\#(objects)], \#(members)}"#
    }

    private static func mirror(_ style: (inout ResourceStyle) -> Void) throws -> ScriptedMirror {
        var mirror = try ScriptedMirror(model, [("Event", "events")])
        mirror.resources[0].style.envelope = .keyPath(["items"])
        mirror.resources[0].style.stability = .stable
        style(&mirror.resources[0].style)
        return mirror
    }

    private static let a = #"{"id": "a", "title": "A"}"#
    private static let b = #"{"id": "b", "title": "B"}"#

    /// Returns a mirror of a calendar whose last page has a token.
    private static func calendar() throws -> ScriptedMirror {
        let mirror = try mirror {
            $0.pagination = .token(["nextPageToken"], parameter: "pageToken")
            $0.delta = .token(["nextSyncToken"], parameter: "syncToken")
            $0.deletes = .marked(["status"], value: "cancelled")
        }
        mirror.service["/events"] = page(a, #""nextPageToken": "2""#)
        mirror.service["/events?pageToken=2"] = page(b, #""nextSyncToken": "s1""#)
        return mirror
    }

    private func titles(_ mirror: ScriptedMirror) throws -> [String] {
        try mirror.store.writer.read { db in
            try String.fetchAll(db, sql: "SELECT id || ' ' || title FROM Event ORDER BY id")
        }
    }

    @Test func `a token leads to the changes since, and to the next token`() async throws {
        let mirror = try Self.calendar()
        #expect(try await mirror.pull().isComplete)
        #expect(try titles(mirror) == ["a A", "b B"])
        _ = mirror.service.takeRequests()
        mirror.service["/events?syncToken=s1"] = Self.page(
            #"{"id": "a", "status": "cancelled"}"#,
            #""nextPageToken": "3""#
        )
        mirror.service["/events?syncToken=s1&pageToken=3"] = Self.page(
            #"{"id": "b", "title": "B2", "status": "confirmed"}"#,
            #""nextSyncToken": "s2""#
        )
        #expect(try await mirror.pull().isComplete)
        #expect(try titles(mirror) == ["b B2"])
        mirror.service["/events?syncToken=s2"] = Self.page("", #""nextSyncToken": "s3""#)
        #expect(try await mirror.pull().isComplete)
        #expect(try titles(mirror) == ["b B2"])
        #expect(
            mirror.service.takeRequests() == [
                "GET /events?syncToken=s1 200", "GET /events?syncToken=s1&pageToken=3 200",
                "GET /events?syncToken=s2 200",
            ]
        )
    }

    @Test func `an expired token leads to the whole list`() async throws {
        let mirror = try Self.calendar()
        try await mirror.pull()
        mirror.service.respond(to: "/events?syncToken=s1", .init(body: "{}", status: 410))
        mirror.service["/events"] = Self.page(Self.b, #""nextSyncToken": "s9""#)
        let report = try await mirror.pull()
        #expect(report.isComplete, "\(report.failures)")
        #expect(try titles(mirror) == ["b B"])
        mirror.service["/events?syncToken=s9"] = Self.page(Self.a, #""nextSyncToken": "s10""#)
        #expect(try await mirror.pull().isComplete)
        #expect(try titles(mirror) == ["a A", "b B"])
    }

    @Test func `a list without a token is read each time, with a warning`() async throws {
        let mirror = try Self.calendar()
        mirror.service["/events"] = Self.page(Self.a, #""x": 1"#)
        for _ in 1...2 {
            let report = try await mirror.pull()
            #expect(report.resources["events"]?.warnings.map(\.code) == [.noCursor])
        }
    }

    @Test func `the token of a page in the middle is not the cursor`() async throws {
        let mirror = try Self.calendar()
        mirror.service["/events"] = Self.page(
            Self.a,
            #""nextPageToken": "2", "nextSyncToken": "early""#
        )
        try await mirror.pull()
        #expect(try SyncStatus.of(mirror.store).resources.first?.cursor == "s1")
    }

    @Test func `changes that name an object twice advance the token`() async throws {
        var mirror = try Self.calendar()
        mirror.resources[0].style.stability = .unstable
        try await mirror.pull()
        mirror.service["/events?syncToken=s1"] = Self.page(Self.a, #""nextPageToken": "3""#)
        mirror.service["/events?syncToken=s1&pageToken=3"] = Self.page(
            #"{"id": "a", "title": "A2"}"#,
            #""nextSyncToken": "s2""#
        )
        #expect(try await mirror.pull().isComplete)
        #expect(try SyncStatus.of(mirror.store).resources.first?.cursor == "s2")
        #expect(try titles(mirror) == ["a A2", "b B"])
    }

    @Test func `a configured token is not taken for evidence of more objects`() async throws {
        let mirror = try Self.mirror {
            $0.delta = .token(["cursor"], parameter: "cursor")
            $0.deletes = .marked(["gone"])
        }
        mirror.service["/events"] = Self.page(Self.a, #""cursor": "c1""#)
        #expect(try await mirror.pull().isComplete)
        mirror.service["/events?cursor=c1"] = Self.page(Self.b, #""cursor": "c2""#)
        #expect(try await mirror.pull().isComplete)
        #expect(try titles(mirror) == ["a A", "b B"])
        #expect(try SyncStatus.of(mirror.store).resources.first?.cursor == "c2")
    }

    // MARK: Links

    @Test func `a link leads to the changes since`() async throws {
        let mirror = try Self.mirror {
            $0.pagination = .nextInBody(["@odata.nextLink"])
            $0.delta = .link(["@odata.deltaLink"])
            $0.deletes = .marked(["@removed"])
        }
        mirror.service["/events"] = Self.page(
            Self.a + "," + Self.b,
            ##""@odata.deltaLink": "/events/delta?token=1""##
        )
        try await mirror.pull()
        mirror.service["/events/delta?token=1"] = Self.page(
            #"{"id": "a", "@removed": {"reason": "deleted"}}"#,
            #""@odata.nextLink": "/events/delta?skip=1""#
        )
        mirror.service["/events/delta?skip=1"] = Self.page(
            #"{"id": "c", "title": "C"}"#,
            #""@odata.deltaLink": "/events/delta?token=2""#
        )
        #expect(try await mirror.pull().isComplete)
        #expect(try titles(mirror) == ["b B", "c C"])
        mirror.service["/events/delta?token=2"] = Self.page("", #""@odata.deltaLink": "/x?t=3""#)
        #expect(try await mirror.pull().isComplete)
        #expect(try titles(mirror) == ["b B", "c C"])
    }

    @Test func `a link to another service is not followed`() async throws {
        let mirror = try Self.mirror { $0.delta = .link(["next"]) }
        mirror.service["/events"] = Self.page(Self.a, #""next": "https://elsewhere.example/1""#)
        let failure = try await mirror.pull().failures.first as? RemoteError
        #expect(failure?.code == .linkRejected)
    }
}
