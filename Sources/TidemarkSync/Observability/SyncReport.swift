public import TidemarkImport

/// What a pull did, resource by resource.
///
/// A pull returns its report even if some resources failed: the rows of the others are in the
/// store. Call ``get()`` where each resource matters.
///
/// ```swift
/// let report = try await engine.pull().get()
/// print(report)
/// ```
public struct SyncReport: Sendable {
    /// What became of each resource, by its path.
    public var resources: [String: ResourceReport] = [:]

    /// How many requests were sent, those tried again included.
    public var requests = 0

    /// How many bytes of documents came, decoded.
    public var bytes = 0

    /// How long the pull took.
    public var duration = Duration.zero

    /// The references in the store whose rows are not here, by relationship.
    public var unresolvedReferences: [UnresolvedReferences] = []

    /// How many references in the store wait for rows that are not here.
    public var unresolvedReferenceCount: Int { unresolvedReferences.map(\.count).reduce(0, +) }

    /// The deletions that await approval, and those that were rejected.
    public var pendingDeletions: [PendingDeletion] = []

    /// Creates an empty report.
    public init() {}

    /// Whether every resource was pulled to its end.
    public var isComplete: Bool {
        resources.values.allSatisfy(\.isComplete)
    }

    /// Why resources were not pulled to their ends, in the order of their paths.
    public var failures: [any Error] {
        resources.sorted { $0.key < $1.key }.compactMap(\.value.failure)
    }

    /// Returns the report if no resource failed.
    ///
    /// Lists whose objects moved while they were read (``Ending/inconsistent``) and deletions that
    /// await approval did not fail: ``isComplete`` and ``pendingDeletions`` report them.
    ///
    /// - Returns: The report.
    /// - Throws: ``SyncFailure`` with the failed resources.
    @discardableResult
    public func get() throws -> SyncReport {
        guard failures.isEmpty else { throw SyncFailure(self) }
        return self
    }

    /// Whether each resource failed before a page of it was read.
    var isFruitless: Bool {
        !resources.isEmpty
            && resources.values.allSatisfy {
                $0.failure != nil && $0.pages == 0 && $0.unchangedPages == 0
            }
    }

    /// How the pull of a resource came to its end.
    public enum Ending: String, Sendable, Hashable {
        /// Nothing has changed since the last time.
        case unchanged
        /// Everything was read.
        case complete
        /// Everything was read, but objects moved between pages meanwhile: nothing was deleted.
        case inconsistent
        /// It could not be read to its end.
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

    /// What became of one resource.
    public struct ResourceReport: Sendable {
        /// The entity that its objects are.
        public var entity: String

        /// How it came to its end.
        public var ending = Ending.failed

        /// Whether a whole list was in the store before.
        public var wasCompleted = false

        /// Whether the service had lost what it knew: everything was read anew.
        public var wasReset = false

        /// How many pages were read.
        public var pages = 0

        /// How many objects stood in them.
        public var items = 0

        /// How many objects the list has, as the service reports it; nil where it does not.
        public var total: Int?

        /// The most objects that an earlier reading of the same list in this pull had.
        var itemsBefore = 0

        /// How many pages were as they had been.
        public var unchangedPages = 0

        /// The deletion of rows of this list that awaits approval, or was rejected.
        public var pendingDeletion: PendingDeletion?

        /// Conditions that made the pull slower or less complete than its configuration intends.
        public var warnings: [SyncWarning] = []

        /// What was done to the rows.
        public var imported = ImportReport()

        /// How long it took.
        public var duration = Duration.zero

        /// Why the resource was not pulled to its end; what came before stays.
        public var failure: (any Error)?

        /// Whether it was pulled to its end.
        public var isComplete: Bool { ending == .unchanged || ending == .complete }

        /// Creates an empty report.
        public init(_ entity: String) {
            self.entity = entity
        }
    }
}

extension SyncReport.ResourceReport {
    /// Begins to count the objects of a list that is read again: rows that were changed when it was
    /// read before come once more, and are as they should be.
    mutating func countAnew() {
        itemsBefore = max(itemsBefore, items)
        items = 0
        for (entity, counts) in imported.entities {
            imported.entities[entity]?.unchanged = -(counts.inserted + counts.updated)
            imported.entities[entity]?.skipped = 0
        }
    }

    /// Ends counting: of a list that was not read again to its end nothing is owed.
    mutating func endCounting() {
        // Pages that were not modified since the first reading are not sent again.
        items = max(items, itemsBefore)
        for (entity, counts) in imported.entities {
            imported.entities[entity]?.unchanged = max(0, counts.unchanged)
        }
    }
}
