import HTTPTypes
import Testing
import TidemarkRemote
import TidemarkTesting

struct RESTDialectTests {
    private let clock = ManualClock()

    private func service(
        _ count: Int = 7,
        _ change: (inout FakeDialect.REST) -> Void = { _ in }
    ) -> FakeService {
        FakeService(
            collections: ["tasks": (1...count).map { ["id": .number("\($0)")] }],
            dialect: .rest(pageSize: 3, change),
            environment: clock.environment
        )
    }

    @Test(arguments: [
        ("tasks/?page=4", 404, #"{"detail":"Invalid page."}"#),
        ("tasks/?page=0", 404, #"{"detail":"Invalid page."}"#),
        ("tasks/?page=-1", 404, #"{"detail":"Invalid page."}"#),
        ("tasks/?page=99999999999999999999", 404, #"{"detail":"Invalid page."}"#),
        ("tasks/?page=9223372036854775807", 404, #"{"detail":"Invalid page."}"#),
        ("tasks/8/", 404, #"{"detail":"Not found"}"#),
        (
            "tasks/?updated_at__gt=yesterday", 400,
            #"{"updated_at__gt":["Enter a valid date/time."]}"#
        ),
        (
            "tasks/?updated_since=2017-07-14T02:40:00+00:00", 400,
            #"{"updated_since":["Enter a valid date/time."]}"#
        ),
    ])
    func `an invalid request returns an error message`(
        _ path: String,
        _ status: Int,
        _ text: String
    ) async throws {
        let response = try await service { $0.timestamps.changed = "updated_at" }.send(path)
        #expect(response.status == status)
        #expect(response.text == text)
        #expect(response["ETag"] != nil)
    }

    @Test func `writes are not allowed`() async throws {
        let response = try await service().send("tasks/", .post)
        #expect(response.status == 405)
        #expect(response["Allow"] == "GET, HEAD, OPTIONS")
        #expect(response.text == #"{"detail":"Method \"POST\" not allowed."}"#)
    }

    @Test(arguments: [
        (
            "tasks/",
            #"{"count":7,"next":"http://h/api/tasks/?page=2","previous":null,"#
                + #""results":[{"id":1},{"id":2},{"id":3}]}"#
        ),
        (
            "tasks/?page=last",
            #"{"count":7,"next":null,"previous":"http://h/api/tasks/?page=2","#
                + #""results":[{"id":7}]}"#
        ),
        (
            "tasks/?ordering=-id&a=%26+b&b=&page=",
            #"{"count":7,"next":"http://h/api/tasks/?a=%26%20b&ordering=-id&page=2","#
                + #""previous":null,"results":[{"id":7},{"id":6},{"id":5}]}"#
        ),
    ])
    func `pages are numbered`(_ path: String, _ text: String) async throws {
        #expect(try await service().send(path).text == text)
    }

    @Test func `a deletion moves objects between numbered pages`() async throws {
        let fake = service(8)
        fake.scheduleChange(at: "tasks/") { $0["tasks/2"] = nil }
        var seen: [String] = []
        var next: String? = "http://h/api/tasks/"
        while let url = next {
            let json = try await fake.follow(url).json()
            seen += (json["results"]?.elements ?? []).compactMap(\.identity)
            next = json["next"]?.string
        }
        #expect(seen == ["1", "2", "3", "5", "6", "7", "8"])
    }

    @Test func `the last page may not exist any more when its link is followed`() async throws {
        let fake = service()
        fake.scheduleChange(after: 2) { $0["tasks/7"] = nil }
        let second = try await fake.send("tasks/?page=2")
        let page = try await fake.send("tasks/?page=2").json()
        #expect(try second.json()["next"]?.string == "http://h/api/tasks/?page=3")
        #expect(page["next"]?.string == "http://h/api/tasks/?page=3")
        #expect(try await fake.send("tasks/?page=3").status == 404)
    }

    @Test(arguments: [
        (
            "tasks/?limit=2&offset=1",
            #"{"count":7,"next":"http://h/api/tasks/?limit=2&offset=3","#
                + #""previous":"http://h/api/tasks/?limit=2","results":[{"id":2},{"id":3}]}"#
        ),
        (
            "tasks/?limit=-1&offset=6",
            #"{"count":7,"next":null,"previous":"http://h/api/tasks/?limit=3&offset=3","#
                + #""results":[{"id":7}]}"#
        ),
        (
            "tasks/?limit=9223372036854775807&offset=9223372036854775807",
            #"{"count":7,"next":null,"#
                + #""previous":"http://h/api/tasks/?limit=9223372036854775807","results":[]}"#
        ),
    ])
    func `pages are selected by limit and offset`(_ path: String, _ text: String) async throws {
        #expect(try await service { $0.pagination = .offsets }.send(path).text == text)
    }

    @Test(arguments: ["zz", "5b5d", "5b", "cD0y", "é"])
    func `an invalid cursor is not found`(_ cursor: String) async throws {
        let fake = service { $0.pagination = .cursor(by: "-id") }
        let response = try await fake.send("tasks/?cursor=\(escaped(cursor))")
        #expect(response.status == 404)
        #expect(response.text == #"{"detail":"Invalid cursor"}"#)
    }

    @Test func `a cursor continues after the last object despite changes`() async throws {
        let fake = service { rest in
            rest.timestamps.changed = "updated_at"
            rest.pagination = .cursor(by: "updated_at")
        }
        fake.scheduleChange { data in
            data["tasks/2"] = nil
            data["tasks/4"]?["done"] = true
        }
        clock.advance(by: .seconds(1))
        var seen: [String] = []
        var next: String? = "http://h/api/tasks/"
        while let url = next {
            let json = try await fake.follow(url).json()
            #expect(json["count"] == nil)
            seen += (json["results"]?.elements ?? []).compactMap(\.identity)
            next = json["next"]?.string
        }
        #expect(seen == ["1", "2", "3", "5", "6", "7", "4"])
    }

    @Test func `changes are queried by time, to the microsecond`() async throws {
        let fake = service(2) {
            $0.timestamps = FakeTimestampNames(created: "made", changed: "updated_at")
        }
        clock.advance(by: .microseconds(1_000_001))
        fake["tasks/2"]?["title"] = "B"
        func ids(_ query: String) async throws -> [String] {
            let json = try await fake.send("tasks/?\(query)").json()
            return (json["results"]?.elements ?? []).compactMap(\.identity)
        }
        #expect(
            try await fake.send("tasks/").json()["results"]?.description
                == #"[{"id":1,"made":"2017-07-14T02:40:00Z","updated_at":"2017-07-14T02:40:00Z"},"#
                + #"{"id":2,"title":"B","made":"2017-07-14T02:40:00Z","#
                + #""updated_at":"2017-07-14T02:40:01.000001Z"}]"#
        )
        #expect(try await ids("updated_at__gt=2017-07-14T02:40:00Z") == ["2"])
        #expect(try await ids("updated_since=2017-07-14T02:40:00Z") == ["1", "2"])
        #expect(try await ids("updated_at__gt=2017-07-14T02:40:01.000001Z") == [])
        #expect(try await ids("updated_since=2017-07-14T02:40:01.000001Z") == ["2"])
        #expect(try await ids("updated_since=2017-07-14T02:40:01.000002Z") == [])
        #expect(try await ids("ordering=-updated_at") == ["2", "1"])
    }

    @Test func `a service without timestamps ignores queries by time`() async throws {
        let response = try await service(1).send("tasks/?updated_since=x&updated_at__gt=2999-01-01")
        #expect(try response.json()["count"] == 1)
    }

    @Test func `lists of changes can contain deleted objects`() async throws {
        let fake = service(2) { rest in
            rest.timestamps = FakeTimestampNames(changed: "updated_at", deleted: "deleted_at")
        }
        clock.advance(by: .seconds(1))
        fake["tasks/1"] = nil
        let changes = try await fake.send("tasks/?updated_at__gt=2017-07-14T02:40:00Z").json()
        #expect(
            changes["results"]?.description
                == #"[{"id":1,"updated_at":"2017-07-14T02:40:01Z","#
                + #""deleted_at":"2017-07-14T02:40:01Z"}]"#
        )
        #expect(try await fake.send("tasks/").json()["count"] == 1)
        #expect(try await fake.send("tasks/1/").status == 404)
    }

    @Test func `fields selects members`() async throws {
        let fake = service(2)
        fake["tasks/1"]?["title"] = "A"
        let response = try await fake.send("tasks/?fields=id,none")
        #expect(try response.json()["results"] == [["id": 1], ["id": 2]])
        #expect(try await fake.send("tasks/1/?fields=title").text == #"{"title":"A"}"#)
    }

    @Test func `a conditional request for an unmodified page returns 304`() async throws {
        let fake = service()
        let first = try await fake.send("tasks/")
        let tag = try #require(first["ETag"])
        #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""))
        for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
            let again = try await fake.send("tasks/", .get, ["If-None-Match": known])
            #expect(again.status == 304)
            #expect(again.text.isEmpty)
            #expect(again["ETag"] == tag)
            #expect(again["Content-Length"] == nil)
            #expect(again["Content-Type"] == nil)
        }
        fake["tasks/1"]?["title"] = "A"
        let changed = try await fake.send("tasks/", .get, ["If-None-Match": tag])
        #expect(changed.status == 200)
        #expect(changed["ETag"] != tag)
        #expect(try await fake.send("tasks/", .get, ["If-Match": tag]).status == 200)
    }

    @Test func `links have the host of each request, also in cached objects`() async throws {
        let fake = FakeService(
            collections: ["films": [["url": "https://x.example/films/1/"]]],
            linkBase: "https://x.example/"
        )
        #expect(try await fake.send("films/1/").text == #"{"url":"http://h/api/films/1/"}"#)
        for host in ["a:1", "b:2", "a:1"] {
            let request = HTTPRequest(
                method: .get,
                scheme: "http",
                authority: host,
                path: "/api/films/"
            )
            let bytes = try await fake.send(request, body: nil).collect(upTo: 1 << 20)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains(#"[{"url":"http://\#(host)/api/films/1/"}]"#))
        }
    }
}
