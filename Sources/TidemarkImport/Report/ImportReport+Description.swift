import TidemarkModel

extension ImportReport: CustomStringConvertible {
    /// The counts of each entity, the number of unresolved references, and one line for each
    /// diagnostic.
    ///
    /// The format is for logs and people, and may change; code reads the properties.
    public var description: String {
        let counts = entities.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let references = Self.counted(unresolvedReferenceCount, noun: "unresolved reference")
        let omitted = Self.counted(diagnosticsOmitted, noun: "further diagnostic")
        let first = (counts + references).joined(separator: "; ")
        return ([first.isEmpty ? "no rows" : first] + diagnostics.map(\.description) + omitted)
            .joined(separator: "\n")
    }

    /// Returns a count with its noun, or nothing for zero.
    private static func counted(_ count: Int, noun: String) -> [String] {
        count == 0 ? [] : ["\(count) \(noun)\(count == 1 ? "" : "s")"]
    }
}

extension ImportReport.Counts: CustomStringConvertible {
    /// The counts that are not zero, such as `2 inserted, 1 deleted`; `no rows` if all are.
    public var description: String {
        let parts = [
            (inserted, "inserted"), (updated, "updated"), (unchanged, "unchanged"),
            (deleted, "deleted"), (skipped, "skipped"),
        ]
        let text = parts.filter { $0.0 != 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return text.isEmpty ? "no rows" : text
    }
}
