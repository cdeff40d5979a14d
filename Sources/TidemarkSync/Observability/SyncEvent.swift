public import TidemarkImport
public import TidemarkModel
public import TidemarkStore

/// An event of a running pull or push, such as for a progress indicator.
///
/// The events of one pull are in ``SyncPull/events``, those of all runs of an engine in
/// ``SyncEngine/events()``. The `onEvent` of the engine is called synchronously by the run: it must
/// return quickly, on any thread. Events of different resources interleave, because resources
/// are pulled concurrently. No event contains a credential.
///
/// To follow the rows that change rather than the pull, use `Store.changes()`.
///
/// ```swift
/// let pull = engine.startPull()
/// for await case .page(let resource, let done, let expected) in pull.events {
///     print(resource, done, expected ?? done)
/// }
/// print(try await pull.value)
/// ```
public enum SyncEvent: Sendable {
    /// A pull begins.
    ///
    /// The resources that it reads are identified by their paths, in the order of the
    /// configuration. The lease of the store may not be acquired yet: ``stopped(_:)`` follows if
    /// another process holds it.
    case started(resources: [String])

    /// A page of a resource was committed: its rows are in the store.
    ///
    /// - `done`: The number of objects of the resource that this pull has received so far.
    /// - `expected`: The total number of objects; nil if the service does not report it, or if only
    ///   changes are read.
    ///
    /// Pages that were not modified (304) cause no event. The lists of all parents of a resource
    /// such as `posts/{post}/comments` are reported together, under its own path.
    ///
    /// ```swift
    /// let pull = engine.startPull()
    /// for await case .page(let list, let done, let expected?) in pull.events {
    ///     print("\(list): \(done) of \(expected)")    // films: 60 of 82
    /// }
    /// ```
    case page(resource: String, done: Int, expected: Int?)

    /// A request is tried again after a delay, because the service is overloaded, or the connection
    /// failed.
    ///
    /// The delay is that of `Retry-After` or `Backoff`, or else an exponential backoff with jitter.
    /// The reason is the message of the `RemoteError`, with the method and URL of the request. A
    /// user interface may show it if the delay is long.
    case retrying(after: Duration, reason: String)

    /// A pull would delete more rows than ``PullOptions/deletionGuard`` permits. The rows are kept
    /// until the deletion is approved.
    ///
    /// Every pull that finds it pending reports it again; a rejected deletion is not reported as an
    /// event.
    ///
    /// <!-- example: func ask(_ question: String) {} -->
    /// ```swift
    /// for await case .deletionPending(let pending) in engine.events() {
    ///     ask("Delete \(pending.rowCount) rows of \(pending.entity)?")
    ///     // then engine.approveDeletion(of: pending.resource)
    /// }
    /// ```
    case deletionPending(PendingDeletion)

    /// A resource was read to its end.
    ///
    /// It is also the last event of a list that ended as ``SyncReport/Ending/inconsistent``, whose
    /// rows are stored while nothing was deleted. The counts are those of the resource's own
    /// entity. ``SyncReport/ResourceReport/imported`` contains those of nested and embedded objects
    /// as well.
    case pulled(resource: String, counts: ImportReport.Counts)

    /// A resource could not be pulled to its end. The other resources continue.
    ///
    /// The error is also the ``SyncReport/ResourceReport/failure`` of the resource. Its pages so
    /// far stay, rows that they did not contain are kept, and the next pull resumes.
    case failed(resource: String, any Error)

    /// A push begins, with this number of local changes that are not pushed yet.
    ///
    /// In a sync it comes before the pull, and again after it if that has made something possible.
    case pushing(changes: Int)

    /// The service has applied a local change, and the row has what the service responded.
    case pushed(row: RowReference, kind: LocalChangeKind)

    /// An object that the service had already has become that of a row which was created here.
    ///
    /// The service has returned it in response to the creation, as services do that find or create
    /// (`PushStyle.ExistingObject.adopt`), or a user has recognized it: see
    /// ``SyncEngine/adopt(_:key:)``. If another row had the object, the two are one row now. An
    /// object that was found because the response to its creation was lost is an event
    /// ``pushed(row:kind:)``.
    ///
    /// ```swift
    /// for await case .adopted(let row, let key) in engine.events() { print(row, key.parts) }
    /// ```
    case adopted(row: RowReference, key: RecordKey)

    /// The service has rejected a local change, which stays in the outbox until the row is edited.
    ///
    /// ```swift
    /// for await case .rejected(let change) in engine.events() {
    ///     print(change.row, change.attempts.reason ?? "", change.attempts.fieldErrors)
    /// }
    /// ```
    case rejected(LocalChange)

    /// Local deletions exceed ``PushOptions/deletionGuard``. They are not sent until they are
    /// approved; other changes are.
    ///
    /// Every push that finds them reports them again.
    ///
    /// <!-- example: func ask(_ question: String) {} -->
    /// ```swift
    /// for await case .serviceDeletionPending(let pending) in engine.events() {
    ///     ask("Delete \(pending.count) of \(pending.known) objects of \(pending.entity)?")
    ///     // then Outbox.approveDeletions or rejectDeletions
    /// }
    /// ```
    case serviceDeletionPending(PendingServiceDeletion)

    /// It is unknown whether the service has applied a local change.
    ///
    /// The next sync determines whether it has, where it can.
    case uncertain(LocalChange)

    /// The service has accepted a change of a row, and three complete lists have not shown the
    /// changed properties: whether it has their values is not known.
    case notShown(row: RowReference)

    /// A change of the service has contradicted a local one, or the service has accepted a local
    /// change and kept its own value.
    ///
    /// A policy has decided, or a user has to: see ``Conflict/decision``. The events of a run come
    /// at its end.
    case conflict(Conflict)

    /// Edits may not have been recorded, because another program has removed triggers of the store.
    ///
    /// They were created again, and the next complete pull compares all rows with the service. The
    /// event comes when an engine is prepared, or at the beginning of a run.
    ///
    /// ```swift
    /// for await case .editsUnrecorded(let edits) in engine.events() { print(edits.causes) }
    /// ```
    case editsUnrecorded(UnrecordedEdits)

    /// The file of the store is a copy, or a backup that was restored: another one was used since.
    ///
    /// That one may have sent what is pending here. So these creations are uncertain, and their
    /// objects are looked for first.
    ///
    /// ```swift
    /// for await case .storeCopied(let creations) in engine.events() { print(creations) }
    /// ```
    case storeCopied(creations: Int)

    /// The service finds versions outdated although the objects are unchanged.
    ///
    /// A proxy may change their entity tags (`ETag`, `If-Match`).
    ///
    /// The objects of this list are read before they are changed instead, and changes are sent
    /// without the condition. The store remembers it
    /// (``SyncStatus/ResourceStatus/versionsFail``).
    ///
    /// ```swift
    /// for await case .versionsFail(let resource) in engine.events() { print(resource) }
    /// ```
    case versionsFail(resource: String)

    /// The order of a list is not sent, because the service shows its links with the other rows
    /// alone, and local changes of it are not recorded.
    ///
    /// The event comes when an engine is prepared. If the service accepts the list, let it be sent
    /// by `PushStyle.BodyFormat.links` or by `push` of the relationship. See also
    /// ``SyncStatus/unsentOrders``.
    ///
    /// ```swift
    /// for await case .orderNotSent(let relationship) in engine.events() { print(relationship) }
    /// ```
    case orderNotSent(relationship: String)

    /// The run has ended, with or without failed resources.
    ///
    /// The report is the one that ``SyncEngine/pull(with:)`` or ``SyncEngine/sync(with:pushing:)``
    /// returns, or that ``SyncFailure`` contains.
    case finished(SyncReport)

    /// An error has stopped the run, such as ``SyncError``, `DatabaseError` or `CancellationError`.
    /// The call that started the run throws it.
    case stopped(any Error)
}
