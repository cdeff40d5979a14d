import HTTPTypes
import Testing
import TidemarkFakeServices
import TidemarkTesting

struct ParseDialectTests {
    private let clock = ManualClock()
    private let fake: FakeService

    init() {
        fake = FakeService(
            collections: [
                "Game": [
                    [
                        "objectId": "g1", "score": 10, "tags": ["a", "b"],
                        "team": Self.pointer("t1"),
                    ],
                    ["objectId": "g2", "score": 20, "name": "Two", "team": Self.pointer("t9")],
                    ["objectId": "g3", "score": 30, "name": .null],
                ],
                "Team": [
                    [
                        "objectId": "t1",
                        "boss": [
                            "__type": "Pointer", "className": "Game",
                            "objectId": "g3",
                        ],
                    ]
                ],
            ],
            dialect: .parse { $0.maxLimit = 1_000 },
            path: "/parse/",
            environment: clock.environment
        )
    }

    private static func pointer(_ key: String) -> FakeJSON {
        ["__type": "Pointer", "className": "Team", "objectId": .string(key)]
    }

    private func ids(_ query: String) async throws -> [String] {
        let response = try await fake.send("classes/Game?\(query)")
        try #require(response.status == 200, "\(response.text)")
        return (try response.json()["results"]?.elements ?? []).compactMap {
            $0["objectId"]?.string
        }
    }

    @Test(arguments: [
        ("classes/Game?page=2", 400, #"{"code":102,"error":"Invalid parameter for query: page"}"#),
        (
            "classes/Game?where=%7B", 400,
            #"{"code":107,"error":"where parameter is not valid JSON"}"#
        ),
        (
            "classes/Game?where=[]", 400,
            #"{"code":107,"error":"where parameter is not valid JSON"}"#
        ),
        (
            #"classes/Game?where={"score":{"$near":1}}"#, 400,
            #"{"code":102,"error":"bad constraint: $near"}"#
        ),
        (
            #"classes/Game?where={"$where":"1"}"#, 400,
            #"{"code":102,"error":"bad constraint: $where"}"#
        ),
        (
            #"classes/Game?where={"$or":{}}"#, 400,
            #"{"code":102,"error":"Bad $or format - use an array value."}"#
        ),
        (
            #"classes/Game?where={"score":{"$in":1}}"#, 400,
            #"{"code":107,"error":"bad $in value"}"#
        ),
        ("classes/Game?limit=-1", 400, #"{"code":117,"error":"Invalid value for limit: -1"}"#),
        ("classes/Game?skip=x", 400, #"{"code":118,"error":"Invalid value for skip: x"}"#),
        ("classes/Game/g9", 404, #"{"code":101,"error":"Object not found."}"#),
        ("classes/None/g1", 404, #"{"code":101,"error":"Object not found."}"#),
        (
            "classes/Game/g1?limit=1", 400,
            #"{"code":102,"error":"Invalid parameter for query: limit"}"#
        ),
    ])
    func `an invalid request returns an error code`(
        _ path: String,
        _ status: Int,
        _ text: String
    ) async throws {
        let response = try await fake.send(path)
        #expect(response.status == status)
        #expect(response.text == text)
    }

    @Test func `an object contains its timestamps, in milliseconds`() async throws {
        clock.advance(by: .microseconds(1_999))
        fake["Game/g3"]?["score"] = 31
        let response = try await fake.send("classes/Game/g3")
        #expect(
            response.text
                == #"{"objectId":"g3","score":31,"name":null,"#
                + #""createdAt":"2017-07-14T02:40:00.000Z","updatedAt":"2017-07-14T02:40:00.001Z"}"#
        )
        #expect(response["ETag"] == nil)
        #expect(response["Content-Type"] == "application/json; charset=utf-8")
    }

    @Test(arguments: [
        (#"{}"#, ["g1", "g2", "g3"]),
        (#"{"score":20}"#, ["g2"]),
        (#"{"score":"20"}"#, []),
        (#"{"score":{"$gt":10,"$lte":30}}"#, ["g2", "g3"]),
        (#"{"score":{"$gte":10,"$lt":30}}"#, ["g1", "g2"]),
        (#"{"score":{"$gt":"0"}}"#, []),
        (#"{"score":{"$in":[10,30,"x"]}}"#, ["g1", "g3"]),
        (#"{"score":{"$in":[]}}"#, []),
        (#"{"score":{"$nin":[10]}}"#, ["g2", "g3"]),
        (#"{"score":{"$ne":10}}"#, ["g2", "g3"]),
        (#"{"name":{"$exists":true}}"#, ["g2", "g3"]),
        (#"{"name":{"$exists":false}}"#, ["g1"]),
        (#"{"name":null}"#, ["g1", "g3"]),
        (#"{"tags":"a"}"#, ["g1"]),
        (#"{"objectId":{"$gt":"g1"}}"#, ["g2", "g3"]),
        (#"{"$or":[{"score":10},{"name":"Two"}]}"#, ["g1", "g2"]),
        (#"{"$and":[{"score":{"$gt":5}},{"score":{"$lt":15}}]}"#, ["g1"]),
        (
            #"{"team":{"__type":"Pointer","className":"Team","objectId":"t1"}}"#, ["g1"]
        ),
        (
            #"{"updatedAt":{"$gte":{"__type":"Date","iso":"2017-07-14T02:40:00.000Z"}}}"#,
            ["g1", "g2", "g3"]
        ),
        (#"{"updatedAt":{"$gt":{"__type":"Date","iso":"2017-07-14T02:40:00.000Z"}}}"#, []),
        (#"{"createdAt":"2017-07-14T02:40:00.000Z"}"#, ["g1", "g2", "g3"]),
    ])
    func `conditions select objects`(_ condition: String, _ expected: [String]) async throws {
        #expect(try await ids("where=\(escaped(condition))") == expected)
        #expect(try await ids("where=\(escaped(condition))&order=-objectId") == expected.reversed())
    }

    @Test func `a list is ordered, limited and counted`() async throws {
        #expect(try await ids("order=-score&limit=2") == ["g3", "g2"])
        #expect(try await ids("order=-score&limit=2&skip=2") == ["g1"])
        #expect(try await ids("skip=9223372036854775807") == [])
        let count = try await fake.send("classes/Game?limit=0&count=1")
        #expect(count.text == #"{"results":[],"count":3}"#)
        #expect(try await fake.send("classes/None?count=1").text == #"{"results":[],"count":0}"#)
    }

    @Test func `limits are clamped silently`() async throws {
        fake.change { data in
            for number in 0..<1_200 { data["Many/\(number)"] = ["n": .number("\(number)")] }
        }
        func count(_ query: String) async throws -> Int? {
            try await fake.send("classes/Many\(query)").json()["results"]?.elements?.count
        }
        #expect(try await count("") == 100)
        #expect(try await count("?limit=5000") == 1_000)
        #expect(try await count("?limit=1001&skip=1000") == 200)
    }

    @Test func `paging by time and key finds all objects despite changes`() async throws {
        fake.scheduleChange(after: 2, at: "classes/Game") { data in
            data["Game/g1"]?["score"] = 11
            data["Game/g2"] = nil
        }
        clock.advance(by: .seconds(1))
        var seen: [String] = []
        var (time, key) = ("1970-01-01T00:00:00.000Z", "")
        for _ in 0..<10 {
            let date = #"{"__type":"Date","iso":"\#(time)"}"#
            let condition =
                #"{"$or":[{"updatedAt":{"$gt":\#(date)}},"#
                + #"{"updatedAt":\#(date),"objectId":{"$gt":"\#(key)"}}]}"#
            let response = try await fake.send(
                "classes/Game?where=\(escaped(condition))&order=updatedAt,objectId&limit=1"
            )
            guard let object = try response.json()["results"]?.elements?.first else { break }
            key = object["objectId"]?.string ?? ""
            time = object["updatedAt"]?.string ?? ""
            seen.append(key)
        }
        #expect(seen == ["g1", "g2", "g3", "g1"])
    }

    @Test func `keys selects members, in addition to those of the server`() async throws {
        let response = try await fake.send("classes/Game?keys=score,team.name&limit=1&order=-score")
        #expect(
            response.text
                == #"{"results":[{"objectId":"g3","score":30,"#
                + #""createdAt":"2017-07-14T02:40:00.000Z","#
                + #""updatedAt":"2017-07-14T02:40:00.000Z"}]}"#
        )
        let ids = try await fake.send(
            "classes/Game?keys=objectId&where=\(escaped(#"{"score":20}"#))"
        )
        #expect(ids.text.hasPrefix(#"{"results":[{"objectId":"g2","createdAt":"#))
    }

    @Test func `include replaces pointers with objects`() async throws {
        let whole = try await fake.send("classes/Game/g1?include=team.boss")
        let team = try #require(try whole.json()["team"])
        #expect(team["__type"] == "Object")
        #expect(team["className"] == "Team")
        #expect(team["createdAt"] == "2017-07-14T02:40:00.000Z")
        #expect(team["boss"]?["score"] == 30)
        let plain = try await fake.send("classes/Game/g2?include=team,none")
        #expect(try plain.json()["team"] == Self.pointer("t9"))
        let all = try await fake.send("classes/Game?include=*&limit=1")
        #expect(try all.json()["results"]?.elements?.first?["team"]?["__type"] == "Object")
    }

    @Test func `a deleted object leaves no tombstone`() async throws {
        fake["Game/g2"] = nil
        #expect(try await ids("") == ["g1", "g3"])
        #expect(try await fake.send("classes/Game/g2").status == 404)
    }

    @Test func `writes are forbidden`() async throws {
        let response = try await fake.send("classes/Game", .post)
        #expect(response.status == 403)
        #expect(try response.json()["code"] == 119)
    }
}
