import HTTPTypes
import Testing
import TidemarkFakeServices
import TidemarkTesting

struct KintoDialectTests {
    private let clock = ManualClock()
    private let records = "buckets/app/collections/tasks/records"

    /// Creates a service with records that have the timestamps …001, …002 and so on.
    private func service(
        _ count: Int = 7,
        _ change: (inout FakeDialect.Kinto) -> Void = { _ in }
    ) -> FakeService {
        FakeService(
            collections: [
                "tasks": (1...count).map { ["id": .string("r\($0)"), "n": .number("\($0)")] }
            ],
            dialect: .kinto(change),
            path: "/v1/",
            environment: clock.environment
        )
    }

    private func ids(_ response: ReceivedResponse) throws -> [String] {
        (try response.json()["data"]?.elements ?? []).compactMap { $0["id"]?.string }
    }

    @Test(arguments: [
        (
            "?_since=abc",
            #"{"code":400,"errno":107,"error":"Invalid parameters","#
                + #""message":"_since in querystring: \"abc\" is not a number","#
                + #""details":[{"location":"querystring","name":"_since","#
                + #""description":"\"abc\" is not a number"}]}"#
        ),
        (
            "?_before=1895297360647",
            #"{"code":400,"errno":107,"error":"Invalid parameters","#
                + #""message":"Invalid value for _before","details":[{"location":"querystring","#
                + #""name":"_before","description":"Invalid value for _before"}]}"#
        ),
        (
            "?_limit=-1",
            #"{"code":400,"errno":107,"error":"Invalid parameters","#
                + #""message":"_limit in querystring: -1 is less than minimum value 0","#
                + #""details":[{"location":"querystring","name":"_limit","#
                + #""description":"-1 is less than minimum value 0"}]}"#
        ),
        (
            "?_limit=many",
            #"{"code":400,"errno":107,"error":"Invalid parameters","#
                + #""message":"_limit in querystring: \"many\" is not a number","#
                + #""details":[{"location":"querystring","name":"_limit","#
                + #""description":"\"many\" is not a number"}]}"#
        ),
        (
            "?_token=x",
            #"{"code":400,"errno":107,"error":"Invalid parameters","#
                + #""message":"querystring: _token has invalid content","details":["#
                + #"{"location":"querystring","name":null,"#
                + #""description":"_token has invalid content"}]}"#
        ),
    ])
    func `an invalid parameter is an error`(_ query: String, _ text: String) async throws {
        let response = try await service().send(records + query)
        #expect(response.status == 400)
        #expect(response.text == text)
    }

    @Test(arguments: [
        (
            "buckets/app/collections/tasks/records/r9", 404,
            #"{"code":404,"errno":110,"error":"Not Found","#
                + #""details":{"id":"r9","resource_name":"record"}}"#
        ),
        (
            "buckets/app/collections/none/records", 404,
            #"{"code":404,"errno":111,"error":"Not Found","#
                + #""details":{"id":"none","resource_name":"collection"}}"#
        ),
        (
            "buckets/other/collections/tasks/records", 403,
            #"{"code":403,"errno":121,"error":"Forbidden","#
                + #""message":"This user cannot access this resource."}"#
        ),
        (
            "nothing", 404,
            #"{"code":404,"errno":111,"error":"Not Found","#
                + #""message":"The resource you are looking for could not be found."}"#
        ),
    ])
    func `an unknown path is an error`(
        _ path: String,
        _ status: Int,
        _ text: String
    ) async throws {
        let response = try await service().send(path)
        #expect(response.status == status)
        #expect(response.text == text)
    }

    @Test func `writes are not allowed`() async throws {
        let response = try await service().send(records, .post)
        #expect(response.status == 405)
        #expect(response["Allow"] == "HEAD, GET")
        #expect(try response.json()["errno"] == 115)
    }

    @Test func `a list starts with the newest record, and has the collection's tag`() async throws {
        let fake = service(2)
        clock.advance(by: .seconds(2))
        fake["tasks/r1"]?["n"] = 10
        let response = try await fake.send(records)
        #expect(
            response.text
                == #"{"data":[{"n":10,"id":"r1","last_modified":1500000002000},"#
                + #"{"n":2,"id":"r2","last_modified":1500000000002}]}"#
        )
        #expect(response["ETag"] == "\"1500000002000\"")
        #expect(response["Last-Modified"] == "Fri, 14 Jul 2017 02:40:02 GMT")
        #expect(response["Next-Page"] == nil)
        let record = try await fake.send("\(records)/r2")
        #expect(
            record.text
                == #"{"permissions":{"write":["basicauth:owner"]},"#
                + #""data":{"n":2,"id":"r2","last_modified":1500000000002}}"#
        )
        #expect(record["ETag"] == "\"1500000000002\"")
    }

    @Test func `pages are linked by tokens, and limited by the service`() async throws {
        let fake = service { $0.paginateBy = 3 }
        var response = try await fake.send("\(records)?_sort=last_modified&_limit=100")
        var pages = [try ids(response)]
        let next = try #require(response["Next-Page"])
        #expect(next.hasPrefix("http://h/v1/\(records)?_sort=last_modified&_limit=3&_token="))
        while let next = response["Next-Page"] {
            let again = try await fake.follow(next)
            response = try await fake.follow(next)
            #expect(again.text == response.text)
            pages.append(try ids(response))
        }
        #expect(pages == [["r1", "r2", "r3"], ["r4", "r5", "r6"], ["r7"]])
    }

    @Test func `a page of a list that was modified fails its precondition`() async throws {
        let fake = service { $0.paginateBy = 3 }
        let first = try await fake.send(records)
        let (next, tag) = (try #require(first["Next-Page"]), try #require(first["ETag"]))
        #expect(try await fake.follow(next, ["If-Match": tag]).status == 200)
        fake["tasks/r9"] = ["n": 9]
        let failed = try await fake.follow(next, ["If-Match": tag])
        #expect(failed.status == 412)
        #expect(
            failed.text
                == #"{"code":412,"errno":114,"error":"Precondition Failed","#
                + #""message":"Resource was modified meanwhile"}"#
        )
        #expect(failed["ETag"] == "\"1500000000008\"")
        let record = try await fake.send("\(records)/r1", .get, ["If-Match": "\"1\""])
        #expect(record.status == 412)
        #expect(try record.json()["details"]?["existing"]?["id"] == "r1")
        #expect(try await fake.follow(next, ["If-Match": "*"]).status == 200)
        for name in ["If-Match", "If-None-Match"] {
            for value in ["x", "W/\(tag)", "\"\""] {
                let response = try await fake.send(records, .get, [name: value])
                #expect(response.status == 400)
                #expect(
                    try response.json()["message"]
                        == .string(
                            "\(name) in header: The value should be integer between double quotes."
                        )
                )
            }
        }
    }

    @Test func `a conditional request for an unmodified resource returns 304`() async throws {
        let fake = service(2)
        for (path, stamp) in [(records, 2), ("\(records)/r1", 1)] {
            let tag = "\"150000000000\(stamp)\""
            let known = try await fake.send(path, .get, ["If-None-Match": tag])
            #expect(known.status == 304)
            #expect(known.text.isEmpty)
            #expect(known["ETag"] == tag)
            #expect(known["Content-Length"] == nil)
            let past = ["If-Modified-Since": "Fri, 14 Jul 2027 02:40:00 GMT"] as KeyValuePairs
            #expect(try await fake.send(path, .get, past).status == 200)
            for other in ["\"1500000000000\"", "\"1500000009999\"", "*"] {
                #expect(try await fake.send(path, .get, ["If-None-Match": other]).status == 200)
            }
        }
    }

    @Test func `changes since a timestamp exclude it, and include tombstones`() async throws {
        let fake = service(3)
        fake["tasks/r2"] = nil
        fake["tasks/r1"]?["n"] = 10
        let changes =
            #"{"data":[{"n":10,"id":"r1","last_modified":1500000000005},"#
            + #"{"id":"r2","last_modified":1500000000004,"deleted":true}]}"#
        for since in ["1500000000003", "%221500000000003%22"] {
            #expect(try await fake.send("\(records)?_since=\(since)").text == changes)
        }
        let all = [
            ("_since=1500000000004", ["r1"]), ("_since=1500000000005", []),
            ("_since=0&_sort=last_modified", ["r3", "r2", "r1"]),
            ("_since=0&_sort=last_modified&_limit=2", ["r3", "r2"]),
            ("_before=1500000000005", ["r2", "r3"]), ("_since=0&_before=%22150000000000%22", []),
            ("gt_last_modified=1500000000004", ["r1"]), ("last_modified=1500000000004", ["r2"]),
            ("_fields=", ["r1", "r3"]), ("_limit=0", ["r1", "r3"]), ("", ["r1", "r3"]),
        ]
        for (query, expected) in all {
            #expect(try ids(try await fake.send("\(records)?\(query)")) == expected, "\(query)")
        }
        fake.purgeTombstones()
        #expect(try ids(try await fake.send("\(records)?_since=0")) == ["r1", "r3"])
    }

    @Test func `a reset collection has no changes and a newer timestamp`() async throws {
        let fake = service(3)
        fake.reset()
        let response = try await fake.send("\(records)?_since=1500000000003")
        #expect(response.status == 200)
        #expect(response.text == #"{"data":[]}"#)
        #expect(response["ETag"] == "\"1500000000004\"")
    }

    @Test func `members are selected, in addition to the key and the timestamp`() async throws {
        let fake = service(2)
        fake["tasks/r1"]?["title"] = "A"
        let response = try await fake.send("\(records)?_fields=title&_sort=n")
        #expect(
            response.text
                == #"{"data":[{"title":"A","id":"r1","last_modified":1500000000003},"#
                + #"{"id":"r2","last_modified":1500000000002}]}"#
        )
    }

    @Test(arguments: [
        ("n=2", ["r2"]), ("n=%222%22", []), ("min_n=6", ["r7", "r6"]), ("max_n=1", ["r1"]),
        ("gt_n=6", ["r7"]), ("lt_n=2", ["r1"]), ("not_n=7&min_n=6", ["r6"]),
        ("in_id=r1,r7,r9", ["r7", "r1"]), ("exclude_n=1,2,3,4,5", ["r7", "r6"]),
        ("gt_id=r5&_sort=id", ["r6", "r7"]), ("_sort=-n&_limit=2", ["r7", "r6"]),
        ("none=1", []),
    ])
    func `records are filtered`(_ query: String, _ expected: [String]) async throws {
        #expect(try ids(try await service().send("\(records)?\(query)")) == expected)
    }

    @Test func `a HEAD response contains the number of records`() async throws {
        let fake = service()
        fake["tasks/r1"] = nil
        let response = try await fake.send("\(records)?_limit=2", .head)
        #expect(response.status == 200)
        #expect(response["Total-Objects"] == "6")
        #expect(response["Total-Records"] == "6")
        #expect(response["ETag"] == "\"1500000000008\"")
        #expect(try await fake.send("\(records)?min_n=6", .head)["Total-Objects"] == "2")
        #expect(try await fake.send(records)["Total-Objects"] == nil)
    }

    @Test func `successful responses contain Backoff and Alert`() async throws {
        let fake = service(1)
        fake.inject(.backoff(seconds: 10), at: "buckets/")
        fake.inject(.header("Alert", #"{"code":"soft-eol"}"#), times: 1)
        let response = try await fake.send(records)
        #expect(response.status == 200)
        #expect(response["Backoff"] == "10")
        #expect(response["Alert"] == #"{"code":"soft-eol"}"#)
        let known = try await fake.send(records, .get, ["If-None-Match": "\"1500000000001\""])
        #expect(known.status == 304)
        #expect(known["Backoff"] == "10")
        #expect(known["Alert"] == nil)
        #expect(try await fake.send("")["Backoff"] == nil)
    }

    @Test func `the root describes the service`() async throws {
        let root = try await service().send("").json()
        #expect(root["settings"]?["batch_max_requests"] == 25)
        #expect(root["url"] == "http://h/v1/")
    }
}
