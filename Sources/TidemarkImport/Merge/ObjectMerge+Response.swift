import GRDB
package import TidemarkJSON
import TidemarkModel
package import TidemarkStore

package import struct Foundation.Date

/// Objects of responses to changes.
extension ObjectMerge {
    /// Returns a change whose response is about to be merged, with what has to be known of its row
    /// before.
    ///
    /// - Parameters:
    ///   - change: The change, which is still in the outbox.
    ///   - later: The change with the edits since its request was stored; nil without any.
    /// - Returns: The change.
    /// - Throws: ``ImportError`` if a value cannot be written as JSON; `DatabaseError`.
    package func answered(
        _ change: CapturedChange,
        before later: CapturedChange?
    ) throws -> AnsweredChange {
        AnsweredChange(
            change: change,
            isLast: later == nil,
            formerLists: try importer.formerParts(of: change, before: later, shared.reader)
                .merging(shared.reader.formerOrders(of: change, before: later)) { parts, _ in parts
                }
        )
    }

    /// Records that the service has accepted a deletion, which is still in the outbox.
    package func watch(_ deletion: CapturedChange, at time: Date) throws {
        try shared.unreadRows().watch(deletion, at: time)
    }

    /// Merges the object of a response into the row whose change it answers, which is removed from
    /// the outbox already: what was changed since is newer.
    ///
    /// The row gets the values of the object, such as its primary key. To-many lists are ignored,
    /// except for those that were sent: a new parent comes back without the children that are sent
    /// after it. What the object does not show is recorded as unconfirmed.
    ///
    /// - Parameters:
    ///   - answered: The change that was sent, as ``answered(_:before:)`` has returned it before it
    ///     was removed from the outbox.
    ///   - object: The object; nil if the response shows none.
    ///   - confirmation: How far the response confirms what was sent.
    ///   - known: The highest row number of the table when the request was stored.
    ///   - time: The present time.
    /// - Returns: What the response has shown.
    /// - Throws: ``ImportError`` if a value of the object breaks a rule of the model;
    ///   `DatabaseError`.
    package func acknowledge(
        _ answered: AnsweredChange,
        showing object: JSONNode?,
        confirming confirmation: ResponseConfirmation = .shownValues,
        rowsBefore known: Int64? = nil,
        at time: Date
    ) throws -> Acknowledgement {
        let change = answered.change
        let row = change.row
        let table = change.table
        let run = try run(
            from: .response(.init(table: table, number: row.number)),
            omittingNulls: false
        )
        let entity = try run.entity(named: row.entity)
        guard let resolver = run.resolver,
            try run.reader.exists(row.number, of: entity.plan.entity)
        else { return .confirmed }
        if answered.isLast { resolver.unpushed.expectNoChanges(of: row.number, in: table) }
        if change.kind == .create, let object,
            let other = try run.duplicate(of: row, object, entity)
        {
            guard other > known ?? 0 else { return .duplicate(other) }
            let changed = try resolver.adoptBase(of: other, for: row.number, in: table)
            try run.deduplicate(other, into: row, entity, keeping: changed)
        }
        if confirmation == .shownValues {
            let formers = try formers(before: change, in: run)
                .merging(answered.formerLists) { _, list in list }
            try resolver.unpushed.expect(change, formers: formers)
        }
        let formers = try resolver.unpushed.acknowledged(row.number, in: table)?.formers ?? [:]
        if let object {
            let sent = Set(formers.keys.map(\.name))
            // A new object is sent with the objects that it contains.
            let lists = entity.relationships.filter {
                sent.contains($0.layout.identifier)
                    || change.kind == .create && $0.leadsToKeyless
            }
            try mergeStored(object, into: row, lists: Set(lists.map(\.index)), in: run)
        } else {
            try run.writer.finish()
        }
        guard confirmation == .shownValues else {
            try AcknowledgedChanges(run.writer.db, run.layout)
                .record(AcknowledgedChange(change.kind), of: row, in: table, at: time)
            return .confirmed
        }
        return try resolver.unpushed.store(responseTo: change, at: time)
            ? .unconfirmed : .confirmed
    }

    /// Returns what the service had of the properties that a change has sent.
    private func formers(
        before change: CapturedChange,
        in run: ImportRun
    ) throws -> [AcknowledgedChange.Property: [DatabaseValue]] {
        let entity = try run.entity(named: change.row.entity)
        var formers: [AcknowledgedChange.Property: [DatabaseValue]] = [:]
        // The base values of a creation are links that its request has left out.
        for base in change.base where change.kind == .update {
            switch base.property {
            case .column(let name) where entity.sends(name):
                formers[.init(name)] = [base.value]
            case .links(let identifier) where base.member > 0 || base.member < -1:
                guard let relationship = run.layout.relationships[identifier],
                    !run.layout.entities[relationship.destination].key.isEmpty
                else { continue }
                formers[.init(identifier, member: base.member)] = [base.value]
            case .column, .links, .position, .part, .ofPart: continue
            }
        }
        return formers
    }
}

extension EntityImport {
    /// Whether requests contain the values of a column.
    ///
    /// What a row contains is compared as a whole: see `Importer.formerParts`.
    fileprivate func sends(_ column: String) -> Bool {
        let slot = plan.slots.firstIndex { rows.table.columns[$0.column].name == column }
        guard let slot else { return false }
        return !relationships.contains { $0.slot == slot && $0.leadsToKeyless }
    }
}

/// A change whose response is merged, with what was known of its row before.
package struct AnsweredChange: Sendable {
    package let change: CapturedChange

    /// Whether the row was not edited since the request was stored.
    let isLast: Bool

    /// What the service had of the objects without a key that the row contains, and the orders of
    /// its lists.
    let formerLists: [AcknowledgedChange.Property: [DatabaseValue]]
}

/// How far a response confirms the values that were sent.
package enum ResponseConfirmation: Hashable, Sendable {
    /// The values that its object has.
    case shownValues
    /// All values.
    case everything
}

/// What the response to a change has shown.
package enum Acknowledgement: Hashable, Sendable {
    /// All that was sent.
    case confirmed
    /// Not all that was sent: an object that the service sends later shows the rest.
    case unconfirmed
    /// The key of another row, which had it before the request was sent. Nothing was written.
    case duplicate(Int64)
}
