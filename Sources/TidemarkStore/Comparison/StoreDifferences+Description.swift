extension StoreDifferences: CustomStringConvertible {
    /// The counts of each entity, and a line for each listed row, without values.
    ///
    /// For equal stores it is `no differences`.
    public var description: String {
        guard !isEmpty else { return "no differences" }
        let counts = counts.sorted { $0.key < $1.key }.map { entity, counts in
            "\(entity): \(counts.onlyStored) only here, \(counts.onlyOther) only there, "
                + "\(counts.differing) differing"
        }
        return ([counts.joined(separator: "; ")] + rows.map(\.description)).joined(separator: "\n")
    }
}

extension RowDifference: CustomStringConvertible {
    /// The row, followed by the store that has it or the properties that differ; never a value.
    ///
    /// Examples are `Film#4: title, rating` and `Film#4 only here`.
    public var description: String {
        if other == nil { return "\(row) only here" }
        return stored == nil ? "\(row) only there" : "\(row): \(properties.joined(separator: ", "))"
    }
}
