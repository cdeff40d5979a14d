import GRDB
import TidemarkModel
package import TidemarkStore

/// A change that the service has accepted, and of which it has kept its own values.
package struct NotTakenChange: Sendable, Hashable {
    package let row: RowReference

    /// The names of the properties that the service has kept.
    package fileprivate(set) var properties: [String] = []

    /// The number of the change that has the local values now; nil if the row has those of the
    /// service.
    package fileprivate(set) var change: Int64?

    /// Whether the change was made for these values.
    package fileprivate(set) var isRejected = false

    /// The versions of the properties, by the decision about them.
    fileprivate var versions: [ConflictDecision: [ConflictLog.Versions]] = [:]

    fileprivate init(row: RowReference) {
        self.row = row
    }
}

extension ConflictResolver {
    /// Returns the decision about a property that the service has not taken.
    ///
    /// The service has no newer value than the one that the edit was based on: where a policy would
    /// compare or compute, the local value stays.
    func decisionAboutNotTaken(_ property: String, of entity: String) -> ConflictDecision {
        let policy = policies.policy(for: property, of: entity)
        return switch policy.rule {
        case .remote: ConflictDecision(.remote, by: policy)
        case .local, .latest, .custom: ConflictDecision(.local, by: policy)
        case .manual: ConflictDecision(.open, by: policy)
        }
    }

    /// Lets the local value of a property stay, in a change that is sent again only on request, or
    /// when a user has decided.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - remote: What the service has.
    ///   - row: The row.
    ///   - table: The index of its table.
    ///   - decision: The decision, which is not for the service.
    /// - Returns: The number of the change.
    /// - Throws: `DatabaseError`.
    @discardableResult
    func reject(
        _ property: AcknowledgedChange.Property,
        insteadOf remote: DatabaseValue,
        of row: RowReference,
        in table: Int,
        decision: ConflictDecision
    ) throws -> Int64 {
        let (number, isNew) = try unpushed.reject(
            property,
            insteadOf: remote,
            of: row,
            in: table
        )
        try keep(number, of: row, isNew: isNew, decision: decision)
        return number
    }

    /// Lets a change with local values wait that the service has not taken.
    ///
    /// - Parameters:
    ///   - change: The number of the change.
    ///   - row: The row.
    ///   - isNew: Whether the change was made for these values.
    ///   - decision: The decision, which is not for the service.
    /// - Throws: `DatabaseError`.
    func keep(
        _ change: Int64,
        of row: RowReference,
        isNew: Bool,
        decision: ConflictDecision
    ) throws {
        if isNew { try unpushed.reject(change) }
        let isOpen = decision.side == .open
        update(row) { outcome in
            outcome.change = change
            outcome.isRejected = !isOpen && (outcome.isRejected || isNew)
        }
        if isOpen { try unpushed.awaitDecision(change) }
    }

    /// Adds the versions of a property that the service has not taken.
    ///
    /// They are recorded at the end of the merge, those of a row together.
    func add(
        _ versions: ConflictLog.Versions,
        of property: String,
        notTakenOf row: RowReference,
        decision: ConflictDecision
    ) {
        update(row) { outcome in
            if !outcome.properties.contains(property) { outcome.properties.append(property) }
            outcome.versions[decision, default: []].append(versions)
        }
    }

    private func update(_ row: RowReference, _ body: (inout NotTakenChange) -> Void) {
        guard let index = notTaken.firstIndex(where: { $0.row == row }) else {
            var outcome = NotTakenChange(row: row)
            body(&outcome)
            return notTaken.append(outcome)
        }
        body(&notTaken[index])
    }

    /// Records what the service has not taken: a conflict for each row and decision.
    func recordNotTaken() throws {
        for outcome in notTaken {
            let table = try unpushed.layout.entity(outcome.row.entity).table
            for (decision, versions) in outcome.versions.sorted(by: { $0.key.order < $1.key.order })
            {
                try record(.notTaken, of: outcome.row, in: table, versions, decision: decision)
            }
        }
    }
}
