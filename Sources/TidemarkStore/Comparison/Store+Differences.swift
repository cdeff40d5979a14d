import GRDB
import TidemarkModel

extension Store {
    /// Compares the store with a changed copy of it: rows with the same number, each with its
    /// values and links.
    ///
    /// Use it in tests and to preview a change, for example what an import would do:
    ///
    /// ```swift
    /// let copy = try store.temporaryCopy()
    /// _ = try Importer(copy).import(&items, into: "User")
    /// print(try store.differences(from: copy))   // User: 0 only here, 1 only there, 2 differing
    /// ```
    ///
    /// Rows are compared by row number, not by primary key: two stores that were pulled separately
    /// cannot be compared. Each store is read in a transaction of its own, and sequentially. Only
    /// the listed rows, and a few bits for each changed link, are held in memory. A store does not
    /// differ from itself.
    ///
    /// - Parameters:
    ///   - other: The copy, with the same model. Rows of a store of another origin have unrelated
    ///     numbers.
    ///   - limit: The maximum number of rows that are listed; further ones are counted only.
    ///     Defaults to 1,000.
    /// - Returns: The differing rows, and their number by entity.
    /// - Throws: ``StoreError/Code/outdated`` if one of the stores was migrated after it was
    ///   opened, `DatabaseError`.
    public func differences(from other: Store, limit: Int = 1_000) throws -> StoreDifferences {
        try differences(from: other, coveredBy: nil, limit: limit)
    }

    /// Compares the store with a copy into which all documents of a service were imported.
    ///
    /// See ``differences(from:coveredBy:limit:separating:)``.
    package func differences(
        from other: Store,
        coveredBy coverage: StoreCoverage?,
        limit: Int
    ) throws -> StoreDifferences {
        try differences(from: other, coveredBy: coverage, limit: limit) { _, _, _ in false }.others
    }

    /// Compares the store with a copy into which all documents of a service were imported, and
    /// reports the differences of certain rows apart.
    ///
    /// - Parameters:
    ///   - other: The copy.
    ///   - coverage: The values that the imported documents contain. All others are compared with
    ///     those of a new row. Nil if documents are missing; the copy is then compared as it is.
    ///   - limit: The maximum number of rows that are listed; further ones are counted only.
    ///   - isSeparate: Whether a difference is reported apart: of the number of a row, the index of
    ///     its table, and whether only the copy has the row.
    /// - Returns: The differing rows, and their number by entity.
    /// - Throws: The errors of ``differences(from:limit:)``.
    package func differences(
        from other: Store,
        coveredBy coverage: StoreCoverage?,
        limit: Int,
        separating isSeparate: (Int64, _ table: Int, _ isMissing: Bool) -> Bool
    ) throws -> SeparatedDifferences {
        // Accesses to one connection cannot be nested, and a store equals itself.
        guard writer !== other.writer else {
            try reader.read { db in
                try expectLayout(db)
                try other.expectLayout(db)
            }
            return SeparatedDifferences()
        }
        return try reader.read { here in
            try other.reader.read { there in
                let comparison = try StoreComparison(
                    of: StoreReader.prepare(here, in: self),
                    and: StoreReader.prepare(there, in: other),
                    coveredBy: coverage,
                    limit: limit
                )
                return try comparison.run(separating: isSeparate)
            }
        }
    }
}

/// The differences between two stores, those of certain rows apart.
package struct SeparatedDifferences: Sendable {
    /// The differences of these rows.
    package var separate = StoreDifferences()

    /// All other differences.
    package var others = StoreDifferences()
}
