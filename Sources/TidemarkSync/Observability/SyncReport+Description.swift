extension SyncReport: CustomStringConvertible {
    /// A line for each resource, by path; one for each entity whose changes were pushed, and for
    /// each list that has accepted none; one for the whole run; and one for each relationship with
    /// unresolved references.
    ///
    /// ```swift
    /// print(report)
    /// // films: complete; 82 objects on 9 pages, 0 unmodified pages; …
    /// // 9 requests, 61320 bytes, 0.84 seconds
    /// ```
    public var description: String {
        let lines = resources.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let pushed = pushed.entities.sorted { $0.key < $1.key }.map { entity, counts in
            let shown = counts.named.filter { $0.changes > 0 }
            return
                "\(entity): \(shown.map { "\($0.changes) \($0.outcome)" }.joined(separator: ", "))"
        }
        let failures = self.pushed.failures.sorted { $0.key < $1.key }.map { "\($0): \($1)" }
        let cost = "\(requests) requests, \(bytes) bytes, \(duration)"
        return (lines + pushed + failures + [cost] + unresolvedReferences.map(\.description))
            .joined(separator: "\n")
    }
}

extension SyncReport.ResourceReport: CustomStringConvertible {
    /// How the resource ended, what was read, and what was done to the rows.
    public var description: String {
        let reason = failure.map { ", \($0)" } ?? ""
        let total = total.map { $0 == items ? "" : " of \($0)" } ?? ""
        return "\(ending)\(reason); \(items)\(total) objects on \(pages) pages, "
            + "\(unchangedPages) unmodified pages; \(imported)"
    }
}

extension SyncVerification: CustomStringConvertible {
    /// The number of rows that differ, and the report of the pull.
    public var description: String { "\(differences)\n\(report)" }
}
