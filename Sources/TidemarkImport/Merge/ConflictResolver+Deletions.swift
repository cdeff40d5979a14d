import GRDB
import TidemarkModel
import TidemarkStore

/// Rows that were changed locally, and that the service has deleted.
extension ConflictResolver {
    /// The rows that no deletion of other rows may take along, by table.
    ///
    /// The service cannot list what it does not have yet, and the response to a request that was
    /// sent decides about its row.
    func keptRows() throws -> [Int: RowSet] {
        var kept: [Int: RowSet] = [:]
        for (table, rows) in try unpushed.rowsByTable {
            let numbers = try rows.filter { row in
                guard let changes = try unpushed.changes(of: row, in: table) else { return false }
                guard !changes.isCreation, changes.frozen == nil else { return true }
                return try deletePolicy(of: row, in: table).keepsDeleted
            }
            if !numbers.isEmpty { kept[table] = RowSet(numbers) }
        }
        return kept
    }

    /// Takes the rows that are kept from those that the service has deleted, and records the
    /// conflicts.
    ///
    /// - Parameters:
    ///   - deleted: The rows that the service no longer has, by table.
    ///   - writer: The writer of the transaction.
    /// - Throws: `DatabaseError`.
    func spare(_ deleted: inout [Int: [Int64]], with writer: StoreWriter) throws {
        for (table, rows) in deleted {
            for row in try unpushed.rows(in: table, among: RowSet(rows)) {
                if try keep(row, in: table, with: writer) {
                    deleted[table]?.removeAll { $0 == row }
                }
            }
            if deleted[table]?.isEmpty == true { deleted[table] = nil }
        }
    }

    /// Returns whether a row is kept although the service has deleted it.
    private func keep(_ row: Int64, in table: Int, with writer: StoreWriter) throws -> Bool {
        guard let changes = try unpushed.changes(of: row, in: table), !changes.isCreation,
            changes.frozen == nil, let open = changes.open
        else { return true }
        let policy = try deletePolicy(of: row, in: table)
        guard policy.keepsDeleted else { return false }
        let decision = ConflictDecision(policy == .manual ? .open : .local, by: policy)
        try recordDeletion(of: row, in: table, change: open, decision: decision)
        if policy == .manual {
            try unpushed.awaitDecision(open)
        } else {
            try unpushed.becomeCreation(open, of: row, in: table)
            // The service names the new object.
            try writer.clearKey(of: row, entity: unpushed.entity(of: row, in: table))
        }
        return true
    }

    /// Records that rows with local changes are deleted, because the service has deleted their
    /// objects, and removes these changes.
    func recordDeletions(_ deleted: [Int: RowSet], with writer: StoreWriter) throws {
        let decision = ConflictDecision(.remote, by: DeletePolicy.remoteWins)
        for (table, rows) in deleted.sorted(by: { $0.key < $1.key }) {
            for row in try unpushed.rows(in: table, among: rows) {
                guard let change = try unpushed.changes(of: row, in: table)?.open else { continue }
                try recordDeletion(of: row, in: table, change: change, decision: decision)
                try unpushed.remove(change)
                unpushed.forget(row, in: table)
            }
        }
        try resetReferences(to: deleted, with: writer)
    }

    private func recordDeletion(
        of row: Int64,
        in table: Int,
        change: Int64,
        decision: ConflictDecision
    ) throws {
        guard let stored = try unpushed.storedRow(row, in: table) else { return }
        // All columns, so that the row can be created again.
        let base = try unpushed.columns(of: change)
        let isKept = decision.side != .remote
        let versions = stored.filter { $0.0 != "_id" }.map { column, local in
            ConflictLog.Versions(
                property: column,
                base: base[column] ?? local,
                local: local,
                remote: .null,
                kept: isKept ? local : .null
            )
        }
        try record(.deletedRemotely, of: row, in: table, versions, decision: decision)
    }

    private func deletePolicy(of row: Int64, in table: Int) throws -> DeletePolicy {
        policies.deletePolicy(of: try unpushed.entity(of: row, in: table))
    }

    /// Resets local references to rows that are about to be deleted, and records that: a null that
    /// no one has written must not be pushed.
    private func resetReferences(to deleted: [Int: RowSet], with writer: StoreWriter) throws {
        let decision = ConflictDecision(.remote, by: DeletePolicy.remoteWins)
        for reset in try writer.resetReferences(to: deleted, of: unpushed) {
            let versions = ConflictLog.Versions(
                property: unpushed.name(ofColumn: reset.column, in: reset.table),
                base: reset.base.databaseValue,
                local: reset.local.databaseValue,
                remote: .null,
                kept: reset.base.databaseValue
            )
            try record(.edit, of: reset.row, in: reset.table, [versions], decision: decision)
        }
    }
}
