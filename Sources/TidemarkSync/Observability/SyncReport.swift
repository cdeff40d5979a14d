public import TidemarkImport

/// What a pull did, resource by resource.
///
/// A pull returns its report even if some resources failed, since the rows of the others are in the
/// store. Call ``get()`` to treat any failure as an error.
///
/// ```swift
/// let report = try await engine.pull().get()
/// print(report)
/// ```
public struct SyncReport: Sendable {
    /// The result of each resource, by path.
    public var resources: [String: ResourceReport] = [:]

    /// The number of requests that were sent, including retries.
    public var requests = 0

    /// The number of bytes of response bodies, decoded.
    public var bytes = 0

    /// The duration of the pull.
    public var duration = Duration.zero

    /// The references in the store whose destination rows are missing, by relationship.
    public var unresolvedReferences: [UnresolvedReferences] = []

    /// The number of references in the store whose destination rows are missing.
    public var unresolvedReferenceCount: Int { unresolvedReferences.map(\.count).reduce(0, +) }

    /// The deletions that await approval, and those that were rejected.
    public var pendingDeletions: [PendingDeletion] = []

    /// Creates an empty report.
    public init() {}

    /// Whether every resource was pulled to its end.
    public var isComplete: Bool {
        resources.values.allSatisfy(\.isComplete)
    }

    /// The errors of the failed resources, in the order of their paths.
    public var failures: [any Error] {
        resources.sorted { $0.key < $1.key }.compactMap(\.value.failure)
    }

    /// Returns the report if no resource failed.
    ///
    /// Two conditions are no failures: lists whose objects moved while they were read
    /// (``Ending/inconsistent``), and deletions that await approval. Check ``isComplete`` and
    /// ``pendingDeletions`` for these.
    ///
    /// - Returns: The report.
    /// - Throws: ``SyncFailure`` with the failed resources.
    @discardableResult
    public func get() throws -> SyncReport {
        guard failures.isEmpty else { throw SyncFailure(self) }
        return self
    }

    /// Whether every resource failed before a page of it was read.
    var isFruitless: Bool {
        !resources.isEmpty
            && resources.values.allSatisfy {
                $0.failure != nil && $0.pages == 0 && $0.unchangedPages == 0
            }
    }

    /// How the pull of a resource ended.
    public enum Ending: String, Sendable, Hashable {
        /// Nothing has changed since the last pull.
        case unchanged
        /// Everything was read.
        case complete
        /// Everything was read, but objects moved between pages meanwhile: nothing was deleted.
        case inconsistent
        /// The resource could not be read to its end.
        case failed
    }

    /// What was done to the rows of all resources together.
    public var total: ImportReport {
        var total = ImportReport()
        for (_, resource) in resources.sorted(by: { $0.key < $1.key }) {
            total.add(resource.imported)
        }
        return total
    }

    /// The result of one resource.
    public struct ResourceReport: Sendable {
        /// The entity of its objects.
        public var entity: String

        /// How the pull of the resource ended.
        public var ending = Ending.failed

        /// Whether the collection was reset at the service, so that everything was read again.
        public var wasReset = false

        /// The number of pages that were read.
        public var pages = 0

        /// The number of objects that these pages contained.
        public var items = 0

        /// The total number of objects, as the service reports it; nil if it does not.
        public var total: Int?

        /// The number of pages that were not modified.
        public var unchangedPages = 0

        /// The deletion of rows of this list that awaits approval, or was rejected; nil without
        /// one.
        public var pendingDeletion: PendingDeletion?

        /// Conditions that made the pull slower or less complete than the configuration intends.
        public var warnings: [SyncWarning] = []

        /// What was done to the rows.
        public var imported = ImportReport()

        /// The duration of the pull of this resource.
        public var duration = Duration.zero

        /// The error because of which the resource was not pulled to its end; nil without one.
        ///
        /// Pages that were imported before it stay.
        public var failure: (any Error)?

        /// Whether the resource was pulled to its end.
        public var isComplete: Bool { ending == .unchanged || ending == .complete }

        /// Creates an empty report.
        public init(_ entity: String) {
            self.entity = entity
        }
    }
}

extension SyncReport.ResourceReport {
    /// Resets the counts before a list is read again.
    ///
    /// Rows that the read before has inserted or updated will be read as unchanged, and are
    /// subtracted in advance.
    mutating func restartCounting() {
        items = 0
        for (entity, counts) in imported.entities {
            imported.entities[entity]?.unchanged = -(counts.inserted + counts.updated)
            imported.entities[entity]?.skipped = 0
        }
    }

    /// Ends the counting.
    ///
    /// If a list was not read again to its end, some rows that were subtracted in advance have not
    /// been read.
    ///
    /// - Parameter itemsBefore: The largest number of objects in an earlier read of the list.
    mutating func endCounting(itemsBefore: Int) {
        // Pages that were not modified since the first read are not transferred again.
        items = max(items, itemsBefore)
        for (entity, counts) in imported.entities {
            imported.entities[entity]?.unchanged = max(0, counts.unchanged)
        }
    }
}
