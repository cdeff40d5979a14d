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

    init(_ side: Side, by policy: DeletePolicy) {
        self.side = side
        self.policy = policy.rawValue
    }

    /// A user decides, whatever the policies say, because what the service had is not known.
    static let unknownBase = ConflictDecision(.open, by: ConflictPolicy.manual)

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
    /// Records a conflict.
    ///
    /// - Parameters:
    ///   - kind: The kind of the conflict.
    ///   - row: The number of the row.
    ///   - table: The index of its table.
    ///   - versions: The versions of its properties.
    ///   - decision: The decision.
    /// - Throws: `DatabaseError`.
    func record(
        _ kind: ConflictLog.Kind,
        of row: Int64,
        in table: Int,
        _ versions: [ConflictLog.Versions],
        decision: ConflictDecision
    ) throws {
        try record(
            kind,
            of: RowReference(unpushed.entity(of: row, in: table), row),
            in: table,
            versions,
            decision: decision
        )
    }

    /// Records a conflict of a row that may not exist.
    func record(
        _ kind: ConflictLog.Kind,
        of row: RowReference,
        in table: Int,
        _ versions: [ConflictLog.Versions],
        decision: ConflictDecision
    ) throws {
        try log.record(
            kind,
            of: row,
            in: unpushed.name(of: table),
            versions,
            at: time,
            decision: decision
        )
    }
}
