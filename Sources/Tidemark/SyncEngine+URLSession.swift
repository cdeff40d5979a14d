public import TidemarkRemote
public import TidemarkStore
public import TidemarkSync
import TidemarkURLSession

extension SyncEngine {
    /// Creates an engine that syncs record types over `URLSession`, and prepares its store.
    ///
    /// The lists are at the usual paths of the service. Pass a transport or resources where that
    /// does not fit.
    ///
    /// ```swift
    /// let engine = try await SyncEngine.prepare(
    ///     store: store,
    ///     service: .rest(url: url),
    ///     entities: User.self, Note.self
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - store: The store to sync with the service.
    ///   - service: The service.
    ///   - entities: The types of the records.
    /// - Returns: The engine.
    /// - Throws: As `SyncEngine.prepare(store:service:resources:…)`.
    public static func prepare(
        store: Store,
        service: Service,
        entities: any EntityRecord.Type...
    ) async throws -> SyncEngine {
        try await prepare(
            store: store,
            service: service,
            resources: entities.map { service.resource(of: $0) }
        )
    }

    /// Creates an engine that syncs lists over `URLSession`, and prepares its store.
    ///
    /// Use it where the lists are not at the usual paths of the service, or have options of their
    /// own. For credentials that expire, limits, a logger or hooks, pass `URLSessionTransport()` to
    /// the form with all parameters.
    ///
    /// ```swift
    /// let service = Service.rest(url: url)
    /// let engine = try await SyncEngine.prepare(
    ///     store: store,
    ///     service: service,
    ///     resources: [service.resource("User", path: "v2/users")]
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - store: The store to sync with the service.
    ///   - service: The service.
    ///   - resources: The lists of the service, each with the entity of its objects.
    /// - Returns: The engine.
    /// - Throws: As `SyncEngine.prepare(store:service:resources:transport:…)`.
    public static func prepare(
        store: Store,
        service: Service,
        resources: [RemoteResource]
    ) async throws -> SyncEngine {
        try await prepare(
            store: store,
            service: service,
            resources: resources,
            transport: URLSessionTransport()
        )
    }
}
