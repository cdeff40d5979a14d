public import TidemarkImport
import TidemarkModel
public import TidemarkRemote
public import TidemarkStore

/// Engines, lists and reports of record types.
extension SyncEngine {
    /// Creates an engine that syncs record types, whose lists are at the usual paths of the
    /// service, and prepares its store.
    ///
    /// Pass the lists with `resources` where a path differs, or for what this form has no parameter
    /// for.
    ///
    /// ```swift
    /// let engine = try await SyncEngine.prepare(
    ///     store: store,
    ///     service: .rest(url: url),
    ///     entities: User.self, Note.self,
    ///     transport: URLSessionTransport()
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - store: The store to sync with the service.
    ///   - service: The service.
    ///   - entities: The types of the records. Their lists are at the paths of
    ///     `Service.resource(of:)`.
    ///   - transport: Sends the requests.
    ///   - credentials: Supplies credentials that expire, such as bearer tokens. Defaults to nil:
    ///     `Service.headers` are sent alone.
    ///   - conflicts: Decides where a local change and one of the service contradict each other.
    ///     Defaults to the service's values.
    /// - Returns: The engine.
    /// - Throws: As the form with resources.
    public static func prepare(
        store: Store,
        service: Service,
        entities: any EntityRecord.Type...,
        transport: some Transport,
        credentials: Credentials? = nil,
        conflicts: ConflictPolicies? = nil
    ) async throws -> SyncEngine {
        try await prepare(
            store: store,
            service: service,
            resources: entities.map { service.resource(of: $0) },
            transport: transport,
            credentials: credentials,
            conflicts: conflicts
        )
    }

    /// Pulls the lists of some record types.
    ///
    /// ```swift
    /// let report = try await engine.pull(User.self)
    /// print(report[User.self].inserted)
    /// ```
    ///
    /// - Parameters:
    ///   - type: A type; at least one resource of the engine must be of it.
    ///   - others: Further types.
    /// - Returns: What the pull did.
    /// - Throws: As ``pull(with:)``.
    @discardableResult
    public func pull(
        _ type: any EntityRecord.Type,
        _ others: any EntityRecord.Type...
    ) async throws -> SyncReport {
        try await pull(with: PullOptions(only: Set(([type] + others).map { $0.entityName })))
    }

    /// Sends all local changes of the store, and pulls the lists of some record types.
    ///
    /// ```swift
    /// let report = try await engine.sync(User.self, Note.self)
    /// ```
    ///
    /// - Parameters:
    ///   - type: A type; at least one resource of the engine must be of it.
    ///   - others: Further types.
    /// - Returns: What was pushed and pulled.
    /// - Throws: As ``sync(with:pushing:)``.
    @discardableResult
    public func sync(
        _ type: any EntityRecord.Type,
        _ others: any EntityRecord.Type...
    ) async throws -> SyncReport {
        try await sync(with: PullOptions(only: Set(([type] + others).map { $0.entityName })))
    }
}

extension Service {
    /// Returns the resource of a record type at its usual path.
    ///
    /// ```swift
    /// let resources = [service.resource(of: User.self), service.resource(of: Note.self)]
    /// ```
    ///
    /// - Parameter type: The type of the records.
    /// - Returns: The resource. Change its properties where it differs.
    public func resource(of type: any EntityRecord.Type) -> RemoteResource {
        resource(of: type.entity)
    }

    /// Returns the resource of a record type at a path.
    ///
    /// ```swift
    /// let latest = service.resource(User.self, path: "users?sort=-created_at")
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the records.
    ///   - path: The path of the list below the service's URL, with a query if necessary.
    /// - Returns: The resource. Change its properties where it differs.
    public func resource(_ type: any EntityRecord.Type, path: String) -> RemoteResource {
        resource(type.entityName, path: path)
    }
}

extension SyncReport {
    /// The numbers of rows of a record type that the pull has changed, over all resources.
    ///
    /// ```swift
    /// let report = try await engine.sync()
    /// print(report[User.self].inserted, report[Note.self].deleted)
    /// ```
    public subscript(type: any EntityRecord.Type) -> ImportReport.Counts {
        total.entities[type.entityName] ?? ImportReport.Counts()
    }
}
