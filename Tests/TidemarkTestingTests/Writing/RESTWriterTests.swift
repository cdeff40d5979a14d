import HTTPTypes
import Testing
import TidemarkTestSupport
import TidemarkTesting

/// Changes by clients of a service like Django REST framework, and the faults that affect them.
struct RESTWriterTests {
    private func service(_ change: (inout FakeWrites) -> Void = { _ in }) -> FakeService {
        var writes = FakeWrites()
        change(&writes)
        var dialect = FakeDialect.rest()
        dialect.writes = writes
        return FakeService(
            collections: ["films": [["id": 1, "title": "A"], ["id": 2, "title": "B"]]],
            dialect: dialect
        )
    }

    @Test func `a service without rules for changes is read-only`() async throws {
        let fake = FakeService(collections: ["films": [["id": 1]]])
        try await expect(
            fake.transcript(Exchange(.delete, "films/1/")),
            is: #"405 {"detail":"Method \"DELETE\" not allowed."}"#
        )
    }

    @Test func `objects are created, changed in part and as a whole, and deleted`() async throws {
        try await expect(
            service().transcript(
                Exchange(.post, "films/", #"{"title":"C","id":7}"#),
                Exchange(.patch, "films/1/", #"{"year":1977}"#),
                Exchange(.put, "films/1/", #"{"title":"D"}"#),
                Exchange(.patch, "films/1/", #"{"title":"D"}"#),
                Exchange(.delete, "films/3/"),
                Exchange(.delete, "films/3/"),
                Exchange(.post, "films/", "{}")
            ),
            is: #"""
                201 {"id":3,"title":"C"}
                200 {"id":1,"title":"A","year":1977}
                200 {"id":1,"title":"D"}
                200 {"id":1,"title":"D"}
                204 
                404 {"detail":"Not found."}
                201 {"id":4}
                create films/3 {"id":3,"title":"C"}
                update films/1 {"id":1,"title":"A","year":1977}
                update films/1 {"id":1,"title":"D"}
                delete films/3
                create films/4 {"id":4}
                """#
        )
    }

    @Test func `rules are checked, and nothing is changed if one is broken`() async throws {
        let fake = service {
            $0.required["films"] = ["title"]
            $0.unique["films"] = ["title"]
        }
        try await expect(
            fake.transcript(
                Exchange(.post, "films/", #"{"title":""}"#),
                Exchange(.patch, "films/1/", #"{"title":null}"#),
                Exchange(.patch, "films/1/", #"{"title":"B"}"#),
                Exchange(.patch, "films/1/", #"{"title":"A"}"#),
                Exchange(.post, "films/", "[1]"),
                Exchange(.post, "films/", #"{"title":"#)
            ),
            is: #"""
                400 {"title":["This field may not be blank."]}
                400 {"title":["This field may not be blank."]}
                400 {"title":["films with this title already exists."]}
                200 {"id":1,"title":"A"}
                400 {"non_field_errors":["Invalid data. Expected a dictionary."]}
                400 {"non_field_errors":["Invalid data. Expected a dictionary."]}
                """#
        )
    }

    @Test func `a path without its slash is redirected, and an unknown one is a page`() async throws
    {
        let fake = service()
        let response = try await fake.send("films", .post, body: "{}")
        #expect(response.status == 301)
        #expect(response["Location"] == "/api/films/")
        #expect(try await fake.send("other/", .post, body: "{}").status == 404)
        #expect(fake.audit.isEmpty)
    }

    @Test func `a repeated request gets the first response, if the service knows keys`()
        async throws
    {
        let fake = service { $0.idempotency = "Idempotency-Key" }
        let create = Exchange(.post, "films/", "{}", ["Idempotency-Key": "a"])
        try await expect(
            fake.transcript(create, create, Exchange(.post, "films/", "{}")),
            is: #"""
                201 {"id":3}
                201 {"id":3}
                201 {"id":4}
                create films/3 {"id":3}
                create films/4 {"id":4}
                """#
        )
        #expect(fake.audit.map(\.idempotencyKey) == ["a", nil])
    }

    @Test func `faults may lose the response to a change that was made`() async throws {
        let fake = service()
        fake.inject(.lostResponse, times: 1)
        fake.inject(.failingAfterCommit(500), times: 1)
        fake.inject(.duplicateDelivery, times: 1)
        fake.inject(.concurrentUpdate(["title": "Theirs"]), times: 1)
        fake.inject(.connectionClosed, times: 1)
        try await expect(
            fake.transcript(
                Exchange(.post, "films/", #"{"title":"C"}"#),
                Exchange(.delete, "films/2/"),
                Exchange(.post, "films/", #"{"title":"D"}"#),
                Exchange(.patch, "films/1/", #"{"year":1}"#),
                Exchange(.delete, "films/1/")
            ),
            is: #"""
                —
                500 {"detail":"This error was injected."}
                201 {"id":5,"title":"D"}
                200 {"id":1,"title":"Theirs","year":1}
                —
                create films/3 {"id":3,"title":"C"}
                delete films/2
                create films/4 {"id":4,"title":"D"}
                create films/5 {"id":5,"title":"D"}
                update films/1 {"id":1,"title":"Theirs","year":1}
                """#
        )
    }

    @Test func `faults of changes are not those of requests that only read`() async throws {
        let fake = service()
        fake.inject(.lostResponse, times: 1)
        fake.inject(.failingAfterCommit(500), times: 1)
        try await expect(
            fake.transcript(
                Exchange(.get, "films/2/"),
                Exchange(.delete, "films/2/"),
                Exchange(.get, "films/2/"),
                Exchange(.post, "films/", #"{"title":"C"}"#)
            ),
            is: #"""
                200 {"id":2,"title":"B"}
                —
                404 {"detail":"Not found"}
                500 {"detail":"This error was injected."}
                delete films/2
                create films/3 {"id":3,"title":"C"}
                """#
        )
    }

    @Test func `expired credentials are rejected until there are others`() async throws {
        let fake = service()
        fake.inject(.expiredCredentials, times: 1)
        func delete(_ credentials: String) -> Exchange {
            Exchange(.delete, "films/2/", nil, ["Authorization": credentials])
        }
        try await expect(
            fake.transcript(delete("a"), delete("a"), delete("b")),
            is: #"""
                401 {"detail":"This error was injected."}
                401 {"detail":"This error was injected."}
                204 \#("")
                delete films/2
                """#
        )
    }
}
