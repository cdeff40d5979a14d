extension StoreDifferences: CustomStringConvertible {
    /// How many rows of each entity differ, and a line for each row that is listed.
    public var description: String {
        guard !isEmpty else { return "no differences" }
        let counts = counts.sorted { $0.key < $1.key }.map { entity, counts in
            "\(entity): \(counts.onlyHere) only here, \(counts.onlyThere) only there, "
                + "\(counts.differing) differing"
        }
        return ([counts.joined(separator: "; ")] + rows.map(\.description)).joined(separator: "\n")
    }
}

extension RowDifference: CustomStringConvertible {
    /// The row, and where it is or what differs in it; never a value.
    public var description: String {
        if there == nil { return "\(row) only here" }
        return here == nil ? "\(row) only there" : "\(row): \(properties.joined(separator: ", "))"
    }
}
