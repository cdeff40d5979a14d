public import TidemarkModel

/// The result of an import: counts of rows and references, and diagnostics.
///
/// Read it to log what an import did, to notice that a service has changed its format, and in
/// tests. It is `Codable`: the members of its JSON are named as the properties, but for
/// `unresolved`, which is ``unresolvedReferenceCount``.
///
/// ```swift
/// let report = try importer.import(&items, into: "User")
/// print(report)  // User: 2 inserted, 1 deleted; 1 unresolved reference
/// for problem in report.diagnostics where problem.severity == .error {
///     print(problem.entity, problem.key ?? "-", problem.path ?? "-", problem.message)
/// }
/// ```
public struct ImportReport: Sendable, Hashable, Codable {
    /// The counts by the name of the entity.
    ///
    /// An entity without any is absent. A row counts for its own entity, not for those that it
    /// inherits from. Rows nested in items, and rows deleted by cascade, are included.
    ///
    /// ```swift
    /// let report = try importer.import(&items, into: "User")
    /// let newNotes = report.entities["Note"]?.inserted ?? 0
    /// ```
    public var entities: [String: Counts] = [:]

    /// The number of references of the document whose row is not stored.
    ///
    /// What happens to them is decided by ``ImportOptions/unresolved``.
    public var unresolvedReferenceCount = 0

    /// The problems of the data: values and objects that were not stored as sent, and members that
    /// the model lacks.
    ///
    /// Equal diagnostics, with the same entity, path and message, are one entry with a count.
    ///
    /// ```swift
    /// let report = try importer.dryRun(&items, into: "User")
    /// let isClean = report.diagnostics.allSatisfy { $0.severity == .warning }
    /// ```
    public var diagnostics: [Diagnostic] = []

    /// The number of further, different diagnostics that were omitted because of
    /// `Limits.diagnostics`, 1,000 by default.
    ///
    /// The limit bounds the memory of an import of a document that is invalid throughout.
    public var diagnosticsOmitted = 0

    /// The number of rows in scope that the document does not contain, and that were kept because
    /// the store belongs to a service, or the document comes from it; nil if
    /// ``ImportOptions/operations`` are set, or none were kept.
    ///
    /// ```swift
    /// let report = try importer.import(&items, into: "Note")
    /// if let kept = report.unlistedRowCount { print("\(kept) notes are not in the document.") }
    /// ```
    public var unlistedRowCount: Int?

    private enum CodingKeys: String, CodingKey {
        case entities, diagnostics, diagnosticsOmitted
        case unlistedRowCount = "unlisted"
        case unresolvedReferenceCount = "unresolved"
    }

    /// Creates an empty report, to add others to.
    public init() {}

    /// The numbers of rows of one entity.
    ///
    /// A row counts once, however often the document contains it: as inserted before updated, and
    /// as updated before unchanged. A row that moves to another entity of its tree counts as
    /// deleted from the old one, and as inserted into the new one.
    ///
    /// ```swift
    /// let report = try importer.import(&items, into: "User")
    /// if let users = report.entities["User"] {
    ///     print(users)  // 2 inserted, 14 unchanged
    /// }
    /// ```
    public struct Counts: Sendable, Hashable, Codable {
        /// Rows that the import inserted.
        public var inserted = 0
        /// Rows whose values or links have changed; a row that would get the values that it has is
        /// not written.
        public var updated = 0
        /// Rows that the document contains and that already had its values.
        public var unchanged = 0
        /// Rows that were deleted because the document lacks them, or by cascade.
        public var deleted = 0
        /// Objects without a usable primary key, and objects that were rejected, for example
        /// because a value breaks a rule of the model; a diagnostic says why.
        public var skipped = 0

        /// Creates counts of zero.
        package init() {}

        /// Whether all counts are zero.
        package var isEmpty: Bool { self == Counts() }

        /// Whether no row of the entity was inserted, updated or deleted.
        public var isUnchanged: Bool { inserted == 0 && updated == 0 && deleted == 0 }
    }

    /// Whether no row of any entity was inserted, updated or deleted.
    ///
    /// Importing the same document twice is idempotent, so that the second report is unchanged.
    ///
    /// ```swift
    /// let again = try importer.import(&items, into: "User")
    /// print(again.isUnchanged)  // true
    /// ```
    public var isUnchanged: Bool {
        entities.values.allSatisfy(\.isUnchanged)
    }

    /// Whether objects were skipped, and no other one was stored or found unchanged.
    package var hasStoredNothing: Bool {
        entities.values.contains { $0.skipped > 0 }
            && entities.values.allSatisfy { $0.inserted + $0.updated + $0.unchanged == 0 }
    }

    /// The number of rows of all entities that were inserted, updated or deleted.
    public var changedRows: Int {
        entities.values.reduce(0) { $0 + $1.inserted + $1.updated + $1.deleted }
    }

    /// Adds the report of another import, for example of the next transaction of a session.
    ///
    /// Counts are added, and equal diagnostics are merged. A row that both imports have changed
    /// counts twice.
    ///
    /// <!-- example: let pages: [[UInt8]] = [] -->
    /// ```swift
    /// var total = ImportReport()
    /// for page in pages {
    ///     var items = try JSONDocument(page).items()
    ///     let options = ImportOptions(operations: .upsert)
    ///     total.add(try importer.import(&items, into: "User", options: options))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - other: The other report.
    ///   - limit: The maximum number of different diagnostics. Further ones are counted in
    ///     ``diagnosticsOmitted``.
    public mutating func add(_ other: ImportReport, limit: Int = Limits().diagnostics) {
        for (entity, counts) in other.entities {
            entities[entity, default: Counts()].add(counts)
        }
        unresolvedReferenceCount += other.unresolvedReferenceCount
        diagnosticsOmitted += other.diagnosticsOmitted
        if let count = other.unlistedRowCount {
            unlistedRowCount = (unlistedRowCount ?? 0) + count
        }
        for diagnostic in other.diagnostics {
            add(diagnostic, limit: limit)
        }
    }

    private mutating func add(_ diagnostic: Diagnostic, limit: Int) {
        let same = diagnostics.firstIndex {
            $0.entity == diagnostic.entity && $0.path == diagnostic.path
                && $0.message == diagnostic.message
        }
        if let same {
            diagnostics[same].count += diagnostic.count
        } else if diagnostics.count < limit {
            diagnostics.append(diagnostic)
        } else {
            diagnosticsOmitted += 1
        }
    }
}

extension ImportReport.Counts {
    mutating func add(_ other: Self) {
        inserted += other.inserted
        updated += other.updated
        unchanged += other.unchanged
        deleted += other.deleted
        skipped += other.skipped
    }
}
