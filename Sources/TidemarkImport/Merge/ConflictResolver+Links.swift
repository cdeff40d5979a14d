import GRDB
import TidemarkModel
import TidemarkStore

/// Links that were changed locally, wherever an import would write them.
extension ConflictResolver: LinkConflictResolver {
    func mayAdd(_ link: StoredLink) throws -> Bool {
        if try decideAcknowledged(link, isLinked: true) == false { return false }
        guard try !unpushed.isSentAgain(link) else { return false }
        for base in try unpushed.memberships(of: link) {
            guard base.value != wasLinked else { return false }
            try agree(with: base)
        }
        guard case .column(let column, let table) = link.place else { return true }
        let local = try unpushed.reference(inColumn: column, in: table, of: link.row)
        guard let base = try unpushed.base(ofColumn: column, in: table, of: link.row) else {
            // What the service says about a row that it does not have is about another object.
            let isCreation = try unpushed.changes(of: link.row, in: table)?.isCreation == true
            if local != nil, local != link.other, !isCreation { try unpushed.countOverwritten() }
            return !isCreation || local == nil
        }
        guard !base.isFrozen else { return false }
        let outcome = ThreeWayMerge(
            isRemoteBase: base.value == link.other.databaseValue,
            isRemoteLocal: local == link.other
        )
        switch outcome {
        case .local: return false
        case .agreement:
            try agree(with: base)
            return true
        case .conflict:
            return try decide(base, between: local, and: link)
        }
    }

    func mayRemove(_ link: StoredLink) throws -> Bool {
        if try decideAcknowledged(link, isLinked: false) == false { return false }
        guard try !unpushed.isSentAgain(link) else { return false }
        for base in try unpushed.memberships(of: link) {
            guard base.value == wasLinked else { return false }
            try agree(with: base)
        }
        guard case .column(let column, let table) = link.place else {
            guard try !unpushed.isOfCreation(link) else { return false }
            try unpushed.countOverwritten()
            return true
        }
        if try unpushed.changes(of: link.row, in: table)?.isCreation == true { return false }
        guard let base = try unpushed.base(ofColumn: column, in: table, of: link.row) else {
            return true
        }
        // The service cannot list a row where it was moved to locally.
        return !base.isFrozen && base.value == link.other.databaseValue
    }

    func confirm(
        _ relationship: RelationshipLayout,
        of row: Int64,
        in list: [Int64]
    ) throws {
        let others = Set(list)
        try confirmAcknowledged(relationship, of: row, in: others)
        try decideOrder(relationship, of: row, shownAs: list)
        for other in try unpushed.changedMembers(of: relationship, of: row) {
            let link = StoredLink(relationship, of: row, to: other)
            for base in try unpushed.memberships(of: link)
            where (base.value == wasLinked) != others.contains(other) {
                try agree(with: base)
            }
        }
        guard case .inverse(let table, let column, _) = relationship.storage else { return }
        for other in try unpushed.rows(in: table, among: RowSet(others)) {
            guard let base = try unpushed.base(ofColumn: column, in: table, of: other),
                try unpushed.reference(inColumn: column, in: table, of: other) == row
            else { continue }
            try agree(with: base)
        }
    }

    func willTake(_ link: StoredLink) throws -> Int64? {
        guard case .column(let column, let table) = link.place,
            let changes = try unpushed.changes(of: link.row, in: table)
        else { return nil }
        let base = try unpushed.base(ofColumn: column, in: table, of: link.row)
        guard changes.isCreation || base != nil else { return nil }
        // A null that no one has written must not be pushed.
        let known = try base.flatMap { base in
            base.isFrozen ? nil : try unpushed.restorableReference(base, inColumn: column)
        }
        let decision = ConflictDecision(.remote, by: ConflictPolicy.remoteWins)
        try record(link, local: link.other, remote: known, base: base, decision: decision)
        if let base { try agree(with: base) }
        return known
    }

    func mayOrder(_ relationship: RelationshipLayout, of row: Int64) throws -> Bool {
        if try unpushed.changes(of: row, in: relationship.table)?.isCreation == true {
            return false
        }
        return try !unpushed.isReordered(relationship, of: row)
            && unpushed.acknowledged(row, in: relationship.table)?
                .formers[.order(of: relationship)] == nil
    }

    func isRemoved(
        _ relationship: RelationshipLayout,
        of row: Int64,
        to key: [StoredValue]
    ) throws -> Bool {
        try unpushed.isRemoved(relationship, of: row, to: key)
    }

    /// Returns whether a link was changed locally in a list that is sent, and the service has not
    /// shown the list since.
    func isPending(_ link: StoredLink) throws -> Bool {
        if try unpushed.isSentAgain(link) || !unpushed.memberships(of: link).isEmpty { return true }
        return try unpushed.lists(with: link).contains { list in
            let property = AcknowledgedChange.Property(list.identifier, member: list.member)
            return try unpushed.acknowledged(list.row, in: list.table)?.formers[property] != nil
        }
    }

    /// The base value of a link that the service has.
    private var wasLinked: DatabaseValue { 1.databaseValue }

    /// Records that both sides have made the same change.
    private func agree(with base: UnpushedRows.KnownValue) throws {
        // What was sent stays unchanged until the response.
        guard !base.isFrozen else { return }
        try unpushed.drop(base)
        try unpushed.removeIfEmpty(base.change, of: base.row, in: base.table)
    }

    // MARK: Decisions

    private func decide(
        _ base: UnpushedRows.KnownValue,
        between local: Int64?,
        and link: StoredLink
    ) throws -> Bool {
        guard case .column(let column, let table) = link.place else { return true }
        if acknowledged.contains(MergedRow(table: table, number: link.row)) {
            try unpushed.set(base, to: link.other.databaseValue)
            return false
        }
        let decision = try decision(onColumn: column, in: table, of: link.row)
        try record(link, local: local, remote: link.other, base: base, decision: decision)
        switch decision.side {
        case .remote, .computed:
            try agree(with: base)
            return true
        case .local:
            try unpushed.set(base, to: link.other.databaseValue)
            return false
        case .open:
            try unpushed.awaitDecision(base.change)
            return false
        }
    }

    /// Returns the decision about a reference by a policy that needs no values: the list of another
    /// row contains none.
    private func decision(
        onColumn column: Int,
        in table: Int,
        of row: Int64
    ) throws -> ConflictDecision {
        let name = unpushed.relationship(ofColumn: column, in: table)?.name ?? ""
        let entity = try unpushed.entity(of: row, in: table)
        let policy = policies.policy(for: name, of: entity)
        return switch policy.rule {
        case .remote, .latest, .custom: ConflictDecision(.remote, by: policy)
        case .local: ConflictDecision(.local, by: policy)
        case .manual: ConflictDecision(.open, by: policy)
        }
    }

    private func record(
        _ link: StoredLink,
        local: Int64?,
        remote: Int64?,
        base: UnpushedRows.KnownValue?,
        decision: ConflictDecision
    ) throws {
        guard case .column(let column, let table) = link.place else { return }
        let isLocal = decision.side == .local || decision.side == .open
        let versions = ConflictLog.Versions(
            property: unpushed.name(ofColumn: column, in: table),
            base: base?.value ?? .null,
            local: local.databaseValue,
            remote: remote.databaseValue,
            kept: (isLocal ? local : remote).databaseValue
        )
        try record(.edit, of: link.row, in: table, [versions], decision: decision)
    }
}
