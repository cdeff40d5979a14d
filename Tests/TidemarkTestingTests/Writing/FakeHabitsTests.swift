import HTTPTypes
import Testing
import TidemarkTestSupport
import TidemarkTesting

/// What services do with changes that their responses do not say.
struct FakeHabitsTests {
    private let clock = ManualClock()

    private func service(
        requiring required: Set<String> = [],
        _ change: (inout FakeHabits) -> Void
    ) -> FakeService {
        var dialect = FakeDialect.rest()
        var writes = FakeWrites()
        writes.required["films"] = required
        change(&writes.habits)
        dialect.writes = writes
        return FakeService(
            collections: ["films": [["id": 1, "title": "A"]], "makers": []],
            dialect: dialect,
            environment: clock.environment
        )
    }

    private static let read = Exchange(.get, "films/1/")
    private static let rename = Exchange(.patch, "films/1/", #"{"title":"B"}"#)

    @Test func `read-only members stay null, and immutable ones keep their first value`()
        async throws
    {
        let fake = service {
            $0.readOnly = ["score"]
            $0.immutable = ["title"]
        }
        try await expect(
            fake.transcript(
                Exchange(.post, "films/", #"{"title":"B","score":5}"#),
                Exchange(.patch, "films/2/", #"{"title":"C","score":6,"year":1977}"#),
                Exchange(.put, "films/2/", #"{"title":"D"}"#)
            ),
            is: #"""
                201 {"id":2,"title":"B","score":null}
                200 {"id":2,"year":1977,"title":"B","score":null}
                200 {"id":2,"title":"B","score":null}
                create films/2 {"id":2,"title":"B","score":null}
                update films/2 {"id":2,"year":1977,"title":"B","score":null}
                update films/2 {"id":2,"title":"B","score":null}
                """#
        )
    }

    @Test func `a list alone shows links, and each object is in one list at most`() async throws {
        let fake = service {
            $0.linkList = .init("makers", "film_ids", of: "films", ignoring: ["maker_id"])
        }
        try await expect(
            fake.transcript(
                Exchange(.post, "films/", #"{"title":"B","maker_id":1}"#),
                Exchange(.post, "makers/", #"{"name":"x","film_ids":[1,2,9]}"#),
                Exchange(.post, "makers/", #"{"name":"y","film_ids":[2]}"#),
                Exchange(.get, "makers/1/"),
                Exchange(.patch, "films/1/", #"{"maker_id":2}"#),
                Exchange(.delete, "films/2/"),
                Exchange(.get, "makers/2/")
            ),
            is: #"""
                201 {"id":2,"title":"B"}
                201 {"id":1,"name":"x","film_ids":[1,2]}
                201 {"id":2,"name":"y","film_ids":[2]}
                200 {"id":1,"name":"x","film_ids":[1]}
                200 {"id":1,"title":"A"}
                204 
                200 {"id":2,"name":"y","film_ids":[]}
                create films/2 {"id":2,"title":"B"}
                create makers/1 {"id":1,"name":"x","film_ids":[1,2]}
                create makers/2 {"id":2,"name":"y","film_ids":[2]}
                delete films/2
                """#
        )
    }

    @Test func `texts are stored in a form of the service`() async throws {
        let fake = service { $0.normalizesTexts = true }
        try await expect(
            fake.transcript(Exchange(.patch, "films/1/", #"{"title":" B & C ","year":1}"#)),
            is: #"""
                200 {"id":1,"title":"B &amp; C","year":1}
                update films/1 {"id":1,"title":"B &amp; C","year":1}
                """#
        )
    }

    @Test func `the response may contain the object before the change`() async throws {
        let fake = service { $0.respondsWithFormer = true }
        try await expect(
            fake.transcript(Self.rename, Self.read),
            is: #"""
                200 {"id":1,"title":"A"}
                200 {"id":1,"title":"B"}
                update films/1 {"id":1,"title":"B"}
                """#
        )
    }

    @Test func `a rejection may have the status of a success`() async throws {
        let fake = service(requiring: ["title"]) { $0.hidesFailures = true }
        let failure = #"200 {"success":false,"message":"The change was not possible."}"#
        try await expect(
            fake.transcript(
                Exchange(.patch, "films/1/", #"{"title":null}"#),
                Exchange(.delete, "films/2/"),
                Exchange(.get, "films/2/")
            ),
            is: """
                \(failure)
                \(failure)
                404 {"detail":"Not found"}
                """
        )
    }

    @Test func `objects and lists show changes late, each in its own time`() async throws {
        let fake = service {
            $0.objectLag = .seconds(10)
            $0.listLag = .seconds(60)
        }
        let list = Exchange(.get, "films/")
        func shown(_ title: String) -> String {
            #"200 {"count":1,"next":null,"previous":null,"results":[{"id":1,"title":"\#(title)"}]}"#
        }
        let first = try await fake.transcript(Self.rename, Self.read, list)
        clock.advance(by: .seconds(10))
        let second = try await fake.transcript(Self.read, list)
        clock.advance(by: .seconds(50))
        let third = try await fake.transcript(Self.read, list)
        expect(
            [first, second, third].joined(separator: "\n"),
            is: #"""
                200 {"id":1,"title":"B"}
                200 {"id":1,"title":"A"}
                \#(shown("A"))
                update films/1 {"id":1,"title":"B"}
                200 {"id":1,"title":"B"}
                \#(shown("A"))
                200 {"id":1,"title":"B"}
                \#(shown("B"))
                """#
        )
    }

    @Test func `an accepted change is made when its time has come`() async throws {
        let fake = service { $0.acceptance = .later(.seconds(30)) }
        let first = try await fake.transcript(Self.rename, Self.read)
        clock.advance(by: .seconds(30))
        let second = try await fake.transcript(Self.read)
        expect(
            [first, second].joined(separator: "\n"),
            is: #"""
                202 {}
                200 {"id":1,"title":"A"}
                200 {"id":1,"title":"B"}
                update films/1 {"id":1,"title":"B"}
                """#
        )
    }

    @Test func `an accepted change is never made`() async throws {
        let fake = service { $0.acceptance = .never }
        let first = try await fake.transcript(Self.rename)
        clock.advance(by: .seconds(90_000))
        let second = try await fake.transcript(Self.read)
        #expect([first, second] == ["202 {}", #"200 {"id":1,"title":"A"}"#])
    }
}
