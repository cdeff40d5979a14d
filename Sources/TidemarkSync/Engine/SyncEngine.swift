package import CoreMetrics
package import Logging
package import TidemarkImport
package import TidemarkModel
package import TidemarkRemote
package import TidemarkStore

package import struct Foundation.URL
package import struct Foundation.UUID

/// An engine that syncs a store with the lists of a JSON web service.
///
/// The engine is the heart of an offline-first app: it pulls the objects of the service into
/// SQLite, and the app reads and edits rows there, with or without a network. Where `Service.push`
/// is set, it sends the edits: ``push(with:)`` once, ``sync(with:pushing:)`` with a pull,
/// ``run(_:with:pushing:)`` by a schedule; the ``Outbox`` shows what is left. It requests only what
/// changed, where the service supports validators (`ETag`), changes since a cursor, or tombstones;
/// otherwise it reads the whole lists, and deletes the rows that they do not contain. Objects are
/// upserted by their primary key, so that pulling the same data again changes nothing.
///
/// ```swift
/// let service = Service.rest(url: url)
/// let engine = try await SyncEngine.prepare(
///     store: store, service: service,
///     resources: [service.resource("Film", path: "films")],
///     transport: URLSessionTransport())
/// let report = try await engine.pull()
/// print(report)
/// ```
///
/// Create one engine for a store and a service, and keep it. It runs one pull, push or sync at a
/// time: a second call joins the running one, or waits for its end. A lease in the store prevents
/// other engines and processes, such as an app extension, from syncing the store at the same time.
/// Readers are never blocked, and writers only while a transaction of about
/// `Limits.transactionTime` runs.
///
/// A pull that is cancelled, killed or interrupted by a failure resumes at the page that it had
/// reached, because each page is committed together with its checkpoint.
public actor SyncEngine {
    let importer: Importer
    let configuration: SyncConfiguration

    /// Whether the engine works on a copy of the store, and must change nothing at the service.
    let isDryRun: Bool

    let telemetry: Telemetry
    let traffic = Locked(MeteredTransport.Traffic())

    /// The files that the rows of the store refer to.
    ///
    /// ```swift
    /// let file = try await engine.assets.file(for: url)
    /// ```
    public nonisolated let assets: Assets

    /// Conditions that make pulls slower or less complete than the configuration intends.
    ///
    /// They follow from the configuration alone. Log them once, when the engine is created;
    /// warnings that depend on responses are in the report of each resource.
    ///
    /// ```swift
    /// for warning in engine.warnings { logger.warning("\(warning)") }
    /// ```
    public nonisolated var warnings: [SyncWarning] {
        configuration.resources.compactMap(\.changesNotUsed)
    }

    /// The run that has not ended yet, which later calls join or wait for.
    var running: (request: RunRequest, task: Task<SyncReport, any Error>)?

    /// How many local changes wait in the plan of a push for others, some hundred bytes each.
    ///
    /// If more wait, those of the first pages of the outbox are read again.
    var mostWaiting = 20_000

    /// Whether a pull was requested that no schedule has started yet.
    var isPullRequested = false

    /// The schedules that wait for the next pull: a request ends these sequences.
    var waitingSchedules: [UUID: AsyncStream<Never>.Continuation] = [:]

    /// Creates an engine without preparing its store, for commands that only read it.
    ///
    /// A run that writes prepares the store itself. For the parameters, see `prepare`.
    package init(
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
    ) throws {
        var importer = importer ?? Importer(store, limits: limits)
        importer.now = environment.now
        if let conflicts { importer.conflicts = conflicts }
        try Self.check(importer.conflicts, in: store.model)
        self.importer = importer
        guard importer.store.writer === store.writer else {
            throw SyncError(
                .storeMismatch,
                "The importer belongs to another store than the engine.",
                hint: "Create it with the store that the engine syncs into."
            )
        }
        // Paths identify lists in reports, events and the store.
        var (service, resources) = (service, resources)
        service.hideSecrets(in: &resources)
        let linkedTypes = store.model.linkedTypes(besides: resources)
        for index in resources.indices { resources[index].linkedTypes = linkedTypes }
        configuration = SyncConfiguration(
            service: service,
            resources: resources,
            order: try store.layout.check(resources),
            transport: transport,
            credentials: credentials,
            account: account,
            environment: environment,
            limits: limits
        )
        isDryRun = false
        telemetry = Telemetry(
            logger: logger,
            metrics: SyncMetrics(metricsFactory ?? MetricsSystem.factory),
            onEvent: onEvent
        )
        assets = Assets(store, in: assetFolder, configuration, reportingTo: telemetry)
    }

    /// Creates an engine with the configuration of another for a copy of its store.
    ///
    /// - Parameters:
    ///   - other: The other engine.
    ///   - importer: Imports into the copy of its store.
    ///   - telemetry: Receives the events.
    init(_ other: SyncEngine, with importer: Importer, reportingTo telemetry: Telemetry) {
        self.importer = importer
        configuration = other.configuration
        isDryRun = true
        self.telemetry = telemetry
        assets = Assets(other.assets, on: importer.store)
    }

    nonisolated var limits: Limits { configuration.limits }
    nonisolated var environment: SystemEnvironment { configuration.environment }

    /// Returns the events from now on as a sequence, which ends when the engine is deallocated.
    ///
    /// The sequence contains the events of all pulls of the engine, such as those of a schedule,
    /// and does not end with a pull. See ``startPull(with:)`` for the events of one pull. Each call
    /// returns a sequence of its own. At most `Limits.events` unread events are kept, the latest,
    /// so that a slow reader does not slow down a pull.
    ///
    /// ```swift
    /// let observation = Task {
    ///     for await case .failed(let resource, let error) in engine.events() {
    ///         logger.error("\(resource): \(error)")
    ///     }
    /// }
    /// try await engine.run(.every(.seconds(600)))
    /// observation.cancel()
    /// ```
    ///
    /// - Returns: The events. Those of dry runs and verifications are not among them.
    public nonisolated func events() -> AsyncStream<SyncEvent> {
        telemetry.followers.follow(keeping: limits.events)
    }

    /// Imports what has changed at the service into the store.
    ///
    /// Independent resources are pulled concurrently, up to `Limits.concurrency`. A resource that
    /// fails does not stop the others: its failure is in the report, pages that it has imported
    /// stay, and rows that they did not contain are kept. ``SyncReport/get()`` throws such
    /// failures. A pull that was interrupted resumes at the page that it had reached.
    ///
    /// ```swift
    /// let report = try await engine.pull(with: PullOptions(only: ["Article"]))
    /// for failure in report.failures { print(failure) }
    /// ```
    ///
    /// Each page is applied in one transaction, or in several if it is long. Rows are deleted
    /// because of tombstones, or after a list was read to its end (mark and sweep).
    ///
    /// If a pull with the same options is running, the call joins it. If its options differ, the
    /// call waits for its end first. Cancelling the task of a call that has joined a pull cancels
    /// only the call.
    ///
    /// - Parameter options: Which resources are pulled, and how.
    /// - Returns: What was done, resource by resource.
    /// - Throws: ``SyncFailure`` if no page of any resource could be read, because the service is
    ///   unreachable or rejects the requests; ``SyncError`` if another engine or process is pulling
    ///   into the store, the store belongs to another service, or no resource matches the entities
    ///   of the options; `CancellationError`; `DatabaseError` if the store cannot be written.
    public func pull(with options: PullOptions = PullOptions()) async throws -> SyncReport {
        let report = try await report(of: .pull(options))
        guard !report.isFruitless else { throw SyncFailure(report) }
        return report
    }

    /// Starts a pull, and returns it together with its events.
    ///
    /// Use it to show progress, or to let the user cancel. The pull runs in a task of its own, and
    /// is not cancelled when the task that started it is, unless that task waits for
    /// ``SyncPull/value``.
    ///
    /// ```swift
    /// let pull = engine.startPull()
    /// var progress = SyncProgress()
    /// for await event in pull.events {
    ///     progress.update(with: event)
    ///     print(progress.fraction)
    /// }
    /// let report = try await pull.value
    /// ```
    ///
    /// If a pull with the same options is running, the new one joins it, and its sequence has the
    /// remaining events. If its options differ, the new pull starts after its end.
    ///
    /// - Parameter options: Which resources are pulled, and how. Defaults to all resources.
    /// - Returns: The pull. Errors are thrown by its ``SyncPull/value``.
    public nonisolated func startPull(with options: PullOptions = PullOptions()) -> SyncPull {
        let (events, continuation) = AsyncStream<SyncEvent>.makeStream(
            bufferingPolicy: .bufferingNewest(limits.events)
        )
        let task = Task {
            defer { continuation.finish() }
            let report = try await report(of: .pull(options), to: continuation)
            guard !report.isFruitless else { throw SyncFailure(report) }
            return report
        }
        return SyncPull(events: events, task: task)
    }
}
