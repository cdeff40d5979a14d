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
                    limit: limit
                )
                return try comparison.run()
            }
        }
    }
}
