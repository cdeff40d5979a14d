public import CoreMetrics
public import Logging
public import TidemarkImport
public import TidemarkModel
public import TidemarkRemote
public import TidemarkStore

public import struct Foundation.URL

extension SyncEngine {
    /// Creates an engine, and prepares its store.
    ///
    /// Call it once, before the app changes rows: in a store whose service accepts changes
    /// (`Service.push`), local changes are recorded from then on, and ``sync(with:pushing:)`` sends
    /// them. If no resource accepts changes, the store is neither read nor written. Nothing is
    /// requested.
    ///
    /// The order of the resources does not matter. References between their objects are resolved
    /// when both rows are stored, and lists under a parent are pulled after the parents.
    ///
    /// ```swift
    /// var service = Service.rails(url: url)
    /// service.push = .rails
    /// let engine = try await SyncEngine.prepare(
    ///     store: store,
    ///     service: service,
    ///     resources: [
    ///         service.resource("Post", path: "posts"),
    ///         service.resource("Comment", path: "posts/{post}/comments"),
    ///     ],
    ///     transport: URLSessionTransport(),
    ///     account: "ada@example.com",
    ///     conflicts: ConflictPolicies(default: .localWins),
    ///     logger: Logger(label: "sync")
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - store: The store to sync with the service.
    ///   - service: The service.
    ///   - resources: The lists of the service, each with the entity of its objects.
    ///   - transport: Sends the requests: `URLSessionTransport` in an app,
    ///     `AsyncHTTPClientTransport` in a server, a fake service in tests.
    ///   - credentials: Supplies credentials that expire, such as bearer tokens. Defaults to nil:
    ///     `Service.headers` are sent alone.
    ///   - account: The account that the requests are authenticated as. A store belongs to one
    ///     account. Defaults to nil: one account, without a name.
    ///   - importer: Imports the documents into `store`, with which it was created. Defaults to
    ///     nil: an importer without hooks.
    ///   - conflicts: Decides where a local change and one of the service contradict each other.
    ///     Defaults to nil: the policies of the importer, by default `remoteWins`.
    ///   - assetFolder: The folder of the files that rows refer to, see ``assets``. It belongs to
    ///     this store alone. Defaults to nil: next to the store's file, `PATH.assets`. A store in
    ///     memory or in the app's own database has none.
    ///   - environment: Supplies the time, random numbers and delays. Tests pass that of a manual
    ///     clock.
    ///   - limits: The limits of pages, bytes, attempts and concurrency.
    ///   - logger: The logger. By default nothing is logged.
    ///   - metricsFactory: Creates the metrics. The default is `MetricsSystem.factory`.
    ///   - onEvent: Called with each event of a run, synchronously and on any thread. See also
    ///     ``events()``.
    /// - Returns: The engine.
    /// - Throws: ``SyncError`` if a resource does not match the store's model, or conflicts with
    ///   another; ``SyncError/Code/unknownProperty`` if a policy names something that the model
    ///   does not have; ``SyncError/Code/storeMismatch`` if the importer belongs to another store;
    ///   `StoreError` or `DatabaseError` if the store cannot be prepared.
    public static func prepare(
        store: Store,
        service: Service,
        resources: [RemoteResource],
        transport: some Transport,
        credentials: Credentials? = nil,
        account: String? = nil,
        importer: Importer? = nil,
        conflicts: ConflictPolicies? = nil,
        assetFolder: URL? = nil,
        environment: SystemEnvironment = .live,
        limits: Limits = Limits(),
        logger: Logger = Logger(label: "tidemark") { _ in SwiftLogNoOpLogHandler() },
        metricsFactory: (any MetricsFactory)? = nil,
        onEvent: @escaping @Sendable (SyncEvent) -> Void = { _ in }
    ) async throws -> SyncEngine {
        let engine = try SyncEngine(
            store: store,
            service: service,
            resources: resources,
            transport: transport,
            credentials: credentials,
            account: account,
            importer: importer,
            conflicts: conflicts,
            assetFolder: assetFolder,
            environment: environment,
            limits: limits,
            logger: logger,
            metricsFactory: metricsFactory,
            onEvent: onEvent
        )
        if let capture = CaptureInstallation(for: resources, by: engine.importer) {
            let importer = engine.importer
            let (unrecorded, orders) = try await store.transaction(durability: .relaxed) { db in
                (
                    try capture.install(db, at: environment.now()),
                    try ShownLinks(db, in: importer).unsentOrders(db)
                )
            }
            if let unrecorded { engine.telemetry.emit(.editsUnrecorded(unrecorded)) }
            for order in orders { engine.telemetry.emit(.orderNotSent(relationship: order)) }
        }
        return engine
    }

    /// Checks that the model has what conflict policies name.
    ///
    /// - Throws: ``SyncError/Code/unknownProperty``.
    static func check(_ policies: ConflictPolicies, in model: Model) throws {
        do {
            try policies.check(model)
        } catch let problem as ConflictPolicies.Problem {
            throw SyncError(.unknownProperty, problem.message, hint: problem.hint)
        }
    }
}
