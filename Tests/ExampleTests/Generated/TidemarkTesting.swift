// The examples in the documentation comments of TidemarkTesting, written by `make examples`.
// swift-format-ignore-file

import Foundation
import GRDB
import HTTPTypes
import Logging
import Testing
import Tidemark
import TidemarkCoreData
import TidemarkHTTPClient
import TidemarkMacros
import TidemarkTesting

// Sources/TidemarkTesting/Data/FakeData+Folder.swift
private func FakeData_Folder_1() throws {
    let fixtures = URL(filePath: "Tests/Fixtures")  // films.json, people.json
    let swapi = FakeService(data: try .read(from: fixtures), linkBase: "https://swapi.dev/api/")
}

// Sources/TidemarkTesting/Data/FakeData.swift
private func FakeData_1() throws {
    fake.change { data in
        data["films/1"]?["title"] = "Star Wars"
        data["films/2"] = nil
        data["films/3"] = ["title": "Return of the Jedi"]
    }
}

// Sources/TidemarkTesting/Data/FakeData.swift
private func FakeData_2() throws {
    let data = FakeData([(name: "films", objects: [["id": 1], ["id": 2]])])
    let fake = FakeService(data: data)
}

// Sources/TidemarkTesting/Data/FakeData.swift
private func FakeData_3() throws {
    let titles = fake.data[objects: "films"]?.compactMap { $0["title"]?.string }
}

// Sources/TidemarkTesting/Data/FakeData.swift
private func FakeData_4() throws {
    fake.change { data in
        data["posts/7/comments/1"] = ["text": "Agreed."]  // gets the id 1
        data["posts/6"] = nil
    }
}

// Sources/TidemarkTesting/Data/FakeTimestampNames.swift
private func FakeTimestampNames_1() throws {
    let fake = FakeService(
        collections: ["films": [["id": 1]]],
        dialect: .rest { $0.timestamps = FakeTimestampNames(changed: "updated_at") }
    )
    // {"id":1,"updated_at":"2017-07-14T02:40:00Z"}
}

// Sources/TidemarkTesting/Data/FakeTimestampNames.swift
private func FakeTimestampNames_2() throws {
    let dialect = FakeDialect.rest { $0.timestamps.changed = "updated_at" }
}

// Sources/TidemarkTesting/Data/FakeTimestampNames.swift
private func FakeTimestampNames_3() throws {
    let dialect = FakeDialect.rest {
        $0.timestamps = FakeTimestampNames(changed: "updated_at", deleted: "deleted_at")
    }
}

// Sources/TidemarkTesting/FakeServiceError.swift
private func FakeServiceError_1() throws {
    let film = try FakeJSON(parsing: #"{"id": 4, "title": "A New Hope"}"#.utf8)
    print(film["title"] ?? .null)  // "A New Hope"
}

// Sources/TidemarkTesting/JSON/FakeJSON+Text.swift
private func FakeJSON_Text_1() throws {
    let film: FakeJSON = ["id": 4, "title": "A New Hope"]
    print(film)  // {"id":4,"title":"A New Hope"}
}

// Sources/TidemarkTesting/JSON/FakeJSON.swift
private func FakeJSON_1() throws {
    var film: FakeJSON = ["title": "A New Hope", "episode_id": 4, "planets": ["…/planets/1/"]]
    film["title"] = "Star Wars"
    film["director"] = .null
    print(film["planets"]?.elements?.count ?? 0)  // 1
}

// Sources/TidemarkTesting/JSON/FakeJSON.swift
private func FakeJSON_2() throws {
    let order: FakeJSON = ["total": .number("1.50"), "serial": .number("12345678901234567890")]
}

// Sources/TidemarkTesting/JSON/FakeJSON.swift
private func FakeJSON_3() throws {
    let twice = FakeJSON.object([.init("id", 1), .init("id", 2)])
    print(twice)  // {"id":1,"id":2}
}

// Sources/TidemarkTesting/JSON/FakeJSON.swift
private func FakeJSON_4() throws {
    let title = FakeJSON.Member("title", "A New Hope")
    let film = FakeJSON.object([title, FakeJSON.Member("episode_id", 4)])
}

// Sources/TidemarkTesting/JSON/FakeJSON.swift
private func FakeJSON_5() throws {
    fake["films/1"]?["title"] = "Star Wars"  // changes the member
    fake["films/1"]?["director"] = nil       // removes the member
    fake["films/1"]?["episode_id"] = FakeJSON.null  // the value null
}

// Sources/TidemarkTesting/JSON/FakeJSON.swift
private func FakeJSON_6() throws {
    let title = fake["films/1"]?["title"]?.string ?? "untitled"
}

// Sources/TidemarkTesting/JSON/FakeJSON.swift
private func FakeJSON_7() throws {
    let film: FakeJSON = ["id": 1, "tags": ["space", "war"], "sequel": nil]
}

// Sources/TidemarkTesting/ManualClock.swift
private func ManualClock_1() async throws {
    let clock = ManualClock()
    let fake = FakeService(collections: ["films": [["id": 1]]], environment: clock.environment)
    let engine = try await SyncEngine.prepare(
        store: store,
        service: service,
        resources: [service.resource("Film", path: "films/")],
        transport: fake,
        environment: clock.environment
    )
    fake.inject(.status(503, retryAfter: .seconds(20)), times: 1)
    _ = try await engine.pull()
    print(clock.sleeps)  // the wait for the retry, at least 20 seconds
}

// Sources/TidemarkTesting/ManualClock.swift
private func ManualClock_2() throws {
    let clock = ManualClock(now: Date(timeIntervalSince1970: 0), seed: 7)
    print(clock.now)  // 1970-01-01 00:00:00 +0000
}

// Sources/TidemarkTesting/ManualClock.swift
private func ManualClock_3() async throws {
    let clock = ManualClock()
    try await clock.environment.sleep(.seconds(2))
    print(clock.sleeps)  // [2.0 seconds]
}

// Sources/TidemarkTesting/ManualClock.swift
private func ManualClock_4() throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(86_400))  // the next day
}

// Sources/TidemarkTesting/ManualClock.swift
private func ManualClock_5() throws {
    let clock = ManualClock()
    let fake = FakeService(collections: ["films": []], environment: clock.environment)
}

// Sources/TidemarkTesting/ManualClock.swift
private func ManualClock_6() throws {
    let fake = FakeService(collections: ["films": []], environment: .manual(seed: 3))
}

// Sources/TidemarkTesting/REST/FakeDialect+REST.swift
private func FakeDialect_REST_1() throws {
    let dialect = FakeDialect.rest {
        $0.pagination = .offsets
        $0.timestamps = FakeTimestampNames(changed: "updated_at", deleted: "deleted_at")
    }
}

// Sources/TidemarkTesting/REST/FakeDialect+REST.swift
private func FakeDialect_REST_2() throws {
    let dialect = FakeDialect.rest { $0.pagination = .cursor(by: "-updated_at") }
}

// Sources/TidemarkTesting/REST/FakeDialect+REST.swift
private func FakeDialect_REST_3() throws {
    let dialect = FakeDialect.rest { $0.timestamps.changed = "updated_at" }
    // GET /api/films/?updated_since=2017-07-14T02:40:00Z
}

// Sources/TidemarkTesting/REST/FakeDialect+REST.swift
private func FakeDialect_REST_4() throws {
    let dialect = FakeDialect.rest(pageSize: 100) {
        $0.timestamps.changed = "updated_at"
        $0.pagination = .cursor(by: "updated_at")
    }
}

// Sources/TidemarkTesting/Service/FakeDialect.swift
private func FakeDialect_1() throws {
    let fake = FakeService(collections: ["films": []], dialect: .rest(pageSize: 2))
}

// Sources/TidemarkTesting/Service/FakeDialect.swift
private func FakeDialect_2() throws {
    var dialect = FakeDialect.rest()
    dialect.writes = FakeWrites()
}

// Sources/TidemarkTesting/Service/FakeFault.swift
private func FakeFault_1() async throws {
    fake.inject(.status(503, retryAfter: .seconds(2)), times: 1)
    fake.inject(.truncatedBody(after: 100), times: 1, at: "films/?page=2")
    let report = try await engine.pull()
    print(report.isComplete)  // true: both requests were sent again
}

// Sources/TidemarkTesting/Service/FakeFault.swift
private func FakeFault_2() throws {
    fake.inject(.status(429, retryAfter: .date(in: .seconds(90))), times: 1)
}

// Sources/TidemarkTesting/Service/FakeFault.swift
private func FakeFault_3() throws {
    fake.inject(.status(429, retryAfter: .seconds(7)), times: 1)  // rate limited
    fake.inject(.status(410), at: "films/?since=")                // the cursor expired
}

// Sources/TidemarkTesting/Service/FakeFault.swift
private func FakeFault_4() throws {
    fake.inject(.body("[]", type: "application/json"), times: 1)  // a list without objects
}

// Sources/TidemarkTesting/Service/FakeFault.swift
private func FakeFault_5() throws {
    fake.inject(.redirect(to: "https://elsewhere.example/films/"), times: 1)
}

// Sources/TidemarkTesting/Service/FakeFault.swift
private func FakeFault_6() throws {
    fake.inject(.header("ETag", "\"stale\""))  // the same entity tag for all contents
}

// Sources/TidemarkTesting/Service/FakeFault.swift
private func FakeFault_7() throws {
    fake.inject(.contentType("text/plain"))  // JSON from a static file server
}

// Sources/TidemarkTesting/Service/FakeFault.swift
private func FakeFault_8() throws {
    fake.inject(.truncatedBody(after: 1_000), times: 1)  // the network is lost during a page
}

// Sources/TidemarkTesting/Service/FakeFault.swift
private func FakeFault_9() throws {
    fake.inject(.slowBody(10, every: .seconds(1)))  // ten bytes per second
}

// Sources/TidemarkTesting/Service/FakeFault.swift
private func FakeFault_10() async throws {
    fake.inject(.connectionClosed)
    let report = try? await engine.pull()  // fails; the rows of the store are kept
}

// Sources/TidemarkTesting/Service/FakeFault.swift
private func FakeFault_11() throws {
    fake.inject(.lostResponse, times: 1)  // the network is lost after a POST
}

// Sources/TidemarkTesting/Service/FakeFault.swift
private func FakeFault_12() throws {
    fake.inject(.failingAfterCommit(500), times: 1)
}

// Sources/TidemarkTesting/Service/FakeFault.swift
private func FakeFault_13() throws {
    fake.inject(.duplicateDelivery, times: 1)
}

// Sources/TidemarkTesting/Service/FakeFault.swift
private func FakeFault_14() throws {
    fake.inject(.concurrentUpdate(["title": "Theirs"]), times: 1, at: "films/1/")
}

// Sources/TidemarkTesting/Service/FakeFault.swift
private func FakeFault_15() throws {
    fake.inject(.partialBatch(2), times: 1)  // two of the changes are applied
}

// Sources/TidemarkTesting/Service/FakeFault.swift
private func FakeFault_16() throws {
    fake.inject(.expiredCredentials, times: 1, at: "films/2/")
}

// Sources/TidemarkTesting/Service/FakeFault.swift
private func FakeFault_17() throws {
    fake.inject(.backoff(seconds: 30), times: 1)
}

// Sources/TidemarkTesting/Service/FakeService+Data.swift
private func FakeService_Data_1() throws {
    let service = Service.rest(url: fake.url)
    let films = service.resource("Film", path: "films/")
}

// Sources/TidemarkTesting/Service/FakeService+Data.swift
private func FakeService_Data_2() throws {
    fake["films/1"]?["title"] = "Star Wars"          // an update
    fake["films/2"] = ["title": "The Empire Strikes Back"]  // an insertion, with the id 2
    fake["films/3"] = nil                            // a deletion
}

// Sources/TidemarkTesting/Service/FakeService+Data.swift
private func FakeService_Data_3() throws {
    print(fake.data[objects: "films"]?.count ?? 0)
}

// Sources/TidemarkTesting/Service/FakeService+Data.swift
private func FakeService_Data_4() throws {
    fake.clockSkew = .seconds(-300)  // five minutes slow
}

// Sources/TidemarkTesting/Service/FakeService+Data.swift
private func FakeService_Data_5() throws {
    fake.change { data in
        data["films/1"] = nil
        data["films/2"]?["title"] = "Episode V"
    }
}

// Sources/TidemarkTesting/Service/FakeService+Data.swift
private func FakeService_Data_6() throws {
    // After page 2 was sent, the first object of page 1 is deleted.
    fake.scheduleChange(after: 2, at: "films/") { data in data["films/1"] = nil }
}

// Sources/TidemarkTesting/Service/FakeService+Data.swift
private func FakeService_Data_7() throws {
    fake.reset()
    print(fake.data[objects: "films"]?.isEmpty ?? false)  // true
}

// Sources/TidemarkTesting/Service/FakeService+Data.swift
private func FakeService_Data_8() throws {
    fake["films/1"] = nil
    fake.purgeTombstones()  // the next request for changes does not contain films/1
}

// Sources/TidemarkTesting/Service/FakeService+Data.swift
private func FakeService_Data_9() async throws {
    _ = try await engine.pull()
    print(fake.requests)
    // GET /api/films/ 200
    // GET /api/films/?page=2 304
}

// Sources/TidemarkTesting/Service/FakeService+Data.swift
private func FakeService_Data_10() async throws {
    _ = try await engine.pull()
    fake.clearRequests()
    _ = try await engine.pull()
    print(fake.requests.count)  // the requests of the second pull
}

// Sources/TidemarkTesting/Service/FakeService+Data.swift
private func FakeService_Data_11() throws {
    fake.inject(.status(503), times: 2)  // two failures, then success
    fake.inject(.truncatedBody(after: 100), at: "films/?page=2")  // always, on this page
}

// Sources/TidemarkTesting/Service/FakeService+Data.swift
private func FakeService_Data_12() throws {
    fake.inject(.connectionClosed)  // the service is down
    fake.removeFaults()            // it is back
}

// Sources/TidemarkTesting/Service/FakeService+Files.swift
private func FakeService_Files_1() throws {
    print(fake.file(at: "media/cover.png")?.count ?? 0)
}

// Sources/TidemarkTesting/Service/FakeService+Files.swift
private func FakeService_Files_2() async throws {
    fake.setFile([0x89, 0x50, 0x4E, 0x47], type: "image/png", at: "media/cover.png")
    let url = fake.url.appending(path: "media/cover.png")
    let file = try await engine.assets.file(for: url)
}

// Sources/TidemarkTesting/Service/FakeService.swift
private func FakeService_1() async throws {
    let fake = FakeService(collections: ["films": [["id": 1, "title": "A New Hope"]]])
    let service = Service.rest(url: fake.url)
    let engine = try await SyncEngine.prepare(
        store: store,
        service: service,
        resources: [service.resource("Film", path: "films/")],
        transport: fake
    )
    _ = try await engine.pull()               // inserts the film
    fake["films/1"]?["title"] = "Star Wars"
    fake.inject(.status(500), times: 1)
    _ = try await engine.pull()               // retries, and updates it
}

// Sources/TidemarkTesting/Service/FakeService.swift
private func FakeService_2() throws {
    let copy = FakeService(data: fake.data, dialect: .rest(pageSize: 2))
}

// Sources/TidemarkTesting/Service/FakeService.swift
private func FakeService_3() throws {
    let fake = FakeService(
        collections: [
            "posts": [["id": 7, "title": "Notes"]],
            "posts/7/comments": [["id": 1, "text": "Agreed."]],
        ],
        dialect: .rest(pageSize: 100) { $0.timestamps.changed = "updated_at" }
    )
}

// Sources/TidemarkTesting/Service/FakeService.swift
private func FakeService_4() async throws {
    let request = HTTPRequest(method: .get, url: fake.url.appending(path: "films/"))
    let response = try await fake.send(request, body: nil)
    print(response.head.status.code)  // 200
}

// Sources/TidemarkTesting/Service/RecordedRequests.swift
private func RecordedRequests_1() throws {
    let conditional = fake.requests.filter { $0.request.headerFields[.ifNoneMatch] != nil }
    print(conditional.count, fake.requests.map(\.status))
}

// Sources/TidemarkTesting/Service/RecordedRequests.swift
private func RecordedRequests_2() throws {
    if let last = fake.requests.last {
        print(last.request.path ?? "/", last.status == 304)
    }
}

// Sources/TidemarkTesting/Service/RecordedRequests.swift
private func RecordedRequests_3() throws {
    print(fake.requests)
    // GET /api/films/ 200
    // GET /api/films/?page=2 503
    // GET /api/films/?page=2 200
}

// Sources/TidemarkTesting/Tables/StoreTable.swift
private func StoreTable_1() throws {
    #expect(
        try table(of: store, "User") == """
            User
            #  id  name  company
            1  6   Ada   1
            2  7   Bob   -
            """
    )
}

// Sources/TidemarkTesting/Writing/FakeWrites.swift
private func FakeWrites_1() throws {
    var dialect = FakeDialect.rest()
    dialect.writes = FakeWrites()
    dialect.writes?.required["films"] = ["title"]    // a film without a title is rejected
    let fake = FakeService(collections: ["films": []], dialect: dialect)
}

// Sources/TidemarkTesting/Writing/FakeWrites.swift
private func FakeWrites_2() async throws {
    _ = try await engine.sync()
    #expect(fake.audit.map(\.description) == [#"create films/1 {"id":1,"title":"Star Wars"}"#])
}
