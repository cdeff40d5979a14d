import GRDB
import TidemarkModel

extension Store {
    /// Compares the store with a copy of it in which something was done since: rows by their
    /// numbers, each with its values and links.
    ///
    /// ```swift
    /// let copy = try store.temporaryCopy()
    /// // … whatever is to be tried out, in the copy …
    /// let differences = try store.differences(from: copy)
    /// ```
    ///
    /// Both stores are read from one end to the other, and nothing of them is held but the rows
    /// that differ.
    ///
    /// - Parameters:
    ///   - other: the copy.
    ///   - limit: how many rows are told; the others are counted.
    /// - Returns: the rows that differ, and how many of each entity do.
    /// - Throws: ``StoreError/Code/outdated`` when one of them was migrated since, `DatabaseError`.
    public func differences(from other: Store, limit: Int = 1_000) throws -> StoreDifferences {
        try differences(from: other, coveredBy: nil, limit: limit)
    }

    /// Compares the store with a copy into which everything that a service has was imported.
    ///
    /// - Parameters:
    ///   - other: The copy.
    ///   - coverage: The values that the imported documents contain: of others the copy has what a
    ///     new row would have. Nil where documents are missing, and the copy counts as it is.
    ///   - limit: How many rows are listed; the others are counted.
    /// - Returns: The rows that differ, and how many of each entity do.
    /// - Throws: What ``differences(from:limit:)`` throws.
    package func differences(
        from other: Store,
        coveredBy coverage: StoreCoverage?,
        limit: Int
    ) throws -> StoreDifferences {
        // A connection runs one access at a time, and a store equals itself.
        guard writer !== other.writer else {
            try reader.read { db in
                try expectLayout(db)
                try other.expectLayout(db)
            }
            return StoreDifferences()
        }
        return try reader.read { here in
            try other.reader.read { there in
                let comparison = try StoreComparison(
                    StoreReader(here, self),
                    StoreReader(there, other),
                    coveredBy: coverage,
                    limit: limit
                )
                return try comparison.run()
            }
        }
    }
}
