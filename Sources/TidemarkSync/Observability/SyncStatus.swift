public import Foundation
import GRDB
public import TidemarkImport
public import TidemarkModel
public import TidemarkStore

/// How far the pulls into a store have come.
public struct SyncStatus: Sendable {
    /// The name or origin of the service that the store belongs to; nil as long as it belongs to
    /// none.
    public var service: String?

    /// The account that it belongs to, where that was told.
    public var account: String?

    /// The resources that were ever pulled, by path.
    public var resources: [ResourceStatus] = []

    /// When the next pull begins, where a process is running that pulls by a schedule.
    public var next: Date?

    /// The pull that is running, in whatever process; nil while none is.
    public var running: RunningPull?

    /// The references whose rows are not here, by relationship.
    public var unresolvedReferences: [UnresolvedReferences] = []

    /// How many references wait for rows that are not here.
    public var unresolvedReferenceCount: Int { unresolvedReferences.map(\.count).reduce(0, +) }

    /// The deletions that await approval, and those that were rejected
    /// (`PendingDeletion.isRejected`).
    public var pendingDeletions: [PendingDeletion] = []

    /// A pull at work on the store.
    public struct RunningPull: Hashable, Sendable {
        /// The number of the process that pulls.
        public var process: Int64

        /// The name of the host that it runs on.
        public var host: String
    }

    /// How far the pulls of one resource have come.
    public struct ResourceStatus: Sendable {
        /// The path of the resource.
        public var path: String
        /// The entity that its objects are.
        public var entity: String
        /// When a whole list was in the store for the first time; nil as long as none was.
        public var firstFullSync: Date?
        /// From where the next changes are asked for, in the service's own words.
        public var cursor: String?
        /// When it was pulled last.
        public var lastAttempt: Date?
        /// When it was last pulled without a failure; nil as long as it was not.
        public var lastSuccess: Date?
        /// How the last pull came to its end.
        public var ending: SyncReport.Ending?
        /// Why it failed.
        public var failure: String?
        /// The number of the page at which an interrupted pull goes on.
        public var nextPage: Int?
        /// How many rows there are.
        public var rows: Int
    }

    /// Reads the status of a store.
    ///
    /// - Throws: `StoreError` when the store is damaged, `DatabaseError`.
    public static func of(
        _ store: Store,
        environment: SystemEnvironment = .live
    ) throws -> SyncStatus {
        let importer = Importer(store)
        return try store.reader.read { db in
            var status = SyncStatus()
            status.unresolvedReferences = try UnresolvedReferences.all(in: store, db, listed: [])
            guard let binding = try ServiceBinding.of(db) else { return status }
            try SyncTables.check(db)
            status.service = binding.origin
            status.account = binding.account
            status.next = try NextRun.date(db, environment)
            status.pendingDeletions = try importer.pendingDeletions(db)
            status.resources = try ResourceState.all(db).map { state in
                ResourceStatus(
                    path: state.path,
                    entity: state.entity,
                    firstFullSync: state.firstFullSync,
                    cursor: state.cursor,
                    lastAttempt: state.lastAttempt,
                    lastSuccess: state.lastSuccess,
                    ending: state.outcome.flatMap(SyncReport.Ending.init(storedName:)),
                    failure: state.message,
                    nextPage: state.walk.flatMap { $0.next == nil ? nil : $0.number },
                    rows: try importer.countKeyed(db, of: state.entity)
                )
            }
            status.running = try Lease.holder(db, environment).map { holder in
                RunningPull(process: holder.number, host: holder.host)
            }
            status.unresolvedReferences = try UnresolvedReferences.all(
                in: store,
                db,
                listed: Set(status.resources.map(\.entity))
            )
            return status
        }
    }
}
