import GRDB
import TidemarkModel
import TidemarkStore

/// A store with its rows as the service knows them: without local changes that were not pushed.
struct KnownStore {
    /// The store, or a copy of it in which the changes are undone.
    let store: Store

    /// The numbers of the rows with local changes, by the index of their table.
    private let changed: [Int: Set<Int64>]

    /// The indexes of the tables with a creation that the service may have applied.
    private let uncertain: Set<Int>

    /// Undoes the local changes of a store in a copy of it.
    ///
    /// - Parameters:
    ///   - store: The store, to which no other process writes.
    ///   - environment: Supplies the time.
    /// - Returns: The copy; the store itself if it has no local changes.
    /// - Throws: `DatabaseError`; `StoreError` if the outbox is damaged.
    static func undoingChanges(
        of store: Store,
        environment: SystemEnvironment
    ) throws -> KnownStore {
        let changes = try store.read { reader in
            try reader.capturedChanges() + reader.uncollectedCreations()
        }
        guard !changes.isEmpty else {
            return KnownStore(store: store, changed: [:], uncertain: [])
        }
        let copy = try store.temporaryCopy()
        try copy.writer.write { db in
            try Outbox(copy, environment: environment).discardAll(db)
        }
        return KnownStore(
            store: copy,
            changed: Dictionary(grouping: changes, by: \.table)
                .mapValues { Set($0.map(\.row.number)) },
            uncertain: Set(changes.filter { $0.kind == .create && $0.state.isSent }.map(\.table))
        )
    }

    /// Returns whether a difference between the copy and the service belongs to a row with local
    /// changes.
    ///
    /// An object that the store lacks may be that of a creation whose response was lost.
    ///
    /// - Parameters:
    ///   - row: The number of the row.
    ///   - table: The index of its table.
    ///   - isMissing: Whether only the service has the object.
    /// - Returns: Whether it does.
    func isUnpushed(_ row: Int64, in table: Int, isMissing: Bool) -> Bool {
        changed[table]?.contains(row) == true || isMissing && uncertain.contains(table)
    }
}

extension LocalChangeState {
    /// Whether the request of the change was sent, and may have been applied.
    var isSent: Bool {
        switch self {
        case .inFlight, .uncertain: true
        case .pending, .rejected, .conflicted: false
        }
    }
}
