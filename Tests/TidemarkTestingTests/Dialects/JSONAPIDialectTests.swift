import HTTPTypes
import Testing
import TidemarkFakeServices
import TidemarkTesting

struct JSONAPIDialectTests {
    private func service(
        _ change: (inout FakeDialect.JSONAPI) -> Void = { _ in }
    ) -> FakeService {
        FakeService(
            collections: [
                "films": [
                    ["id": 1, "title": "A", "people": [1, 2], "studio": "https://x/studios/9/"],
                    ["id": 2, "title": "B", "people": [2, 7], "studio": .null],
                    ["id": 3, "title": "C"],
                ],
                "people": [
                    ["id": "1", "name": "Ada", "films": ["1"]], ["id": "2", "name": "Bob"],
                ],
                "studios": [["id": 9, "name": "S"]],
            ],
            dialect: .jsonAPI { api in
                api.pageSize = 1
                api.relationships = [
                    "films": ["people": "people", "studio": "studios"],
                    "people": ["films": "films"],
                ]
                change(&api)
            }
        )
    }

    private func ids(_ json: FakeJSON?) -> [String] {
        (json?.elements ?? []).map { "\($0["type"]?.string ?? "")/\($0["id"]?.string ?? "")" }
    }

    @Test(arguments: [
        ("page=2", "page", "There is no parameter page."),
        ("page[offset]=2", "page[offset]", "There is no parameter page[offset]."),
        ("page%5Bnumber%5D=0", "page[number]", "0 is not a number from 1 on."),
        ("page[number]=x", "page[number]", "x is not a number from 1 on."),
        ("page[size]=1001", "page[size]", "A page has at most 1000 resources."),
        (
            "page[number]=9223372036854775807&page[size]=2", "page[number]",
            "There are not so many pages."
        ),
        ("sort=none", "sort", "Resources cannot be sorted by none."),
        ("include=studio.people", "include", "studios has no relationship people."),
        ("include=none", "include", "films has no relationship none."),
    ])
    func `an invalid parameter is an error`(
        _ query: String,
        _ parameter: String,
        _ detail: String
    ) async throws {
        let response = try await service().send("films?\(query)")
        #expect(response.status == 400)
        #expect(response["Content-Type"] == "application/vnd.api+json")
        #expect(
            response.text
                == #"{"errors":[{"status":"400","title":"Invalid query parameter","#
                + #""detail":"\#(detail)","source":{"parameter":"\#(parameter)"}}]}"#
        )
    }

    @Test(arguments: ["films/9", "ships", "", "films/1/people"])
    func `an unknown path is an error`(_ path: String) async throws {
        let response = try await service().send(path)
        #expect(response.status == 404)
        #expect(try response.json()["errors"]?.elements?.first?["status"] == "404")
        #expect(try await service().send(path, .post).status == 405)
    }

    @Test func `a resource has attributes and linkage`() async throws {
        let response = try await service().send("films/1")
        #expect(response["Content-Type"] == "application/vnd.api+json")
        #expect(
            response.text
                == #"{"data":{"type":"films","id":"1","attributes":{"title":"A"},"#
                + #""relationships":{"people":{"data":[{"type":"people","id":"1"},"#
                + #"{"type":"people","id":"2"}]},"#
                + #""studio":{"data":{"type":"studios","id":"9"}}},"#
                + #""links":{"self":"http://h/api/films/1"}}}"#
        )
        let empty = try await service().send("films/2").json()["data"]
        #expect(empty?["relationships"]?["studio"] == ["data": .null])
        #expect(try await service().send("films/3").json()["data"]?["relationships"] == nil)
    }

    @Test func `a page contains links to other pages`() async throws {
        let second = try await service().send("films?page[number]=2&sort=-title").json()
        #expect(ids(second["data"]) == ["films/2"])
        func link(_ page: Int) -> FakeJSON {
            .string("http://h/api/films?page%5Bnumber%5D=\(page)&sort=-title")
        }
        #expect(
            second["links"]
                == ["first": link(1), "last": link(3), "prev": link(1), "next": link(3)]
        )
        #expect(second["meta"] == ["total": 3])
        let plain = try await service { $0.brackets = .plain }.send("films?page[size]=2").json()
        #expect(
            plain["links"]?["next"] == "http://h/api/films?page[size]=2&page[number]=2"
        )
        #expect(plain["links"]?["prev"] == .null)
        let past = try await service { $0.total = nil }.send("films?page[number]=9").json()
        #expect(past["data"] == [])
        #expect(past["links"]?["prev"] == "http://h/api/films?page%5Bnumber%5D=3")
        #expect(past["links"]?["next"] == .null)
        #expect(past["meta"] == nil)
    }

    @Test func `related resources are included, each once`() async throws {
        let fake = service { $0.pageSize = 10 }
        let both = try await fake.send("films?include=people,studio").json()
        #expect(ids(both["included"]) == ["people/1", "people/2", "studios/9"])
        let deep = try await fake.send("films/2?include=people.films.studio").json()
        #expect(ids(deep["included"]) == ["people/2"])
        let round = try await fake.send("films/1?include=people.films").json()
        #expect(ids(round["included"]) == ["people/1", "people/2"])
        #expect(try await fake.send("films/3?include=people").json()["included"] == [])
        #expect(try await fake.send("films/1").json()["included"] == nil)
    }

    @Test func `fields are selected for each type`() async throws {
        let response = try await service().send(
            "films/1?fields[films]=people&fields%5Bpeople%5D=&include=people"
        ).json()
        #expect(response["data"]?["attributes"] == nil)
        #expect(response["data"]?["relationships"]?["studio"] == nil)
        #expect(response["data"]?["relationships"]?["people"] != nil)
        #expect(
            response["included"]?.elements?.first
                == ["type": "people", "id": "1", "links": ["self": "http://h/api/people/1"]]
        )
        let list = try await service().send("films?fields[films]=").json()["data"]
        #expect(list?.elements?.first?["attributes"] == nil)
    }

    @Test func `resources are filtered by attributes and by the time of change`() async throws {
        let clock = ManualClock()
        let fake = FakeService(
            collections: ["films": [["id": 1, "n": 1, "t": "x"], ["id": 2, "n": 2]]],
            dialect: .jsonAPI { api in
                api.timestamps.changed = "updated-at"
                api.since = "since"
            },
            environment: clock.environment
        )
        clock.advance(by: .seconds(1))
        fake["films/2"]?["n"] = 3
        func found(_ query: String) async throws -> [String] {
            ids(try await fake.send("films?\(query)").json()["data"])
        }
        #expect(try await found("filter[n]=1,2") == ["films/1"])
        #expect(try await found("filter[t]=x&filter[n]=1") == ["films/1"])
        #expect(try await found("filter[since]=2017-07-14T02:40:01Z") == ["films/2"])
        #expect(try await found("sort=-updated-at") == ["films/2", "films/1"])
        #expect(try await fake.send("films?filter[since]=x").status == 400)
        let film = try await fake.send("films/2").json()["data"]
        #expect(film?["attributes"]?["updated-at"] == "2017-07-14T02:40:01.000Z")
    }
}
