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
            resources: entities.map { service.resource(of: $0) },
            transport: URLSessionTransport()
        )
    }
}
