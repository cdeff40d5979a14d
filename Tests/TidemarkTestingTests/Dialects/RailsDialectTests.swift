import HTTPTypes
import Testing
import TidemarkFakeServices
import TidemarkTesting

struct RailsDialectTests {
    private let clock = ManualClock()

    private func service(
        _ count: Int = 7,
        _ change: (inout FakeDialect.Rails) -> Void = { _ in }
    ) -> FakeService {
        FakeService(
            collections: ["tasks": (1...max(1, count)).map { ["id": .number("\($0)")] }],
            dialect: .rails { rails in
                rails.perPage = 3
                rails.timestamps = FakeTimestampNames(printed: .milliseconds)
                change(&rails)
            },
            environment: clock.environment
        )
    }

    @Test(arguments: [
        ("tasks/8", 404, #"{"status":404,"error":"Not Found"}"#),
        ("tasks?updated_since=x", 400, #"{"status":400,"error":"Bad Request"}"#),
    ])
    func `an invalid request returns an error status`(
        _ path: String,
        _ status: Int,
        _ text: String
    ) async throws {
        let response = try await service().send(path)
        #expect(response.status == status)
        #expect(response.text == text)
    }

    @Test(arguments: ["ships", "tasks/1/more", ""])
    func `an unknown route returns an HTML page`(_ path: String) async throws {
        let response = try await service().send(path)
        #expect(response.status == 404)
        #expect(response["Content-Type"] == "text/html; charset=utf-8")
    }

    @Test(
        arguments: [
            (
                "tasks", "[1, 2, 3]",
                #"<http://h/api/tasks?page=2>; rel="next", <http://h/api/tasks?page=3>; rel="last""#
            ),
            (
                "tasks?page=2&a=b", "[4, 5, 6]",
                #"<http://h/api/tasks?a=b&page=1>; rel="prev", "#
                    + #"<http://h/api/tasks?a=b&page=3>; rel="next", "#
                    + #"<http://h/api/tasks?a=b&page=3>; rel="last", "#
                    + #"<http://h/api/tasks?a=b&page=1>; rel="first""#
            ),
            (
                "tasks?page=3", "[7]",
                #"<http://h/api/tasks?page=2>; rel="prev", <http://h/api/tasks?page=1>; rel="first""#
            ),
            (
                "tasks?page=9", "[]",
                #"<http://h/api/tasks?page=3>; rel="prev", <http://h/api/tasks?page=3>; rel="last", "#
                    + #"<http://h/api/tasks?page=1>; rel="first""#
            ),
            ("tasks?per_page=100", "[1, 2, 3, 4, 5, 6, 7]", nil),
            (
                "tasks?page=0&per_page=-5", "[1, 2, 3]",
                #"<http://h/api/tasks?page=2&per_page=-5>; "#
                    + #"rel="next", <http://h/api/tasks?page=3&per_page=-5>; rel="last""#
            ),
        ] as [(String, String, String?)]
    )
    func `pages link to other pages`(_ path: String, _ ids: String, _ link: String?) async throws {
        let response = try await service().send(path)
        let numbers = try response.json().elements?.compactMap(\.identity).joined(separator: ", ")
        #expect("[\(numbers ?? "")]" == ids)
        #expect(response["Link"] == link)
        #expect(response["X-Total-Count"] == "7")
        let tag = try #require(response["ETag"])
        let known = try await service().send(path, .get, ["If-None-Match": tag])
        #expect(known.status == 304)
        #expect(known["Link"] == link)
    }

    @Test func `the service limits the number of objects on a page`() async throws {
        let fake = service(120) { $0.links = .relative }
        let response = try await fake.send("tasks?per_page=1000")
        #expect(try response.json().elements?.count == 100)
        #expect(
            response["Link"]
                == #"</api/tasks?page=2&per_page=1000>; rel="next", "#
                + #"</api/tasks?page=2&per_page=1000>; rel="last""#
        )
        let beyond = try await fake.send("tasks?page=9223372036854775807&per_page=100")
        #expect(beyond.text == "[]")
    }

    @Test func `timestamps are stored with higher precision than printed`() async throws {
        let fake = FakeService(
            collections: ["tasks": [["title": "A", "id": 1], ["id": 2]]],
            dialect: .rails(),
            environment: clock.environment
        )
        clock.advance(by: .microseconds(1_234))
        fake["tasks/1"]?["title"] = "B"
        #expect(
            try await fake.send("tasks/1").text
                == #"{"title":"B","id":1,"created_at":"2017-07-14T02:40:00.000Z","#
                + #""updated_at":"2017-07-14T02:40:00.001Z"}"#
        )
        func ids(_ since: String) async throws -> [String] {
            let response = try await fake.send("tasks.json?updated_since=\(since)")
            return (try response.json().elements ?? []).compactMap(\.identity)
        }
        // A query with the printed time always returns the same row again. A query with the next
        // millisecond would miss other changes in the same one.
        #expect(try await ids("2017-07-14T02:40:00.001Z") == ["1"])
        #expect(try await ids("2017-07-14T02:40:00.002Z") == [])
        #expect(try await ids("2017-07-14T02:40:00.000Z") == ["1", "2"])
    }

    @Test func `an object has Last-Modified, and supports conditional requests`() async throws {
        let fake = service(1)
        clock.advance(by: .milliseconds(1_500))
        fake["tasks/1"]?["title"] = "A"
        let response = try await fake.send("tasks/1")
        let tag = try #require(response["ETag"])
        #expect(tag.hasPrefix("W/\""))
        let time = "Fri, 14 Jul 2017 02:40:01 GMT"
        #expect(response["Last-Modified"] == time)
        let known: [(KeyValuePairs<String, String>, Int)] = [
            (["If-None-Match": tag], 304), (["If-Modified-Since": time], 304),
            (["If-None-Match": tag, "If-Modified-Since": time], 304),
            (["If-None-Match": "W/\"x\"", "If-Modified-Since": time], 200),
            (["If-None-Match": tag, "If-Modified-Since": "Fri, 14 Jul 2017 02:40:00 GMT"], 200),
            (["If-Modified-Since": "yesterday"], 200),
        ]
        for (fields, status) in known {
            #expect(try await fake.send("tasks/1", .get, fields).status == status, "\(fields)")
        }
        #expect(try await fake.send("tasks")["Last-Modified"] == nil)
    }

    @Test func `lists can have Last-Modified, which does not reflect deletions`() async throws {
        let fake = service(2) { $0.lastModified = .objectsAndLists }
        let time = try #require(try await fake.send("tasks")["Last-Modified"])
        fake["tasks/1"] = nil
        #expect(try await fake.send("tasks", .get, ["If-Modified-Since": time]).status == 304)
    }

    @Test func `lists of changes can contain deleted objects`() async throws {
        let fake = service(2) { $0.timestamps.deleted = "deleted_at" }
        clock.advance(by: .seconds(1))
        fake["tasks/1"] = nil
        #expect(
            try await fake.send("tasks?updated_since=2017-07-14T02:40:01Z").text
                == #"[{"id":1,"deleted_at":"2017-07-14T02:40:01.000Z"}]"#
        )
        #expect(try await fake.send("tasks").text == #"[{"id":2,"deleted_at":null}]"#)
    }
}
