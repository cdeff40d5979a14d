public import Foundation
import GRDB
public import TidemarkImport
public import TidemarkModel
public import TidemarkStore

/// The state of the synchronization of a store, as recorded by its pulls.
///
/// Use it to show when data was last synced, without an engine and without a network.
/// ``SyncReport`` describes one pull instead. Reading the status does not change the store, and
/// does not wait for a running pull; it also works for stores that are opened read-only.
///
/// ```swift
/// let status = try SyncStatus.of(store)
/// for resource in status.resources {
///     print(resource.path, resource.rows, resource.lastSuccess.map { "\($0)" } ?? "never")
/// }
/// ```
public struct SyncStatus: Sendable {
    /// The name or origin of the service that the store belongs to; nil if it belongs to none yet.
    ///
    /// The first pull records it: `Service.name`, or else an origin such as
    /// `https://api.example.com`.
    public var service: String?

    /// The account that the store belongs to; nil if none is configured.
    ///
    /// It is the `account` that was passed to the engine, never a credential.
    public var account: String?

    /// The resources that were ever pulled, by path.
    ///
    /// A resource that is configured but was not pulled yet is missing.
    public var resources: [ResourceStatus] = []

    /// When the next pull or push of a schedule begins; nil if no running process of this host will
    /// start one.
    ///
    /// ``SyncEngine/run(_:with:pushing:)`` records it after each run.
    public var next: Date?

    /// The process whose pull, push or sync is running; nil if none is.
    ///
    /// ```swift
    /// if let pull = try SyncStatus.of(store).running {
    ///     print("Process \(pull.number) on \(pull.host) is syncing.")
    /// }
    /// ```
    public var running: ProcessIdentity?

    /// The references whose destination rows are missing, by relationship.
    ///
    /// They are read from the store at this moment, not recorded by the last pull.
    public var unresolvedReferences: [UnresolvedReferences] = []

    /// The number of references whose destination rows are missing.
    package var unresolvedReferenceCount: Int { unresolvedReferences.map(\.count).reduce(0, +) }

    /// The deletions that await approval, and those that were rejected
    /// (`PendingDeletion.isRejected`).
    ///
    /// Show them to the user, and delete the rows with ``SyncEngine/approveDeletion(of:with:)``.
    public var pendingDeletions: [PendingDeletion] = []

    /// The local changes that are left, read from the store at this moment.
    ///
    /// A store whose service accepts no changes has none.
    public var localChanges = LocalChangeSummary()

    /// The ordered relationships whose order no request contains, such as `User.notes`, because the
    /// service shows the links with the rows on the other side alone.
    ///
    /// Local changes of such an order are not recorded. If the service accepts the list, let it be
    /// sent by `PushStyle.BodyFormat.links`.
    public var unsentOrders: [String] = []

    /// The state of one resource.
    ///
    /// ```swift
    /// let stale = try SyncStatus.of(store).resources.filter { resource in
    ///     resource.lastSuccess.map { $0.timeIntervalSinceNow < -86_400 } ?? true
    /// }
    /// print(stale.map(\.path))    // not synced for a day
    /// ```
    public struct ResourceStatus: Sendable {
        /// The path of the resource, such as `films` or `posts/{post}/comments`.
        public var path: String

        /// The entity of its objects.
        public var entity: String

        /// When a whole list was in the store for the first time; nil if none has been.
        ///
        /// Until then the rows are a part of the list: show a placeholder for an empty list only
        /// after it.
        public var firstFullSync: Date?

        /// The cursor that the next changes are requested since, a server-provided value; nil
        /// without one.
        ///
        /// It is a time stamp or an entity tag of the service. The clock of the device is never
        /// part of it.
        public var cursor: String?

        /// When the last pull of the resource ended, successfully or not; nil if none has ended
        /// yet.
        ///
        /// A pull that was cancelled or killed is not recorded.
        public var lastAttempt: Date? { lastPull.attempt }

        /// When the resource was last pulled without a failure; nil if never.
        ///
        /// A list that ended as ``SyncReport/Ending/inconsistent`` counts as a success.
        public var lastSuccess: Date? { lastPull.success }

        /// How the last pull of the resource ended.
        public var ending: SyncReport.Ending? {
            lastPull.outcome.flatMap(SyncReport.Ending.init(rawValue:))
        }

        /// Why it is not proved that the list ends where it was last read to; nil if it is.
        public var unprovenEnd: UnprovenEnd? { lastPull.unprovenEnd }

        /// The message of the failure of the last pull; nil if it succeeded.
        public var failure: String? { lastPull.message }

        /// The number of the page at which an interrupted pull resumes; nil if none was
        /// interrupted.
        ///
        /// While a pull is running, it is the page that it has reached.
        public var nextPage: Int?

        /// The number of rows of the entity that have a primary key, those of entities that inherit
        /// from it included.
        ///
        /// If several resources list the entity, each has the same number.
        public var rows: Int

        /// The forms in which the service writes values of the entity, by the name of the member.
        ///
        /// A request contains values in the same form, as far as it can express them. Listed are
        /// those that JSON itself does not suggest, such as `number as text with 2 decimals` for a
        /// price, and dates. They are for people, and their texts may change.
        public var forms: [String: String]

        /// Whether the service finds versions outdated (`ETag`, `If-Match`) although objects are
        /// unchanged, so that objects are read before they are changed instead.
        public var versionsFail: Bool

        /// What the store has recorded of the last pull.
        var lastPull: ResourceState.LastPull
    }

    /// Reads the status of a store.
    ///
    /// It is read in one transaction, and is therefore consistent, also while a pull is running:
    /// SQLite's write-ahead log does not block readers.
    ///
    /// ```swift
    /// let store = try Store.openReadOnly(at: path)
    /// let status = try SyncStatus.of(store)
    /// print(status.service ?? "not synced yet", status.pendingDeletions.count)
    /// ```
    ///
    /// - Parameters:
    ///   - store: The store, which may be read-only.
    ///   - environment: Looks up whether the processes of pulls and schedules are running. Defaults
    ///     to the system's.
    /// - Returns: The status, which is empty for a store that does not belong to a service.
    /// - Throws: `StoreError` if the store is damaged, `DatabaseError`.
    public static func of(
        _ store: Store,
        environment: SystemEnvironment = .live
    ) throws -> SyncStatus {
        let importer = Importer(store)
        return try store.reader.read { db in
            var status = SyncStatus()
            let outbox = Outbox(store, environment: environment)
            status.localChanges = try .of(db, in: store, outbox: outbox)
            guard let binding = try ServiceBinding.of(db) else {
                status.unresolvedReferences = try UnresolvedReferences.all(in: store, db)
                return status
            }
            try SyncTables.check(db)
            status.service = binding.origin
            status.account = binding.account
            status.next = try NextRun.date(db, environment)
            status.pendingDeletions = try importer.pendingDeletions(db)
            let names = try importer.observedNames(db)
            status.unsentOrders = try ShownLinks(db, in: importer).unsentOrders(db)
            let isPushing = try Capture.isInstalled(db)
            status.resources = try ResourceState.all(db).map { state, checkpoint in
                ResourceStatus(
                    path: state.path,
                    entity: state.basis.entity,
                    firstFullSync: state.firstFullSync,
                    cursor: state.cursor,
                    nextPage: checkpoint.flatMap { $0.position == .restart ? nil : $0.pageNumber },
                    rows: try importer.countKeyed(db, of: state.basis.entity),
                    forms: names[state.basis.entity]?.described ?? [:],
                    versionsFail: try isPushing && ListFacts(db).versionsFail(state.path),
                    lastPull: state.lastPull
                )
            }
            status.running = try Lease.holder(db, environment)
            status.unresolvedReferences = try UnresolvedReferences.all(
                in: store,
                db,
                listed: Set(status.resources.map(\.entity))
            )
            return status
        }
    }
}
