public import TidemarkImport

/// What a pull or a sync did, resource by resource.
///
/// A pull returns its report even if some resources failed, since the rows of the others are in the
/// store. Call ``get()`` to treat any failure as an error. The description of a report is a text
/// for the console, with a line for each resource. For what the store records over many pulls, see
/// ``SyncStatus``.
///
/// ```swift
/// let report = try await engine.pull().get()
/// print(report)
/// ```
public struct SyncReport: Sendable {
    /// The result of each resource, by path, such as `films`.
    ///
    /// It contains the resources that the options selected, and all lists of a resource under a
    /// parent (`posts/{post}/comments`) as one.
    ///
    /// ```swift
    /// for (path, resource) in report.resources where resource.ending != .unchanged {
    ///     print(path, resource.imported.entities[resource.entity]?.updated ?? 0)
    /// }
    /// ```
    public var resources: [String: ResourceReport] = [:]

    /// The number of requests that were sent, including retries, redirects and conditional
    /// requests.
    public var requests = 0

    /// The number of bytes of response bodies, after decompression.
    ///
    /// Compare it between pulls to see whether the service supports conditional requests or
    /// changes: a pull without changes then receives next to nothing.
    public var bytes = 0

    /// The duration of the pull, including delays before retries.
    public var duration = Duration.zero

    /// The references in the store whose destination rows are missing, by relationship.
    ///
    /// They include those of earlier pulls and imports: it is the state of the store at the end of
    /// this pull. An empty array means that every foreign key of the documents is a link.
    ///
    /// ```swift
    /// for references in report.unresolvedReferences where !references.isListed {
    ///     logger.warning("\(references)")    // a resource is missing in the configuration
    /// }
    /// ```
    public var unresolvedReferences: [UnresolvedReferences] = []

    /// The number of references in the store whose destination rows are missing.
    package var unresolvedReferenceCount: Int { unresolvedReferences.map(\.count).reduce(0, +) }

    /// The deletions that await approval, and those that were rejected, of all lists of the store.
    ///
    /// ```swift
    /// for pending in report.pendingDeletions where !pending.isRejected {
    ///     print("\(pending.resource): \(pending.rowCount) rows are no longer listed.")
    /// }
    /// ```
    public var pendingDeletions: [PendingDeletion] = []

    /// What was sent to the service.
    ///
    /// In the report of a pull, these are the creations of unknown outcome that it has reconciled.
    ///
    /// ```swift
    /// let report = try await engine.sync()
    /// if report.pushed.hasPushed { print(report.pushed.entities) }
    /// ```
    public internal(set) var pushed = PushReport()

    /// Creates an empty report.
    package init() {}

    /// Whether every resource was pulled to its end.
    ///
    /// False if a resource failed, and also if the objects of a list moved while it was read
    /// (``Ending/inconsistent``), or if it may have more objects (``Ending/unproven``). A pending
    /// deletion does not make a pull incomplete.
    public var isComplete: Bool {
        resources.values.allSatisfy(\.isComplete)
    }

    /// The errors of the failed resources, in the order of their paths.
    public var failures: [any Error] {
        resources.sorted { $0.key < $1.key }.compactMap(\.value.failure)
    }

    /// Returns the report if no resource failed.
    ///
    /// Use it where a partial sync is not good enough, such as in tests and command line tools. An
    /// app that shows what it has can ignore single failures: the next pull tries them again.
    ///
    /// It does not check what was pushed: see ``PushReport/failures`` and
    /// ``PushReport/localChanges``.
    /// Three conditions are not failures: lists whose objects moved while they were read
    /// (``Ending/inconsistent``), lists that may have more objects (``Ending/unproven``), and
    /// deletions that await approval. Check ``isComplete`` and ``pendingDeletions`` for these.
    ///
    /// ```swift
    /// do {
    ///     try await engine.pull().get()
    /// } catch let failure as SyncFailure {
    ///     print(failure)    // 1 of 3 resources could not be pulled. …
    /// }
    /// ```
    ///
    /// - Returns: The report.
    /// - Throws: ``SyncFailure`` with the failed resources. The store keeps what the pull has
    ///   imported.
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
    ///
    /// It is also the `ending` in metrics and in the output of `tidemark status`. After every
    /// ending the rows of all pages that were read are in the store; only deletions and the cursor
    /// depend on it.
    ///
    /// ```swift
    /// let inconsistent = report.resources.filter { $0.value.ending == .inconsistent }
    /// print(inconsistent.keys.sorted())    // lists that need a stable order
    /// ```
    public enum Ending: String, Sendable, Hashable {
        /// Nothing has changed since the last pull: all pages were not modified, or there were no
        /// changes.
        case unchanged

        /// Everything was read.
        ///
        /// Rows that the service does not list any more were deleted, unless the deletion awaits
        /// approval or `ResourceStyle.deletes` is `.none`.
        case complete

        /// Everything was read, but objects moved between pages meanwhile: unlisted rows are kept.
        ///
        /// The list was read three times. The cursor stays, so the next pull requests the same
        /// changes again. If it happens in every pull, request a stable order, or larger pages
        /// (`ResourceStyle.parameters`).
        case inconsistent

        /// Everything was read to which the responses certainly lead, but one contains something
        /// that may mean that there are more objects: unlisted rows are kept.
        ///
        /// ``ResourceReport/unprovenEnd`` quotes it. Set `ResourceStyle.pagination` to the way in
        /// which the service pages its lists, or to `.none` if the list is the whole.
        case unproven

        /// The resource could not be read to its end; ``ResourceReport/failure`` is the reason.
        case failed
    }

    /// What was done to the rows of all resources together.
    ///
    /// Its diagnostics are those of all resources, in the order of their paths. A row that two
    /// resources contain is counted by both.
    ///
    /// ```swift
    /// let total = try await engine.pull().total
    /// print(total.entities["Film"]?.inserted ?? 0)
    /// for diagnostic in total.diagnostics { print(diagnostic) }
    /// ```
    public var total: ImportReport {
        var total = ImportReport()
        for (_, resource) in resources.sorted(by: { $0.key < $1.key }) {
            total.add(resource.imported)
        }
        return total
    }

    /// The result of one resource.
    ///
    /// ```swift
    /// if let films = report.resources["films"], films.isComplete {
    ///     print("\(films.items) films on \(films.pages) pages in \(films.duration)")
    /// }
    /// ```
    public struct ResourceReport: Sendable {
        /// The entity of its objects.
        public var entity: String

        /// How the pull of the resource ended.
        public var ending = Ending.failed

        /// Whether the collection was reset at the service, so that everything was read again.
        ///
        /// It is detected if changes are requested by version: the service returns none, although
        /// the version of the list is another one. A server whose data was restored or wiped has no
        /// tombstones for the objects that it lost.
        public var wasReset: Bool {
            get { reading.wasReset }
            set { reading.wasReset = newValue }
        }

        /// The number of pages that were read and stored.
        ///
        /// It does not include ``unchangedPages``. A list that is read again for verification
        /// counts again.
        public var pages = 0

        /// The number of objects that these pages contained.
        ///
        /// If a list was read several times, the largest number of one read counts.
        public var items = 0

        /// The total number of objects, as the service reports it; nil if it does not.
        ///
        /// Where it comes from is configured by `ResourceStyle.total`.
        public var total: Int?

        /// The number of pages that were not modified: the service responded with 304 to a
        /// conditional request.
        public var unchangedPages = 0

        /// The deletion of rows of this list that awaits approval, or was rejected; nil without
        /// one.
        ///
        /// The deletion guard of the pull has stopped it. Approve it with
        /// ``SyncEngine/approveDeletion(of:with:)``.
        public var pendingDeletion: PendingDeletion?

        /// Conditions that made the pull slower or less complete than the configuration intends.
        public var warnings: [SyncWarning] = []

        /// What was done to the rows, by entity, and the diagnostics of values that were not stored
        /// as sent.
        ///
        /// Counts include nested and embedded objects, and rows that were deleted by cascade.
        public var imported = ImportReport()

        /// The duration of the pull of this resource.
        ///
        /// Resources are pulled concurrently, so that the sum may exceed ``SyncReport/duration``.
        public var duration = Duration.zero

        /// Why it is not proved that the list ends where it was read to; nil if it is.
        ///
        /// A list whose end is `UnprovenEnd.suspected(_:)` has ended as ``Ending/unproven``. One
        /// whose end is only assumed counts as complete.
        ///
        /// ```swift
        /// for (path, resource) in report.resources {
        ///     if let end = resource.unprovenEnd { print("\(path): \(end)") }
        /// }
        /// ```
        public var unprovenEnd: UnprovenEnd? {
            get { reading.unprovenEnd }
            set { reading.unprovenEnd = newValue }
        }

        /// The error because of which the resource was not pulled to its end; nil without one.
        ///
        /// Usually a `RemoteError`. Pages that were imported before it stay, and the next pull
        /// resumes after them.
        ///
        /// ```swift
        /// for (path, resource) in report.resources {
        ///     guard let error = resource.failure as? RemoteError else { continue }
        ///     print(path, error.status ?? 0, error.isTransient ? "try later" : "needs a fix")
        /// }
        /// ```
        public var failure: (any Error)?

        /// Whether the resource was pulled to its end: ``ending`` is ``Ending/unchanged`` or
        /// ``Ending/complete``.
        public var isComplete: Bool { ending == .unchanged || ending == .complete }

        /// What the pull has read of the list.
        var reading = ListReading()

        /// Creates an empty report.
        package init(_ entity: String) {
            self.entity = entity
        }
    }
}

/// What a pull has read of a list, as far as it proves something about changes that were accepted.
struct ListReading: Sendable {
    /// How much of the list was read.
    enum Extent: Sendable {
        /// Changes, or the rest of a list that an interrupted pull has begun.
        case changes
        /// Changes, after which the service has as many objects as there are rows.
        case countedChanges
        /// The keys of all objects.
        case keys
        /// The whole list, from its first page.
        case whole
    }

    var extent = Extent.changes

    /// The number of the list's first page or object; nil if it is unknown, or nothing is counted.
    var base: Int?

    /// Whether the list was reset at the service.
    var wasReset = false

    /// Why it is not proved that the list ends where it was read to; nil if it is.
    var unprovenEnd: UnprovenEnd?

    /// The number of objects that could not be stored, of the last time that the list was read.
    var rejectedItems = 0
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
