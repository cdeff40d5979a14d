import GRDB
public import TidemarkStore

/// A change that the service has accepted and not shown, and what a verification has seen of it.
///
/// They are in ``SyncVerification/unconfirmed``.
///
/// <!-- example: let verification = try await engine.verify() -->
/// ```swift
/// for change in verification.unconfirmed where change.outcome == .notTaken {
///     print("The service has kept its own \(change.properties) of \(change.row).")
/// }
/// ```
public struct UnconfirmedChange: Sendable, Hashable {
    /// What the service's objects show of a change.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// The values that were sent, or what the service has made of them.
        case taken
        /// Former values: the next pull records a conflict of the kind ``Conflict/Kind/notTaken``.
        case notTaken
        /// Nothing: no object contained the changed properties, or could be read by its key.
        case notShown
    }

    /// The row, which does not exist any more after a deletion.
    public let row: RowReference

    /// What the service's objects show.
    public let outcome: Outcome

    /// The names of the properties that the service has not taken; empty otherwise.
    public let properties: [String]
}

/// The changes that are unconfirmed before a verification.
struct UnconfirmedChanges {
    private let rows: [RowReference]

    /// The conflict that was recorded last.
    private let lastConflict: Conflict.ID?

    /// Reads the changes of a store; none if it records no local changes.
    static func waiting(in store: Store, limit: Int) throws -> UnconfirmedChanges {
        try store.read { reader in
            guard try Capture.isInstalled(reader.db) else {
                return UnconfirmedChanges(rows: [], lastConflict: nil)
            }
            return UnconfirmedChanges(
                rows: try AcknowledgedChanges(reader.db, store.layout)
                    .unconfirmedRows(limit: limit),
                lastConflict: try Conflicts(store).last(reader.db)
            )
        }
    }

    /// Returns what has become of the changes in a copy of the store into which lists were pulled.
    ///
    /// - Parameters:
    ///   - copy: The copy.
    ///   - report: The report of the pull.
    /// - Returns: The changes, sorted by their rows.
    /// - Throws: `StoreError`, `DatabaseError`.
    func shown(in copy: Store, by report: SyncReport) throws -> [UnconfirmedChange] {
        guard !rows.isEmpty else { return [] }
        let notShown = Set(report.pushed.notShown)
        return try copy.read { reader in
            let notTaken = try Conflicts(copy).list(reader.db, after: lastConflict)
                .filter { $0.kind == .notTaken }
            let properties = Dictionary(
                notTaken.map { ($0.row, $0.properties.map(\.name)) },
                uniquingKeysWith: +
            )
            let changes = AcknowledgedChanges(reader.db, copy.layout)
            let sorted = rows.sorted { ($0.entity, $0.number) < ($1.entity, $1.number) }
            return try sorted.map { row in
                if let names = properties[row] {
                    return UnconfirmedChange(row: row, outcome: .notTaken, properties: names)
                }
                let table = try copy.layout.entity(row.entity).table
                let isShown =
                    try !notShown.contains(row)
                    && changes.change(of: row.number, in: table)?.isUnconfirmed != true
                return UnconfirmedChange(
                    row: row,
                    outcome: isShown ? .taken : .notShown,
                    properties: []
                )
            }
        }
    }
}
