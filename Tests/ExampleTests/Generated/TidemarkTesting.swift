// The examples in the documentation comments of TidemarkTesting, written by `make examples`.
// swift-format-ignore-file

import Foundation
import GRDB
import HTTPTypes
import Logging
import Testing
import Tidemark
import TidemarkCoreData
import TidemarkFakeServer
import TidemarkFakeServices
import TidemarkHTTPClient
import TidemarkInference
import TidemarkTesting
import TidemarkYAML
import Yams

// Sources/TidemarkTesting/Data/FakeData.swift
private func FakeData_1() throws {
    fake.change { data in
        data["films/1"]?["title"] = "Star Wars"
        data["films/2"] = nil
        data.collections[0].objects.reverse()
    }
}

// Sources/TidemarkTesting/JSON/FakeJSON.swift
private func FakeJSON_1() throws {
    var film: FakeJSON = ["title": "A New Hope", "episode_id": 4, "planets": ["…/planets/1/"]]
    film["title"] = "Star Wars"
}

// Sources/TidemarkTesting/ManualClock.swift
private func ManualClock_1() throws {
    let clock = ManualClock()
    let remote = Remote(service, over: fake, environment: clock.environment)
    // … afterwards:
    #expect(clock.sleeps == [.seconds(2)])
}

// Sources/TidemarkTesting/REST/FakeDialect+REST.swift
private func FakeDialect_REST_1() throws {
    let dialect = FakeDialect.rest(pageSize: 100) {
        $0.stamps.changed = "updated_at"
        $0.pagination = .cursor(by: "updated_at")
    }
}

// Sources/TidemarkTesting/Service/FakeService+Data.swift
private func FakeService_Data_1() throws {
    fake.meanwhile(after: 2, at: "films/") { data in data["films/1"] = nil }
}

// Sources/TidemarkTesting/Service/FakeService.swift
private func FakeService_1() throws {
    let fake = FakeService(collections: ["films": [["id": 1, "title": "A New Hope"]]])
    let remote = Remote(.rest(url: fake.url), over: fake, environment: .manual())
    fake["films/1"]?["title"] = "Star Wars"
    fake.misbehave(.status(500), times: 2)
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
