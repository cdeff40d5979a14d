public import TidemarkModel

/// The result of an import: counts of rows and references, and diagnostics.
public struct ImportReport: Sendable, Hashable, Codable {
    /// The counts by entity.
    ///
    /// An entity without any is absent.
    public var entities: [String: Counts] = [:]

    /// The number of references whose row is not stored.
    public var unresolved = 0

    /// The problems of the data.
    ///
    /// Equal diagnostics are one entry with a count.
    public var diagnostics: [Diagnostic] = []

    /// The number of further, different diagnostics that were omitted because of
    /// `Limits.diagnostics`.
    public var diagnosticsOmitted = 0

    /// Creates an empty report.
    public init() {}

    /// The numbers of rows of one entity.
    public struct Counts: Sendable, Hashable, Codable {
        /// New rows.
        public var inserted = 0
        /// Rows whose values or links have changed.
        public var updated = 0
        /// Rows that the document contains and that already had its values.
        public var unchanged = 0
        /// Deleted rows.
        public var deleted = 0
        /// Objects without a usable primary key, and objects that were rejected.
        public var skipped = 0

        /// Creates counts of zero.
        public init() {}

        /// Whether all counts are zero.
        public var isEmpty: Bool { self == Counts() }

        /// Whether no row was changed.
        public var isUnchanged: Bool { inserted == 0 && updated == 0 && deleted == 0 }
    }

    /// Whether no row of any entity was changed.
    public var isUnchanged: Bool {
        entities.values.allSatisfy(\.isUnchanged)
    }

    /// The number of rows that were inserted, updated or deleted.
    public var changedRows: Int {
        entities.values.reduce(0) { $0 + $1.inserted + $1.updated + $1.deleted }
    }

    /// Adds the report of another import, for example of the next transaction of a session.
    ///
    /// - Parameters:
    ///   - other: The other report.
    ///   - limit: The maximum number of different diagnostics. Further ones are counted in
    ///     ``diagnosticsOmitted``.
    public mutating func add(_ other: ImportReport, limit: Int = Limits().diagnostics) {
        for (entity, counts) in other.entities {
            entities[entity, default: Counts()].add(counts)
        }
        unresolved += other.unresolved
        diagnosticsOmitted += other.diagnosticsOmitted
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
