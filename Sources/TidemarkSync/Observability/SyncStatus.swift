public import Foundation
import GRDB
public import TidemarkImport
public import TidemarkModel
public import TidemarkStore

/// The state of the synchronization of a store, as recorded by its pulls.
///
/// Reading the status does not change the store, and does not wait for a running pull.
public struct SyncStatus: Sendable {
    /// The name or origin of the service that the store belongs to; nil if it belongs to none yet.
    public var service: String?

    /// The account that the store belongs to; nil if none is configured.
    public var account: String?

    /// The resources that were ever pulled, by path.
    public var resources: [ResourceStatus] = []

    /// When the next scheduled pull begins; nil if no running process of this host will start one.
    public var next: Date?

    /// The process that is pulling, which may be this one; nil if no pull is running.
    public var running: ProcessIdentity?

    /// The references whose destination rows are missing, by relationship.
    public var unresolvedReferences: [UnresolvedReferences] = []

    /// The number of references whose destination rows are missing.
    public var unresolvedReferenceCount: Int { unresolvedReferences.map(\.count).reduce(0, +) }

    /// The deletions that await approval, and those that were rejected
    /// (`PendingDeletion.isRejected`).
    public var pendingDeletions: [PendingDeletion] = []

    /// The state of one resource.
    public struct ResourceStatus: Sendable {
        /// The path of the resource.
        public var path: String
        /// The entity of its objects.
        public var entity: String
        /// When a whole list was in the store for the first time; nil if none has been.
        public var firstFullSync: Date?
        /// The cursor that the next changes are requested since, a server-provided value.
        public var cursor: String?
        /// When the resource was last pulled.
        public var lastAttempt: Date?
        /// When the resource was last pulled without a failure; nil if never.
        public var lastSuccess: Date?
        /// How the last pull of the resource ended.
        public var ending: SyncReport.Ending?
        /// The message of the failure of the last pull; nil if it succeeded.
        public var failure: String?
        /// The number of the page at which an interrupted pull resumes; nil if none was
        /// interrupted.
        public var nextPage: Int?
        /// The number of rows.
        public var rows: Int
    }

    /// Reads the status of a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - environment: Looks up whether the processes of pulls and schedules are running.
    /// - Returns: The status, which is empty for a store that does not belong to a service.
    /// - Throws: `StoreError` if the store is damaged, `DatabaseError`.
    public static func of(
        _ store: Store,
        environment: SystemEnvironment = .live
    ) throws -> SyncStatus {
        let importer = Importer(store)
        return try store.reader.read { db in
            var status = SyncStatus()
            guard let binding = try ServiceBinding.of(db) else {
                status.unresolvedReferences = try UnresolvedReferences.all(in: store, db)
                return status
            }
            try SyncTables.check(db)
            status.service = binding.origin
            status.account = binding.account
            status.next = try NextRun.date(db, environment)
            status.pendingDeletions = try importer.pendingDeletions(db)
            status.resources = try ResourceState.all(db).map { state, checkpoint in
                ResourceStatus(
                    path: state.path,
                    entity: state.basis.entity,
                    firstFullSync: state.firstFullSync,
                    cursor: state.cursor,
                    lastAttempt: state.lastPull.attempt,
                    lastSuccess: state.lastPull.success,
                    ending: state.lastPull.outcome.flatMap(SyncReport.Ending.init(storedName:)),
                    failure: state.lastPull.message,
                    nextPage: checkpoint.flatMap { $0.position == .restart ? nil : $0.pageNumber },
                    rows: try importer.countKeyed(db, of: state.basis.entity)
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
