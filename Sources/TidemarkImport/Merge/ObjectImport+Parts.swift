import GRDB
import TidemarkModel
import TidemarkStore

/// The merge of the objects without a key that a row with local changes contains.
///
/// They are one value of the row: which of two objects is the same as a third one is not known.
struct PartsMerge {
    let relationship: RelationshipPlan
    let row: Int64

    /// The number of the change.
    let change: Int64

    /// The rows before the import, and as the service has known them.
    let local: StoredParts
    let base: StoredParts

    /// The objects as JSON, which is equal for rows that differ in nothing but their numbers.
    let localText: String
    let baseText: String
}

extension ObjectImport {
    /// Prepares to merge the objects without a key of a relationship, if they were changed locally.
    ///
    /// The import writes the service's objects first: ``finishPartsMerge(by:)`` compares them.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - row: The object's row.
    ///   - resolver: Decides conflicts.
    /// - Returns: False if the local rows stay, whatever the object contains.
    /// - Throws: ``ImportError`` if a value cannot be written as JSON; `DatabaseError`.
    func beginPartsMerge(
        _ relationship: RelationshipPlan,
        of row: WrittenRow,
        _ resolver: ConflictResolver
    ) throws -> Bool {
        let table = entity.plan.entity.table
        guard let changes = try resolver.unpushed.changes(of: row.number, in: table) else {
            return true
        }
        let isCreation = changes.isCreation
        // The response to the request, or a reconciliation, decides.
        if isCreation { return false }
        if try resolver.unpushed.isSentAgain(relationship.layout, of: row.number) { return false }
        for number in [changes.frozen, changes.open].compactMap(\.self) {
            guard let change = try run.reader.capturedChanges([number]).first else { continue }
            let known = try run.writer.knownParts(
                relationship.layout,
                before: change,
                in: run.importer.store
            ) { try text(of: relationship, row.number, $0) }
            let localText = try text(of: relationship, row.number, run.reader)
            guard known.value != localText else { continue }
            guard number != changes.frozen else { return false }
            resolver.parts[ObjectIdentifier(self)] = PartsMerge(
                relationship: relationship,
                row: row.number,
                change: number,
                local: try run.reader.parts(relationship.layout, of: row.number),
                base: known.parts,
                localText: localText,
                baseText: known.value
            )
        }
        return true
    }

    /// Compares the service's objects with the local ones, after they were written.
    ///
    /// - Parameter resolver: Decides conflicts.
    /// - Throws: ``ImportError`` if a value cannot be written as JSON; `DatabaseError`.
    func finishPartsMerge(by resolver: ConflictResolver) throws {
        guard !resolver.parts.isEmpty,
            let merge = resolver.parts.removeValue(forKey: ObjectIdentifier(self))
        else { return }
        let layout = merge.relationship.layout
        let remote = try run.reader.parts(layout, of: merge.row)
        let remoteText = try text(of: merge.relationship, merge.row, run.reader)
        let table = entity.plan.entity.table
        let outcome = ThreeWayMerge(
            isRemoteBase: remoteText == merge.baseText,
            isRemoteLocal: remoteText == merge.localText
        )
        func drop() throws {
            try resolver.unpushed.dropParts(
                layout,
                in: merge.change,
                of: [merge.base, merge.local, remote]
            )
        }
        func keepLocal() throws {
            try run.writer.replaceParts(layout, of: merge.row, with: merge.local)
        }
        func replaceRemote() throws {
            try drop()
            // Otherwise they would be linked again, as if they came from another row.
            try run.writer.deleteParts(merge.local, exceptThoseIn: remote)
            // What differs from the service's objects is recorded again.
            try Capture.of(run.writer.db, run.layout)?.recorded(keepLocal)
        }
        func settle(as decision: String) throws {
            try resolver.unpushed.settle(
                layout.identifier,
                of: merge.row,
                in: table,
                as: decision
            )
        }
        switch outcome {
        case .local:
            try keepLocal()
            return try settle(as: "local")
        case .agreement:
            try drop()
            try settle(as: "remote")
        case .conflict where resolver.acknowledged.contains(.init(table: table, number: merge.row)):
            try replaceRemote()
        case .conflict:
            let decision = try decision(about: merge, by: resolver)
            switch decision.side {
            case .remote, .computed: try drop()
            case .local: try replaceRemote()
            case .open:
                try keepLocal()
                try resolver.unpushed.awaitDecision(merge.change)
            }
            let isLocal = decision.side == .local || decision.side == .open
            let versions = ConflictLog.Versions(
                property: layout.identifier,
                base: merge.baseText.databaseValue,
                local: merge.localText.databaseValue,
                remote: remoteText.databaseValue,
                kept: (isLocal ? merge.localText : remoteText).databaseValue
            )
            try resolver.record(.edit, of: merge.row, in: table, [versions], decision: decision)
        }
        try resolver.unpushed.removeIfEmpty(merge.change, of: merge.row, in: table)
    }

    private func decision(
        about merge: PartsMerge,
        by resolver: ConflictResolver
    ) throws -> ConflictDecision {
        let name = merge.relationship.layout.relationship.name
        let policy = resolver.policies.policy(for: name, of: entity.name)
        switch policy.rule {
        // A closure decides about values of attributes.
        case .remote, .custom: return ConflictDecision(.remote, by: policy)
        case .local: return ConflictDecision(.local, by: policy)
        case .manual: return ConflictDecision(.open, by: policy)
        case .latest(let attribute):
            let isLocal = try isLocalLater(by: attribute, of: merge.row)
            return ConflictDecision(isLocal ? .local : .remote, by: policy)
        }
    }

    /// Returns the objects of a relationship as the JSON of a request.
    private func text(
        of relationship: RelationshipPlan,
        _ row: Int64,
        _ reader: StoreReader
    ) throws -> String {
        let reference = RowReference(entity.name, row)
        return try run.importer.text(of: relationship.layout, reference, reader)
    }
}
