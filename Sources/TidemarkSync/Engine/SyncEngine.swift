import TidemarkImport
public import TidemarkModel
public import TidemarkRemote
public import TidemarkStore

/// Keeps a store and a service alike.
///
/// ```swift
/// let service = Service.rest(url: url)
/// let engine = try SyncEngine(
///     store: store, service: service,
///     resources: [service.resource("Film", path: "films")],
///     transport: URLSessionTransport())
/// let report = try await engine.pull()
/// ```
///
/// One engine pulls one store at a time: a second call waits for the first.
public actor SyncEngine {
    let importer: Importer
    let remote: Remote
    let resources: [Resource]
    let limits: Limits
    let environment: Environment
    let traffic = Traffic()
    let events: @Sendable (SyncEvent) -> Void

    /// The pull that runs, for those that come meanwhile.
    private var running: Task<SyncReport, any Error>?

    /// Creates an engine.
    ///
    /// - Parameters:
    ///   - store: The store that rows go into.
    ///   - service: The service they come from.
    ///   - resources: Its lists, each with the entity that its objects are.
    ///   - transport: What carries the requests.
    ///   - environment: Where waiting, chance and the time come from.
    ///   - limits: The bounds of pages, bytes, attempts and concurrency.
    ///   - onEvent: Told what happens while a pull runs.
    /// - Throws: ``SyncError`` when a resource does not fit the store's model.
    public init(
        store: Store,
        service: Service,
        resources: [Resource],
        transport: some Transport,
        environment: Environment = .live,
        limits: Limits = Limits(),
        onEvent: @escaping @Sendable (SyncEvent) -> Void = { _ in }
    ) throws {
        try Self.check(resources, store)
        importer = Importer(store, limits: limits)
        remote = Remote(
            service,
            over: MeteredTransport(transport, traffic),
            environment: environment,
            limits: limits
        ) { after, reason in
            onEvent(.retrying(after: after, why: reason.message))
        }
        self.resources = resources
        self.limits = limits
        self.environment = environment
        events = onEvent
    }

    private static func check(_ resources: [Resource], _ store: Store) throws {
        var paths: Set<String> = []
        for resource in resources {
            guard store.layout.index(of: resource.entity) != nil else {
                let known = store.layout.entities.map(\.name).sorted().joined(separator: ", ")
                throw SyncError(
                    .unknownEntity,
                    "The resource \(resource.path) is for \(resource.entity), which the model lacks.",
                    hint: "It has \(known)."
                )
            }
            guard paths.insert(resource.path).inserted else {
                throw SyncError(
                    .duplicateResource,
                    "Two resources have the path \(resource.path).",
                    hint: "Give each its own."
                )
            }
        }
    }

    /// Pulls the resources of some entities, or all.
    ///
    /// Independent resources are pulled at the same time. One that fails does not stop the others:
    /// its failure stands in the report, what it had brought stays, and nothing of it is deleted.
    ///
    /// - Throws: `CancellationError`, and `DatabaseError` when the store cannot be written.
    public func pull(only entities: Set<String>? = nil) async throws -> SyncReport {
        while let running {
            // Whoever runs reports to its own caller.
            _ = await running.result
        }
        let task = Task { try await pullResources(entities) }
        running = task
        defer { running = nil }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
