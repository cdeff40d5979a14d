import Foundation
import Testing
import Tidemark
import TidemarkMacros
import TidemarkTestSupport

/// The samples of the article ComingFromSwiftData.
struct ComingFromSwiftDataTests {
    // snippet.types
    @Entity struct Trip {
        var remoteID: Int?
        @Unique var name: String
        var startDate: Date
        @Relationship(inverse: "trip", deleteRule: .cascade) var stops: Many<Stop>
    }

    @Entity struct Stop {
        var remoteID: Int?
        var city: String
        @Relationship(inverse: "stops") var trip: One<Trip>
    }
    // snippet.end

    // snippet.screen
    @MainActor final class TripScreen {
        let trips: LiveList<Trip>

        init(_ store: Store) { trips = LiveList(Trip.sorted(by: \.startDate), in: store) }

        func search(_ text: String) {
            trips.request = Trip.filter { $0.name.contains(text) }.sorted(by: \.startDate)
        }
    }
    // snippet.end

    private let console = GuideConsole()
    private let date = Date(timeIntervalSince1970: 1_700_000_000)

    private func print(_ items: Any...) { console.write(items) }

    private func store() throws -> Store {
        try Store.validated(model: Model(Trip.self, Stop.self))
    }

    @Test func `records are inserted, changed and fetched`() throws {
        let temporary = try Folder()
        let folder = temporary.path
        // snippet.open
        let store = try Store.open(at: "\(folder)/trips.sqlite", entities: Trip.self, Stop.self)
        // snippet.end
        _ = store.validated()
        // snippet.write
        let trip = try store.write { writer in
            let trip = try writer.insert(Trip(name: "Alps", startDate: date))
            try writer.insert(Stop(city: "Chur", trip: One(trip)))
            return trip
        }
        try store.update(trip.rowID) { $0.name = "The Alps" }
        // snippet.end
        // snippet.fetch
        let trips = try store.fetch(
            Trip.filter { $0.name.contains("Alps") && $0.stops.contains { $0.city == "Chur" } }
                .sorted(by: \.startDate)
                .including(\.stops)
        )
        for trip in trips { print(trip.name, trip.stops.count ?? 0) }  // The Alps 1
        // snippet.end
        #expect(console.lines == ["The Alps 1"])
        let error = #expect(throws: StoreError.self) {
            try store.insert(Trip(name: "The Alps", startDate: date))
        }
        #expect(error?.code == .duplicate)
    }

    @Test func `JSON is imported as records`() throws {
        let store = try store()
        // snippet.import
        let json = #"""
            [{"id": 4, "name": "Jura", "start_date": "2026-05-01",
              "stops": [{"id": 9, "city": "Brugg"}]}]
            """#
        let report = try store.import(json, as: Trip.self)
        print(report)  // Stop: 1 inserted; Trip: 1 inserted
        // snippet.end
        #expect(console.lines == ["Stop: 1 inserted; Trip: 1 inserted"])
        #expect(try store.fetch(Stop.including(\.trip)).map { $0.trip.value?.remoteID } == [4])
    }

    @Entity struct Photo {
        var remoteID: Int?
        var takenAt: Date
        @Attribute(encoding: .base64) var data: Data
    }

    private struct StoredPhoto: Encodable {
        let id: Int
        let takenAt: Date
        let data: Data
    }

    @Test func `what JSONEncoder writes is imported with its dates and binary values`() throws {
        let store = try Store.validated(model: Model(Photo.self))
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let data = Data([0, 255, 10])
        let json = try encoder.encode([StoredPhoto(id: 4, takenAt: date, data: data)])
        try store.import(json, as: Photo.self)
        let photo = try #require(try store.fetch(Photo.self, key: 4))
        #expect(photo.takenAt == date && photo.data == data)
    }

    @Test func `the changes of each commit are recorded`() async throws {
        let store = try store()
        // snippet.history
        let changes = try await store.changes()
        try await store.insert(Trip(name: "Vosges", startDate: date))
        changes.finish()
        var lines: [String] = []
        for try await batch in changes {
            lines += batch.changes.map { "\($0.kind) \($0.entity) \($0.properties)" }
        }
        print(lines.joined(separator: ", "))  // insert Trip ["name", "startDate"]
        // snippet.end
        #expect(console.lines == [#"insert Trip ["name", "startDate"]"#])
    }
}

/// The list of the article, whose tests run on the main actor.
@MainActor
@Suite(.timeLimit(.minutes(40)))
struct ComingFromSwiftDataListTests {
    private typealias Article = ComingFromSwiftDataTests

    @Test func `a live list shows the rows of another request`() async throws {
        let model = Model(Article.Trip.self, Article.Stop.self)
        let store = try Store.validated(model: model)
        for name in ["Alps", "Jura"] {
            let date = Date(timeIntervalSince1970: 0)
            try await store.insert(Article.Trip(name: name, startDate: date))
        }
        let screen = Article.TripScreen(store)
        await Observed.wait { !screen.trips.isLoading }
        #expect(screen.trips.rows.map(\.name) == ["Alps", "Jura"])
        screen.search("Ju")
        await Observed.wait { screen.trips.rows.count == 1 }
        #expect(screen.trips.rows.map(\.name) == ["Jura"])
    }
}
