import Foundation
import GRDB
import Testing
import TidemarkFakeServer
import TidemarkHTTPClient
import TidemarkImport
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting
import TidemarkURLSession

/// Pulls of the whole Star Wars API, page by page.
@Suite(.enabled(if: SharedData.hasSWAPI, "There is no shared/data/swapi next to the package."))
struct SWAPITests {
    private let fake: FakeService

    init() throws {
        fake = try Self.service()
    }

    private static func service() throws -> FakeService {
        FakeService(data: try .read(from: SharedData.swapi), linkBase: "https://swapi.dev/api/")
    }

    /// The rows after a pull in the usual order, one resource after the other.
    private static let expected = Task {
        let store = try StarWarsStore.store()
        try await StarWarsStore.pull(service(), into: store)
        return try StarWarsStore.state(of: store)
    }

    private static let counts = [
        "Film": 6, "Person": 82, "Planet": 60, "Species": 37, "Starship": 36, "Vehicle": 39,
    ]

    /// Returns the number of links in the data, each counted at one of its two ends.
    private func linkCount() throws -> Int {
        try [
            ("films", ["characters", "planets", "species", "starships", "vehicles"]),
            ("people", ["species", "starships", "vehicles"]),
        ]
        .reduce(0) { count, list in
            let objects = try #require(fake.data[objects: list.0])
            return count
                + objects.flatMap { object in list.1.compactMap { object[$0]?.elements?.count } }
                .reduce(0, +)
        }
    }

    private func storedLinkCount(_ store: Store) throws -> Int {
        try store.read { db in
            try ["Film", "Person"].flatMap { try db.fetch(RecordRequest($0, links: .all)) }.reduce(
                0
            ) {
                count,
                record in
                let names =
                    record.reference.entity == "Film"
                    ? ["characters", "planets", "species", "starships", "vehicles"]
                    : ["species", "starships", "vehicles"]
                return count + names.reduce(0) { $0 + (record.links[$1]?.count ?? 0) }
            }
        }
    }

    @Test(arguments: 0..<6)
    func `every link is resolved, whichever resource is pulled first`(_ first: Int) async throws {
        let store = try StarWarsStore.store()
        let report = try await StarWarsStore.pull(
            fake,
            into: store,
            order: { Array($0[first...] + $0[..<first]) }
        )
        #expect(report.isComplete)
        #expect(report.unresolvedReferenceCount == 0)
        #expect(report.requests == 28)
        #expect(try StarWarsStore.counts(in: store) == Self.counts)
        #expect(try storedLinkCount(store) == linkCount())

        #expect(try await StarWarsStore.state(of: store) == Self.expected.value)
    }

    @Test func `a second pull changes nothing`() async throws {
        let store = try StarWarsStore.store()
        try await StarWarsStore.pull(fake, into: store)
        let state = try table(of: store)
        let report = try await StarWarsStore.pull(fake, into: store, concurrency: 4)
        #expect(report.total.isUnchanged)
        #expect(report.total.entities.mapValues(\.unchanged) == Self.counts)
        #expect(try table(of: store) == state)
    }

    @Test func `a removed film deletes its row and its links, and nothing else`() async throws {
        let store = try StarWarsStore.store()
        try await StarWarsStore.pull(fake, into: store)
        let linksOfFilm = try await store.read { db in
            try db.record(RecordLocator("Film:1")).links.values.map(\.count).reduce(0, +)
        }
        let links = try storedLinkCount(store)
        #expect(linksOfFilm > 20)

        fake["films/1"] = nil
        let report = try await StarWarsStore.pull(fake, into: store)
        #expect(report.total.entities.mapValues(\.deleted).filter { $0.value > 0 } == ["Film": 1])
        #expect(report.total.entities.values.allSatisfy { $0.inserted == 0 })
        #expect(try storedLinkCount(store) == links - linksOfFilm)

        let fresh = try StarWarsStore.store()
        try await StarWarsStore.pull(fake, into: fresh)
        #expect(try StarWarsStore.state(of: store) == StarWarsStore.state(of: fresh))
    }

    @Test func `pulls over a socket, with either client, give the rows of a pull in process`()
        async throws
    {
        let expected = try await Self.expected.value
        let bySession = try StarWarsStore.store()
        let byClient = try StarWarsStore.store()
        try await FakeServer.run(fake) { url in
            let service = Service.rest(url: url)
            try await StarWarsStore.pull(
                service,
                into: bySession,
                over: URLSessionTransport(limits: .longTimeout)
            )
            try await AsyncHTTPClientTransport.run(limits: .longTimeout) { transport in
                _ = try await StarWarsStore.pull(
                    service,
                    into: byClient,
                    over: transport,
                    concurrency: 4
                )
            }
        }
        #expect(try StarWarsStore.counts(in: bySession) == Self.counts)
        #expect(try StarWarsStore.state(of: bySession) == expected)
        #expect(try StarWarsStore.state(of: byClient) == expected)
    }
}
