import GRDB
import TidemarkStore

/// The decision about a conflict.
struct ConflictDecision: Hashable {
    /// Whose value is kept.
    enum Side: Hashable {
        case remote
        case local
        case computed(DatabaseValue)
        /// A user has to decide.
        case open
    }

    let side: Side

    /// The name of the policy.
    let policy: String

    init(_ side: Side, by policy: ConflictPolicy) {
        self.side = side
        self.policy = policy.name
    }

    /// The decision in a conflict record; nil for an open conflict.
    var name: String? {
        switch side {
        case .remote: "remote"
        case .local: "local"
        case .computed: "values"
        case .open: nil
        }
    }

    /// Decisions of the same import are recorded in this order.
    var order: String { "\(name ?? "") \(policy)" }
}

extension ConflictResolver {
    /// Records a conflict, and lets the change wait for a decision if it is open.
    func record(
        _ kind: ConflictLog.Kind,
        of row: RowReference,
        in table: Int,
        _ versions: [ConflictLog.Versions],
        decision: ConflictDecision,
        change: Int64
    ) throws {
        try log.record(
            kind,
            of: row,
            in: unpushed.name(of: table),
            versions,
            at: time,
            decision: decision.name.map { ($0, decision.policy) }
        )
        if decision.side == .open { try unpushed.awaitDecision(change) }
    }
}

extension ConflictResolver {
    /// Records that rows with local changes are deleted, because the service has deleted their
    /// objects, and removes these changes.
    func recordDeletions(_ deleted: [Int: RowSet], in run: ImportRun) throws {
        for (table, rows) in deleted.sorted(by: { $0.key < $1.key }) {
            for row in unpushed.rows(in: table, among: rows) {
                guard let change = unpushed.changes(of: row, in: table)?.open else { continue }
                try recordDeletion(of: row, in: table, change: change, run)
                unpushed.forget(row, in: table)
            }
        }
    }

    private func recordDeletion(
        of row: Int64,
        in table: Int,
        change: Int64,
        _ run: ImportRun
    ) throws {
        guard let captured = try run.reader.capturedChanges([change]).first else { return }
        let name = unpushed.name(of: table)
        let stored = try Row.fetchOne(
            log.db,
            sql: "SELECT * FROM \(name.quotedDatabaseIdentifier) WHERE _id = ?",
            arguments: [row]
        )
        guard let stored else { return }
        // All columns, so that the row can be created again.
        let base = try unpushed.columns(of: change)
        let versions = stored.filter { $0.0 != "_id" }.map { column, local in
            ConflictLog.Versions(
                property: column,
                base: base[column] ?? local,
                local: local,
                remote: .null,
                kept: .null
            )
        }
        try log.record(
            .deletedRemotely,
            of: captured.row,
            in: name,
            versions,
            at: time,
            decision: ("remote", ConflictPolicy.remoteWins.name)
        )
        try unpushed.remove(change)
    }
}
