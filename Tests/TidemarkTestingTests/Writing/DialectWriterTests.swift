import HTTPTypes
import Testing
import TidemarkFakeServices
import TidemarkTestSupport
import TidemarkTesting

/// Changes by clients of fake services in the dialects of Rails, Parse, Kinto and JSON:API.
struct DialectWriterTests {
    private func service(
        _ dialect: FakeDialect,
        _ collections: KeyValuePairs<String, [FakeJSON]>,
        path: String = "/api/",
        _ change: (inout FakeWrites) -> Void = { _ in }
    ) -> FakeService {
        var dialect = dialect
        var writes = FakeWrites()
        change(&writes)
        dialect.writes = writes
        return FakeService(collections: collections, dialect: dialect, path: path)
    }

    // MARK: Rails

    @Test func `Rails wants the object below its name, and checks the version`() async throws {
        let dialect = FakeDialect.rails {
            $0.hasLockVersion = true
            $0.timestamps = FakeTimestampNames()
        }
        let fake = service(dialect, ["posts": [["id": 1, "title": "A", "lock_version": 3]]]) {
            $0.required["posts"] = ["title"]
        }
        try await expect(
            fake.transcript(
                Exchange(.post, "posts", #"{"post":{"title":"B"}}"#),
                Exchange(.post, "posts", #"{"title":"B"}"#),
                Exchange(.post, "posts.json", #"{"post":{}}"#),
                Exchange(.patch, "posts/1", #"{"post":{"title":"C","lock_version":3}}"#),
                Exchange(.patch, "posts/1", #"{"post":{"title":"D","lock_version":3}}"#),
                Exchange(.put, "posts/1", #"{"post":{"title":"E"}}"#),
                Exchange(.delete, "posts/2"),
                Exchange(.delete, "posts/2")
            ),
            is: #"""
                201 {"id":2,"title":"B","lock_version":0}
                400 {"status":400,"error":"Bad Request"}
                422 {"title":["can't be blank"]}
                200 {"id":1,"title":"C","lock_version":4}
                409 {"id":1,"title":"C","lock_version":4}
                200 {"id":1,"title":"E","lock_version":5}
                204 
                404 {"status":404,"error":"Not Found"}
                create posts/2 {"id":2,"title":"B","lock_version":0}
                update posts/1 {"id":1,"title":"C","lock_version":4}
                update posts/1 {"id":1,"title":"E","lock_version":5}
                delete posts/2
                """#
        )
    }

    // MARK: Parse

    @Test func `Parse returns what it has set, and does not repeat a response`() async throws {
        let fake = service(.parse(), ["Note": [["objectId": "a", "text": "A", "done": true]]]) {
            $0.keys = .letters
            $0.required["Note"] = ["text"]
            $0.unique["Note"] = ["text"]
            $0.idempotency = "X-Parse-Request-Id"
        }
        let create = Exchange(
            .post,
            "classes/Note",
            #"{"text":"B"}"#,
            ["X-Parse-Request-Id": "r1"]
        )
        let created = try await fake.transcript(create, create)
        let key = try #require(fake.audit.first?.path.split(separator: "/").last)
        expect(
            created,
            is: """
                201 {"objectId":"\(key)","createdAt":"2017-07-14T02:40:00.000Z"}
                400 {"code":159,"error":"Duplicate request"}
                create Note/\(key) {"objectId":"\(key)","text":"B"}
                """
        )
        #expect(key.count == 10)
        try await expect(
            fake.transcript(
                Exchange(.put, "classes/Note/a", #"{"done":{"__op":"Delete"},"rank":1}"#),
                Exchange(.put, "classes/Note/a", #"{"text":""}"#),
                Exchange(.put, "classes/Note/a", #"{"text":"B"}"#),
                Exchange(.put, "classes/Note/z", "{}"),
                Exchange(.post, "classes/Note", "[]"),
                Exchange(.delete, "classes/Note/a")
            ),
            is: #"""
                200 {"updatedAt":"2017-07-14T02:40:00.000Z"}
                400 {"code":142,"error":"text is required."}
                400 {"code":137,"error":"A duplicate value for a field with unique values was provided"}
                404 {"code":101,"error":"Object not found."}
                400 {"code":107,"error":"invalid JSON"}
                200 {}
                update Note/a {"objectId":"a","text":"A","rank":1}
                delete Note/a
                """#
        )
    }

    @Test func `a batch of Parse reports each request by itself`() async throws {
        let fake = service(.parse(), ["Note": [["objectId": "a"], ["objectId": "b"]]], path: "/p/")
        try await expect(
            fake.transcript(
                Exchange(
                    .post,
                    "batch",
                    #"""
                    {"requests":[{"method":"PUT","path":"/p/classes/Note/a","body":{"x":1}},
                     {"method":"DELETE","path":"/p/classes/Note/z"},
                     {"method":"DELETE","path":"/p/classes/Note/b"}]}
                    """#
                )
            ),
            is: #"""
                200 [{"success":{"updatedAt":"2017-07-14T02:40:00.000Z"}},\#
                {"error":{"code":101,"error":"Object not found."}},{"success":{}}]
                update Note/a {"objectId":"a","x":1}
                delete Note/b
                """#
        )
    }

    // MARK: Kinto

    private let records = "buckets/app/collections/notes/records"

    @Test func `Kinto checks conditions, and returns the record that it has`() async throws {
        let fake = service(.kinto(), ["notes": [["id": "a", "text": "A"]]], path: "/v1/") {
            $0.keys = .uuids
            $0.required["notes"] = ["text"]
        }
        let stamp = try await fake.send("\(records)/a")["ETag"] ?? ""
        let bodies = try await fake.transcript(
            Exchange(.put, "\(records)/b", #"{"data":{"text":"B"}}"#, ["If-None-Match": "*"]),
            Exchange(.put, "\(records)/b", #"{"data":{"text":"C"}}"#, ["If-None-Match": "*"]),
            Exchange(.patch, "\(records)/a", #"{"data":{"n":1}}"#, ["If-Match": stamp]),
            Exchange(.patch, "\(records)/a", #"{"data":{"n":2}}"#, ["If-Match": stamp]),
            Exchange(.put, "\(records)/a", #"{"data":{"n":3}}"#),
            Exchange(.post, records, #"{"data":{"id":"a","text":"D"}}"#),
            Exchange(.patch, "\(records)/z", #"{"data":{}}"#),
            Exchange(.delete, "\(records)/b"),
            Exchange(.delete, "\(records)/b")
        )
        let lines = bodies.split(separator: "\n").map { line in
            // The times are those of the fake's clock.
            line.replacing(#/"last_modified":\d+/#, with: #""last_modified":0"#)
        }
        let existing = #""error":"Precondition Failed","message":"Resource was modified meanwhile""#
        expect(
            lines.joined(separator: "\n"),
            is: #"""
                201 {"permissions":{"write":["basicauth:owner"]},"data":{"text":"B","id":"b","last_modified":0}}
                412 {"code":412,"errno":114,\#(existing),"details":{"existing":{"text":"B","id":"b","last_modified":0}}}
                200 {"permissions":{"write":["basicauth:owner"]},"data":{"text":"A","n":1,"id":"a","last_modified":0}}
                412 {"code":412,"errno":114,\#(existing),"details":{"existing":{"text":"A","n":1,"id":"a","last_modified":0}}}
                400 {"code":400,"errno":107,"error":"Invalid parameters","message":"'text' is a required property","details":[{"location":"body","name":"text","description":"'text' is a required property"}]}
                200 {"permissions":{"write":["basicauth:owner"]},"data":{"text":"A","n":1,"id":"a","last_modified":0}}
                404 {"code":404,"errno":110,"error":"Not Found","details":{"id":"z","resource_name":"record"}}
                200 {"permissions":{"write":["basicauth:owner"]},"data":{"id":"b","last_modified":0,"deleted":true}}
                404 {"code":404,"errno":110,"error":"Not Found","details":{"id":"b","resource_name":"record"}}
                create notes/b {"id":"b","text":"B"}
                update notes/a {"id":"a","text":"A","n":1}
                delete notes/b
                """#
        )
    }

    @Test func `a batch of Kinto has a status for each request, and at most 25`() async throws {
        let fake = service(.kinto(), ["notes": [["id": "a"]]], path: "/v1/") { $0.keys = .uuids }
        func batch(_ count: Int) -> Exchange {
            let requests = (0..<count).map {
                #"{"path":"/\#(records)/n\#($0)","body":{"data":{"n":\#($0)}}}"#
            }
            return Exchange(
                .post,
                "batch",
                """
                {"defaults":{"method":"PUT","headers":{"If-None-Match":"*"}},\
                "requests":[\(requests.joined(separator: ","))]}
                """
            )
        }
        try await expect(
            fake.transcript(batch(26)),
            is: #"""
                400 {"code":400,"errno":107,"error":"Invalid parameters",\#
                "message":"Number of requests is limited to 25",\#
                "details":[{"location":"body","name":"requests",\#
                "description":"Number of requests is limited to 25"}]}
                """#
        )
        for statuses in [["201", "201"], ["412", "412"]] {
            let response = try await fake.send("batch", .post, body: batch(2).body)
            let responses = try response.json()["responses"]?.elements
            #expect(responses?.compactMap { $0["status"]?.description } == statuses)
        }
        #expect(fake.audit.map(\.path) == ["notes/n0", "notes/n1"])
    }

    // MARK: JSON:API

    @Test func `JSON_API takes resources, and points at what is wrong`() async throws {
        let dialect = FakeDialect.jsonAPI {
            $0.relationships = ["posts": ["author": "people"]]
        }
        let fake = service(dialect, ["posts": [["id": 1, "title": "A"]], "people": []]) {
            $0.required["posts"] = ["title"]
        }
        let type: KeyValuePairs = ["Content-Type": "application/vnd.api+json"]
        let link = #""links":{"self":"http://h/api/posts/"#
        try await expect(
            fake.transcript(
                Exchange(
                    .post,
                    "posts",
                    #"""
                    {"data":{"type":"posts","attributes":{"title":"B"},
                     "relationships":{"author":{"data":{"type":"people","id":"7"}}}}}
                    """#,
                    type
                ),
                Exchange(
                    .patch,
                    "posts/1",
                    #"{"data":{"type":"posts","id":"1","attributes":{"title":null}}}"#,
                    type
                ),
                Exchange(.patch, "posts/1", #"{"data":{"type":"notes","id":"1"}}"#, type),
                Exchange(.post, "posts", #"{"data":{"type":"posts"}}"#),
                Exchange(.delete, "posts/2"),
                Exchange(.delete, "posts/2")
            ),
            is: #"""
                201 {"data":{"type":"posts","id":"2","attributes":{"title":"B"},"relationships":{"author":{"data":{"type":"people","id":"7"}}},\#(link)2"}}}
                422 {"errors":[{"status":"422","title":"Invalid value","detail":"must not be empty","source":{"pointer":"/data/attributes/title"}}]}
                409 {"errors":[{"status":"409","title":"Conflict","detail":"The type is not that of the path.","source":{"pointer":"/data/type"}}]}
                415 {"errors":[{"status":"415","title":"Unsupported media type","detail":"The media type is not application/vnd.api+json."}]}
                204 
                404 {"errors":[{"status":"404","title":"Not found","detail":"There is no such resource of posts."}]}
                create posts/2 {"id":2,"title":"B","author":7}
                delete posts/2
                """#
        )
    }

    @Test func `a batch is processed in part`() async throws {
        let fake = service(.parse(), ["films": []])
        fake.inject(.partialBatch(1), times: 1)
        let requests = ["A", "B"].map { title in
            #"{"method":"POST","path":"/api/classes/films","body":{"title":"\#(title)"}}"#
        }
        let body = #"{"requests":[\#(requests.joined(separator: ","))]}"#
        #expect(try await fake.send("batch", .post, body: body).status == 500)
        #expect(fake.audit.map { $0.object?["title"] } == ["A"])
    }
}
