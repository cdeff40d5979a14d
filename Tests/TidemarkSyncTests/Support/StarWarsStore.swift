import GRDB
import TidemarkFakeServer
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// Stores for the Star Wars services, and the resources to pull into them.
enum StarWarsStore {
    static let paths: KeyValuePairs = [
        "Film": "films/", "Person": "people/", "Planet": "planets/", "Species": "species/",
        "Starship": "starships/", "Vehicle": "vehicles/",
    ]

    static func resources(of service: Service) -> [RemoteResource] {
        paths.map { service.resource($0.key, path: $0.value) }
    }

    /// Pulls a service into a store, by default one resource after the other.
    @discardableResult
    static func pull(
        _ service: Service,
        into store: Store,
        over transport: some Transport,
        order: ([RemoteResource]) -> [RemoteResource] = { $0 },
        concurrency: Int = 1
    ) async throws -> SyncReport {
        var limits = Limits.longTimeout
        limits.concurrency = concurrency
        return try await SyncEngine(
            store: store,
            service: service,
            resources: order(resources(of: service)),
            transport: transport,
            environment: .manual(),
            limits: limits
        ).pull()
    }

    /// Pulls from a service in process.
    @discardableResult
    static func pull(
        _ fake: FakeService,
        into store: Store,
        order: ([RemoteResource]) -> [RemoteResource] = { $0 },
        concurrency: Int = 1
    ) async throws -> SyncReport {
        try await pull(
            .rest(url: fake.url),
            into: store,
            over: fake,
            order: order,
            concurrency: concurrency
        )
    }

    static func store() throws -> Store {
        try Store.validated(model: StarWars.model)
    }

    /// Returns the rows of a store as text that does not depend on the order of their insertion.
    static func state(of store: Store) throws -> String {
        try store.writer.read { db in try StoreTable(store, rows: .anonymous).text(db) }
    }

    /// Returns the number of rows of each entity.
    static func counts(in store: Store) throws -> [String: Int] {
        try store.read { db in
            Dictionary(
                uniqueKeysWithValues: try paths.map { ($0.key, try db.count($0.key)) }
            )
        }
    }
}
