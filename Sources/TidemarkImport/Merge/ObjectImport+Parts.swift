import GRDB
import TidemarkModel
import TidemarkStore

/// The merge of the objects without a key that a row with local changes contains.
///
/// They are one value of the row: which of two objects is the same as a third one is not known.
struct PartsMerge {
    let relationship: RelationshipPlan
    let row: Int64

    /// The number of the change that was not pushed; nil without one.
    var change: Int64?

    /// The rows before the import, and as the service has known them, or was sent them.
    let local: StoredParts
    var base: StoredParts

    /// The objects as JSON, which is equal for rows that differ in nothing but their numbers.
    let localText: String
    var baseText: String

    /// What the service had before it accepted the last change, which no object has shown yet.
    let formers: [DatabaseValue]

    /// Whether objects are those that the service had before; a former null means that it had none.
    func isFormer(_ remote: RemoteParts) -> Bool {
        formers.contains {
            $0.isNull ? remote.rows.isEmpty : String.fromDatabaseValue($0) == remote.text
        }
    }
}

/// The objects without a key that the service shows, after they were written.
struct RemoteParts {
    let rows: StoredParts
    let text: String
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
        let changes = try resolver.unpushed.changes(of: row.number, in: table)
        let acknowledged = try resolver.unpushed.acknowledged(row.number, in: table)
        let formers = acknowledged?.formers[.init(relationship.layout.identifier)] ?? []
        guard changes != nil || !formers.isEmpty else { return true }
        // The response to the request, or a reconciliation, decides.
        if changes?.isCreation == true { return false }
        if try resolver.unpushed.isSentAgain(relationship.layout, of: row.number) { return false }
        let local = try run.reader.parts(relationship.layout, of: row.number)
        let localText = try text(of: relationship, row.number, run.reader)
        var merge = PartsMerge(
            relationship: relationship,
            row: row.number,
            local: local,
            base: local,
            localText: localText,
            baseText: localText,
            formers: formers
        )
        for number in [changes?.frozen, changes?.open].compactMap(\.self) {
            guard let change = try run.reader.capturedChanges([number]).first else { continue }
            let known = try run.writer.knownParts(
                relationship.layout,
                before: change,
                in: run.importer.store
            ) { try text(of: relationship, row.number, $0) }
            guard known.value != localText else { continue }
            guard number != changes?.frozen else { return false }
            merge.change = number
            merge.base = known.parts
            merge.baseText = known.value
        }
        if merge.change != nil || !formers.isEmpty {
            resolver.parts[ObjectIdentifier(self)] = merge
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
        let remote = RemoteParts(
            rows: try run.reader.parts(layout, of: merge.row),
            text: try text(of: merge.relationship, merge.row, run.reader)
        )
        let table = entity.plan.entity.table
        let isFormer = try isFormer(remote, of: merge, by: resolver)
        guard let change = merge.change else {
            if isFormer { try decideNotTaken(merge, insteadOf: remote, by: resolver) }
            return
        }
        func drop() throws {
            try resolver.unpushed.dropParts(
                layout,
                in: change,
                of: [merge.base, merge.local, remote.rows]
            )
        }
        func replaceRemote() throws {
            try drop()
            try recordLocal(merge, insteadOf: remote.rows)
        }
        let outcome = ThreeWayMerge(
            isRemoteBase: remote.text == merge.baseText,
            isRemoteLocal: remote.text == merge.localText
        )
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
            try keepLocal(merge)
            return try settle(as: "local")
        case .agreement:
            try drop()
            try settle(as: "remote")
        // An edit that came later replaces what was not taken, or what was made of it.
        case .conflict where isFormer || resolver.isAnswered(merge.row, in: table):
            try replaceRemote()
        case .conflict:
            let decision = try decision(about: merge, by: resolver)
            switch decision.side {
            case .remote, .computed: try drop()
            case .local: try replaceRemote()
            case .open:
                try keepLocal(merge)
                try resolver.unpushed.awaitDecision(change)
            }
            let isLocal = decision.side == .local || decision.side == .open
            let versions = ConflictLog.Versions(
                property: layout.identifier,
                base: merge.baseText.databaseValue,
                local: merge.localText.databaseValue,
                remote: remote.text.databaseValue,
                kept: (isLocal ? merge.localText : remote.text).databaseValue
            )
            try resolver.record(.edit, of: merge.row, in: table, [versions], decision: decision)
        }
        try resolver.unpushed.removeIfEmpty(change, of: merge.row, in: table)
    }

    /// Writes the local rows of before the import back.
    private func keepLocal(_ merge: PartsMerge) throws {
        try run.writer.replaceParts(
            merge.relationship.layout,
            of: merge.row,
            with: merge.local
        )
    }

    /// Writes the local rows back, and records what differs from the service's objects.
    private func recordLocal(_ merge: PartsMerge, insteadOf remote: StoredParts) throws {
        // Otherwise they would be linked again, as if they came from another row.
        try run.writer.deleteParts(merge.local, exceptThoseIn: remote)
        try Capture.of(run.writer.db, run.layout)?.recorded { try keepLocal(merge) }
    }

    // MARK: Acknowledged changes

    /// Returns whether the service's objects are those that it had before it accepted the last
    /// change; others confirm the change.
    private func isFormer(
        _ remote: RemoteParts,
        of merge: PartsMerge,
        by resolver: ConflictResolver
    ) throws -> Bool {
        let isFormer = remote.text != merge.baseText && merge.isFormer(remote)
        // A later edit takes over what the service has.
        if !isFormer || merge.change != nil { try confirm(merge, by: resolver) }
        return isFormer
    }

    private func confirm(_ merge: PartsMerge, by resolver: ConflictResolver) throws {
        try resolver.unpushed.confirm(
            .init(merge.relationship.layout.identifier),
            of: merge.row,
            in: entity.plan.entity.table
        )
    }

    /// Keeps the local rows where a list or a response shows the former objects, or lets a policy
    /// decide where the object was read.
    private func decideNotTaken(
        _ merge: PartsMerge,
        insteadOf remote: RemoteParts,
        by resolver: ConflictResolver
    ) throws {
        let table = entity.plan.entity.table
        let identifier = merge.relationship.layout.identifier
        guard case .object = resolver.source else {
            try keepLocal(merge)
            return try resolver.unpushed.doubt(
                [.init(identifier)],
                of: merge.row,
                in: table,
                because: resolver.source == .list ? .list : .response
            )
        }
        let row = RowReference(entity.name, merge.row)
        let name = merge.relationship.layout.relationship.name
        let decision = resolver.decisionAboutNotTaken(name, of: entity.name)
        let isRemote = decision.side == .remote
        if !isRemote {
            let isNew = try resolver.unpushed.changes(of: merge.row, in: table)?.open == nil
            try recordLocal(merge, insteadOf: remote.rows)
            try resolver.unpushed.refresh(merge.row, in: table)
            if let open = try resolver.unpushed.changes(of: merge.row, in: table)?.open {
                try resolver.keep(open, of: row, isNew: isNew, decision: decision)
            }
        }
        try confirm(merge, by: resolver)
        resolver.add(
            ConflictLog.Versions(
                property: identifier,
                base: remote.text.databaseValue,
                local: merge.localText.databaseValue,
                remote: remote.text.databaseValue,
                kept: (isRemote ? remote.text : merge.localText).databaseValue
            ),
            of: name,
            notTakenOf: row,
            decision: decision
        )
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
