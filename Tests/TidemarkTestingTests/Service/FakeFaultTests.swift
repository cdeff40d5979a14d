import HTTPTypes
import Testing
import TidemarkFakeServices
import TidemarkRemote
import TidemarkTesting

struct FakeFaultTests {
    private let fake = FakeService(
        collections: ["films": [["id": 1], ["id": 2], ["id": 3]]],
        dialect: .rest(pageSize: 1)
    )
    private let whole = #"{"id":1}"#

    @Test func `a body is cut off after the given number of bytes`() async throws {
        for fault in [FakeFault.truncatedBody(after: 3), .reset(after: 3)] {
            fake.inject(fault, times: 1)
            let request = HTTPRequest(
                method: .get,
                scheme: "http",
                authority: "h",
                path: "/api/films/1/"
            )
            let response = try await fake.send(request, body: nil)
            #expect(response.head.headerFields[.contentLength] == "8")
            var chunks = response.body.makeAsyncIterator()
            #expect(try await chunks.next() == Array(whole.utf8.prefix(3)))
            await #expect(throws: RemoteError.self) { _ = try await chunks.next() }
        }
    }

    @Test(arguments: [
        (FakeFault.shortBody(after: 3), #"{"i"#, "application/json"),
        (.shortBody(after: -1), "", "application/json"),
        (.shortBody(after: 99), #"{"id":1}"#, "application/json"),
        (.duplicatedBody, #"{"id":1}{"id":1}"#, "application/json"),
        (.contentType("text/html"), #"{"id":1}"#, "text/html"),
    ])
    func `a damaged body has a matching Content-Length`(
        _ fault: FakeFault,
        _ text: String,
        _ type: String
    ) async throws {
        fake.inject(fault, times: 1)
        let response = try await fake.send("films/1/")
        #expect(response.status == 200)
        #expect(response.text == text)
        #expect(response["Content-Type"] == type)
        #expect(response["Content-Length"] == "\(text.utf8.count)")
        #expect(try await fake.send("films/1/").text == whole)
    }

    @Test func `Retry-After contains seconds or a date of the service's clock`() async throws {
        fake.clockSkew = .seconds(3_600)
        fake.inject(.status(429, retryAfter: .seconds(7)), times: 1)
        fake.inject(.status(503, retryAfter: .date(in: .seconds(90))), times: 1)
        #expect(try await fake.send("films/")["Retry-After"] == "7")
        let date = try await fake.send("films/")
        #expect(date.status == 503)
        #expect(date["Retry-After"] == "Fri, 14 Jul 2017 03:41:30 GMT")
    }

    @Test func `header fields combine with other faults`() async throws {
        fake.inject(.header("Backoff", "1"), at: "films/")
        fake.inject(.backoff(seconds: 2), times: 1, at: "films/")
        fake.inject(.status(500), times: 1)
        let failed = try await fake.send("films/")
        #expect(failed.status == 500)
        #expect(failed["Backoff"] == "2")
        #expect(try await fake.send("films/")["Backoff"] == "1")
        #expect(try await fake.send("")["Backoff"] == nil)
        fake.inject(.header("not a name", "x"))
        #expect(try await fake.send("films/").status == 200)
    }

    @Test(arguments: [
        (FakeDialect.rest(pageSize: 1), "films/"), (.rails { $0.perPage = 1 }, "films"),
        (.kinto { $0.paginateBy = 1 }, "buckets/app/collections/films/records"),
        (.jsonAPI { $0.pageSize = 1 }, "films"),
    ])
    func `a page links to itself as the next page`(
        _ dialect: FakeDialect,
        _ path: String
    ) async throws {
        let fake = FakeService(collections: ["films": [["id": 1]]], dialect: dialect)
        fake.inject(.cyclicNextLink)
        let response = try await fake.send(path)
        let json = try response.json()
        let next = json["next"]?.string ?? json["links"]?["next"]?.string ?? response["Next-Page"]
        let link = response["Link"].map { $0.dropFirst().prefix { $0 != ">" } }
        #expect((next ?? link.map(String.init)) == "http://h/api/\(path)")
    }

    @Test func `a planned change is made after a number of requests`() async throws {
        fake.scheduleChange(after: 2, at: "films/") { data in
            data["films/1"] = nil
            data["films/4"] = ["id": 4]
        }
        fake.scheduleChange(at: "films/?page=3") { $0["films/3"]?["title"] = "C" }
        #expect(try await fake.send("").status == 200)
        #expect(try await fake.send("films/").text.hasSuffix(#""results":[{"id":1}]}"#))
        #expect(try await fake.send("films/?page=2").text.hasSuffix(#""results":[{"id":2}]}"#))
        #expect(try await fake.send("films/?page=2").text.hasSuffix(#""results":[{"id":3}]}"#))
        #expect(fake["films/3"]?["title"] == nil)
        #expect(try await fake.send("films/?page=3").text.hasSuffix(#""results":[{"id":4}]}"#))
        #expect(fake["films/3"]?["title"] == "C")
        #expect(try await fake.send("films/").text.contains(#""count":3"#))
    }

    @Test func `requests without a response count for planned changes`() async throws {
        fake.inject(.connectionClosed, times: 1)
        fake.inject(.status(500), times: 1)
        fake.scheduleChange(after: 2) { $0["films/1"] = nil }
        await #expect(throws: RemoteError.self) { _ = try await fake.send("films/1/") }
        #expect(fake["films/1"] != nil)
        #expect(try await fake.send("films/1/").status == 500)
        #expect(try await fake.send("films/1/").status == 404)
    }
}
