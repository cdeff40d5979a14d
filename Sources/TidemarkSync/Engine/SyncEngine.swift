public import CoreMetrics
public import Logging
public import TidemarkImport
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
/// print(report)
/// ```
///
/// One engine pulls one store at a time: a second call joins the first, or waits for it.
public actor SyncEngine {
    let importer: Importer
    let access: ServiceAccess
    let account: String?
    let resources: [RemoteResource]
    let order: ResourceOrder
    let environment: SystemEnvironment
    let observers: Telemetry
    let traffic = TransferMeter()
    let bell = WakeSignal()

    /// Conditions under which the resources are pulled slower or less completely than their
    /// configuration intends.
    ///
    /// ```swift
    /// for warning in engine.warnings { logger.warning("\(warning)") }
    /// ```
    public nonisolated let warnings: [SyncWarning]

    /// The pull that runs, for those that come meanwhile.
    private var running: (options: PullOptions, task: Task<SyncReport, any Error>)?

    /// Creates an engine.
    ///
    /// - Parameters:
    ///   - store: The store that rows go into.
    ///   - service: The service they come from.
    ///   - resources: Its lists, each with the entity that its objects are.
    ///   - transport: What carries the requests.
    ///   - credentials: Where header fields come from that run out.
    ///   - account: Who is known to the service: a store belongs to one account.
    ///   - importer: What brings documents into the store; nil for the usual one.
    ///   - environment: Where waiting, chance and the time come from.
    ///   - limits: The bounds of pages, bytes, attempts and concurrency.
    ///   - log: Where what happens is written; nowhere, unless one is given.
    ///   - metrics: Where it is counted; without one, where the process has told.
    ///   - onEvent: Told what happens while a pull runs, in its course: see ``events()``.
    /// - Throws: ``SyncError`` when a resource does not fit the store's model.
    public init(
        store: Store,
        service: Service,
        resources: [RemoteResource],
        transport: some Transport,
        credentials: Credentials? = nil,
        account: String? = nil,
        importer: Importer? = nil,
        environment: SystemEnvironment = .live,
        limits: Limits = Limits(),
        log: Logger = Logger(label: "tidemark") { _ in SwiftLogNoOpLogHandler() },
        metrics: (any MetricsFactory)? = nil,
        onEvent: @escaping @Sendable (SyncEvent) -> Void = { _ in }
    ) throws {
        order = try store.layout.check(resources)
        self.importer = importer ?? Importer(store, limits: limits)
        access = ServiceAccess(
            service: service,
            transport: transport,
            credentials: credentials,
            limits: limits
        )
        self.account = account
        self.resources = resources
        warnings = resources.compactMap(\.changesNotUsed)
        self.environment = environment
        observers = Telemetry(
            log: log,
            metrics: SyncMetrics(metrics ?? MetricsSystem.factory),
            onEvent: onEvent
        )
    }

    /// Creates an engine that works like another on a copy of its store.
    ///
    /// - Parameters:
    ///   - other: The other engine.
    ///   - copy: The copy of its store.
    ///   - coverage: Records which values the service's documents contain.
    ///   - observers: Receive its events.
    init(
        _ other: SyncEngine,
        on copy: Store,
        recording coverage: StoreCoverage?,
        telling observers: Telemetry
    ) {
        importer = other.importer.copy(for: copy, recording: coverage)
        access = other.access
        account = other.account
        resources = other.resources
        order = other.order
        warnings = other.warnings
        environment = other.environment
        self.observers = observers
    }

    nonisolated var limits: Limits { access.limits }

    /// What happens from now on, as a sequence, which ends with the engine.
    ///
    /// It contains the events of all pulls of the engine, and therefore does not end with one; see
    /// ``startPull(_:)`` for the events of one pull. Of unread events the latest `Limits.events`
    /// are kept.
    public nonisolated func events() -> AsyncStream<SyncEvent> {
        observers.followers.follow(keeping: limits.events)
    }

    /// Pulls the resources of some entities, or all.
    ///
    /// See ``pull(_:)``.
    ///
    /// - Throws: What ``pull(_:)`` throws.
    public func pull(only entities: Set<String>? = nil) async throws -> SyncReport {
        var options = PullOptions()
        options.entities = entities
        return try await pull(options)
    }

    /// Brings what has changed at the service into the store.
    ///
    /// Independent resources are pulled at the same time. One that fails does not stop the others:
    /// its failure is in the report, what it had brought stays, and nothing of it is deleted.
    /// ``SyncReport/get()`` throws it. A pull that was interrupted resumes at the page that it
    /// had reached.
    ///
    /// ```swift
    /// let report = try await engine.pull()
    /// for failure in report.failures { print(failure) }
    /// ```
    ///
    /// A call with the options of the pull that runs joins it; with others it waits for its end.
    ///
    /// - Returns: What was done, resource by resource.
    /// - Throws: ``SyncFailure`` when no page of any resource could be read: the service cannot be
    ///   reached, or rejects the requests. ``SyncError`` when another process pulls into the store,
    ///   the store belongs to another service, or no resource is for the entities of the options;
    ///   `CancellationError`; `DatabaseError` when the store cannot be written.
    public func pull(_ options: PullOptions) async throws -> SyncReport {
        let report = try await report(of: options)
        guard !report.isFruitless else { throw SyncFailure(report) }
        return report
    }

    /// Starts a pull, and returns it together with its events.
    ///
    /// ```swift
    /// let pull = engine.startPull()
    /// var progress = SyncProgress()
    /// for await event in pull.events {
    ///     progress.note(event)
    ///     bar.fraction = progress.fraction
    /// }
    /// let report = try await pull.value
    /// ```
    ///
    /// A pull with the same options that is under way already is joined, and its remaining events
    /// are in the sequence; one with other options is waited for, and its events are not.
    ///
    /// - Parameter options: How the pull goes about its resources.
    /// - Returns: The pull.
    public nonisolated func startPull(_ options: PullOptions = PullOptions()) -> SyncPull {
        let (events, continuation) = AsyncStream<SyncEvent>.makeStream(
            bufferingPolicy: .bufferingNewest(limits.events)
        )
        let task = Task {
            defer { continuation.finish() }
            let report = try await report(of: options, telling: continuation)
            guard !report.isFruitless else { throw SyncFailure(report) }
            return report
        }
        return SyncPull(events: events, task: task)
    }

    /// Pulls, or joins the pull with these options that is under way.
    ///
    /// - Parameters:
    ///   - options: How the pull goes about its resources.
    ///   - follower: Gets the events of the pull.
    /// - Returns: What was done, also where no resource could be pulled.
    /// - Throws: What ``pull(_:)`` throws, but ``SyncFailure``.
    func report(
        of options: PullOptions,
        telling follower: AsyncStream<SyncEvent>.Continuation? = nil
    ) async throws -> SyncReport {
        while let other = running {
            let joining = other.options == options ? follower : nil
            let number = joining.map(observers.followers.add)
            defer { if let number { observers.followers.remove(number) } }
            let result = try await other.task.resultUnlessCancelled()
            // Whoever comes back first makes room: its own caller may come later.
            if running?.task == other.task { running = nil }
            // One that its own caller has cancelled says nothing to others.
            if other.options == options, !result.isCancelled { return try result.get() }
        }
        let number = follower.map(observers.followers.add)
        defer { if let number { observers.followers.remove(number) } }
        let task = Task { try await pullResources(options) }
        running = (options, task)
        defer { if running?.task == task { running = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

extension Task where Failure == any Error {
    /// What comes of a task that goes on when whoever waits for it is cancelled.
    fileprivate func resultUnlessCancelled() async throws -> Result<Success, Failure> {
        let (results, continuation) = AsyncStream<Result<Success, Failure>>.makeStream()
        Task<Void, Never> {
            continuation.yield(await self.result)
            continuation.finish()
        }
        for await result in results { return result }
        throw Swift.CancellationError()
    }
}

extension Result {
    fileprivate var isCancelled: Bool {
        if case .failure(let error) = self { error is CancellationError } else { false }
    }
}
