import HTTPTypes
import Testing
import TidemarkFakeServices
import TidemarkRemote
import TidemarkTesting

/// Invalid and excessive requests, to which every dialect has to respond.
struct ArbitraryQueryTests {
    private static let lists: [(name: String, dialect: FakeDialect, path: String)] = [
        ("pages", .rest { $0.timestamps.changed = "updated_at" }, "things/"),
        ("offsets", .rest { $0.pagination = .offsets }, "things/"),
        ("cursors", .rest { $0.pagination = .cursor(by: "-a") }, "things/"),
        ("rails", .rails(), "things"), ("parse", .parse(), "classes/things"),
        ("kinto", .kinto(), "buckets/app/collections/things/records"),
        ("jsonapi", .jsonAPI(), "things"),
    ]

    private static let names = [
        "page", "per_page", "limit", "offset", "cursor", "updated_since", "updated_at__gt",
        "ordering", "fields", "where", "order", "skip", "keys", "include", "count", "_since",
        "_before", "_sort", "_limit", "_fields", "_token", "in_id", "last_modified",
        "page[number]", "page[size]", "sort", "fields[things]", "filter[a]", "", "[", "%", "%zz",
    ]

    private static let values = [
        "", "0", "-1", "1", "9223372036854775807", "9223372036854774784", "-9223372036854775808",
        "1e400", "NaN",
        "99999999999999999999999999999999", "%", "%F", "%ff%00", "+", "é", "a,,b,-,--", ",", "-",
        "\"", "%22%22", "[]", "{}", "%7B%22%24or%22%3A%5B%5D%7D", "%7B%22a%22%3A%7B%7D%7D",
        "5b5d", "9999-99-99T99:99:99Z", "-292277022399-01-01", "a.a.a.a.a.a.a.a.a.a.a.a.a", "=&=",
    ]

    @Test(arguments: lists.indices)
    func `any query parameter gets a response`(_ index: Int) async throws {
        let (name, dialect, path) = Self.lists[index]
        let fake = FakeService(
            collections: ["things": (1...3).map { ["id": .number("\($0)"), "a": 1] }],
            dialect: dialect
        )
        for parameter in Self.names {
            for value in Self.values {
                let response = try await fake.send("\(path)?\(parameter)=\(value)")
                #expect([200, 400, 404].contains(response.status), "\(name) \(parameter)=\(value)")
            }
        }
    }

    @Test(arguments: lists.indices)
    func `long and deeply nested parameters get a response`(_ index: Int) async throws {
        let (name, dialect, path) = Self.lists[index]
        let fake = FakeService(collections: ["things": [["id": 1, "a": 1]]], dialect: dialect)
        let values = [
            String(repeating: "9", count: 100_000), String(repeating: "a,", count: 50_000),
            String(repeating: "%7B%22%24or%22%3A%5B", count: 240),
            String(repeating: "[", count: 9_999),
            String(repeating: "%7B%22%24or%22%3A%5B", count: 200)
                + String(repeating: "%5D%7D", count: 200),
            String(repeating: "a.", count: 10_000), String(repeating: "5b", count: 9_000),
        ]
        for parameter in ["where", "include", "_token", "cursor", "_sort", "sort", "in_id", "page"]
        {
            for value in values {
                let response = try await fake.send("\(path)?\(parameter)=\(value)")
                #expect([200, 400, 404].contains(response.status), "\(name) \(parameter)")
            }
        }
    }

    @Test(arguments: lists.indices)
    func `any path and any conditional header field get a response`(_ index: Int) async throws {
        let fake = FakeService(
            collections: ["things": [["id": 1]], "": [["id": 1]], "buckets": []],
            dialect: Self.lists[index].dialect
        )
        for path in ["", "/", "//", "things//", "%2F", "things/%2e%2e", "?", "?&", "??", "#", "é/"]
        {
            #expect([200, 301, 400, 404].contains(try await fake.send(path).status), "\(path)")
        }
        let path = Self.lists[index].path
        for value in [
            "", "\"", "\"\"", "W/", "*", ",", "\"9999999999999999999999\"", "W/\"\"\"", "é",
        ] {
            for name in ["If-None-Match", "If-Match", "If-Modified-Since"] {
                var request = HTTPRequest(
                    method: .get,
                    scheme: nil,
                    authority: nil,
                    path: "/api/\(path)"
                )
                request.headerFields[try #require(HTTPField.Name(name))] = value
                let status = try await fake.send(request, body: nil).head.status.code
                #expect([200, 304, 400, 412].contains(status), "\(name): \(value)")
            }
        }
    }
}
