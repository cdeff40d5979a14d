public import TidemarkModel

/// What an import did, row by row and reference by reference.
public struct ImportReport: Sendable, Hashable, Codable {
    /// What became of the rows of each entity; one with nothing to tell is absent.
    public var entities: [String: Counts] = [:]

    /// How many references of the document could not be linked.
    public var unresolved = 0

    /// What was wrong with the data; equal findings are one entry with a count.
    public var diagnostics: [Diagnostic] = []

    /// How many further different findings were left out.
    public var diagnosticsOmitted = 0

    /// Creates an empty report.
    public init() {}

    /// What became of the rows of an entity.
    public struct Counts: Sendable, Hashable, Codable {
        /// New rows.
        public var inserted = 0
        /// Rows with other values or links than before.
        public var updated = 0
        /// Rows that the document names and that were just so.
        public var unchanged = 0
        /// Rows that are gone.
        public var deleted = 0
        /// Objects without a usable key, or refused.
        public var skipped = 0

        /// Creates counts of nothing.
        public init() {}

        /// Whether there is nothing to tell.
        public var isEmpty: Bool { self == Counts() }

        /// Whether no row was changed.
        public var isUnchanged: Bool { inserted == 0 && updated == 0 && deleted == 0 }
    }

    /// Whether no row of any entity was changed.
    public var isUnchanged: Bool {
        entities.values.allSatisfy(\.isUnchanged)
    }

    /// How many rows were inserted, updated or deleted.
    public var changedRows: Int {
        entities.values.reduce(0) { $0 + $1.inserted + $1.updated + $1.deleted }
    }

    /// Adds what another import did, as a walk adds up its transactions.
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
