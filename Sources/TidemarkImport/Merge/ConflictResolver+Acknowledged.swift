import GRDB
import TidemarkModel
import TidemarkStore

/// Links whose changes the service has accepted, and not shown yet.
extension ConflictResolver {
    /// Decides about a link of which the service has accepted a change.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - isLinked: Whether the service shows it.
    /// - Returns: Whether the store may be changed accordingly; nil if nothing is unconfirmed.
    /// - Throws: `DatabaseError`.
    func decideAcknowledged(_ link: StoredLink, isLinked: Bool) throws -> Bool? {
        for list in try unpushed.lists(with: link) {
            let property = AcknowledgedChange.Property(list.identifier, member: list.member)
            let change = try unpushed.acknowledged(list.row, in: list.table)
            guard let former = change?.formers[property]?.last else { continue }
            guard (former == Self.wasLinked) == isLinked else {
                try unpushed.confirm(property, of: list.row, in: list.table)
                continue
            }
            let reference = RowReference(
                try unpushed.entity(of: list.row, in: list.table),
                list.row
            )
            let name = unpushed.layout.relationships[list.identifier]?.relationship.name ?? ""
            return try decide(
                property,
                named: name,
                of: reference,
                in: list.table,
                former: former,
                local: isLinked ? Self.wasNotLinked : Self.wasLinked
            )
        }
        guard case .column(let column, let table) = link.place else { return nil }
        return try decideAcknowledged(column, in: table, of: link, isLinked: isLinked)
    }

    /// Decides about a reference that the list of the row on the other side shows or lacks.
    private func decideAcknowledged(
        _ column: Int,
        in table: Int,
        of link: StoredLink,
        isLinked: Bool
    ) throws -> Bool? {
        let name = unpushed.name(ofColumn: column, in: table)
        let property = AcknowledgedChange.Property(name)
        let change = try unpushed.acknowledged(link.row, in: table)
        guard let formers = change?.formers[property],
            try unpushed.base(ofColumn: column, in: table, of: link.row) == nil
        else { return nil }
        let local = try unpushed.reference(inColumn: column, in: table, of: link.row)
        let isFormer =
            isLinked
            ? local != link.other && formers.contains(link.other.databaseValue)
            : local == link.other
        guard isFormer else {
            if isLinked { try unpushed.confirm(property, of: link.row, in: table) }
            return nil
        }
        return try decide(
            property,
            named: unpushed.relationship(ofColumn: column, in: table)?.name ?? "",
            of: RowReference(try unpushed.entity(of: link.row, in: table), link.row),
            in: table,
            former: isLinked ? link.other.databaseValue : .null,
            local: local.databaseValue
        )
    }

    /// Keeps the local state of a link that the service does not show, or lets a policy decide.
    private func decide(
        _ property: AcknowledgedChange.Property,
        named name: String,
        of row: RowReference,
        in table: Int,
        former: DatabaseValue,
        local: DatabaseValue
    ) throws -> Bool {
        guard source == .object else {
            try unpushed.doubt(
                [property],
                of: row.number,
                in: table,
                because: source == .list ? .list : .response
            )
            return false
        }
        let decision = decisionAboutNotTaken(name, of: row.entity)
        let isRemote = decision.side == .remote
        if !isRemote {
            try reject(property, insteadOf: former, of: row, in: table, decision: decision)
        }
        try unpushed.confirm(property, of: row.number, in: table)
        add(
            ConflictLog.Versions(
                property: property.name,
                member: property.member,
                base: former,
                local: local,
                remote: former,
                kept: isRemote ? former : local
            ),
            of: name,
            notTakenOf: row,
            decision: decision
        )
        return isRemote
    }

    /// Decides about the order of a list of which the service has accepted a change.
    ///
    /// The order that was sent, or a third one that the service has made of it, confirms the
    /// change. Until then the row keeps the local one.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - row: The row that has the list.
    ///   - others: The rows in the list, as the service shows them.
    /// - Throws: `DatabaseError`.
    func decideOrder(
        _ relationship: RelationshipLayout,
        of row: Int64,
        shownAs others: [Int64]
    ) throws {
        let (table, property) = (relationship.table, Property.order(of: relationship))
        guard relationship.relationship.isOrdered,
            let formers = try unpushed.acknowledged(row, in: table)?.formers[property],
            let sent = try unpushed.sentOrder(of: relationship, of: row)
        else { return }
        let shown = ListOrder(others)
        guard !shown.agrees(with: sent),
            let former = formers.compactMap(ListOrder.init).first(where: shown.agrees)
        else {
            return try unpushed.confirm(property, of: row, in: table)
        }
        if try unpushed.isReordered(relationship, of: row) {
            let changes = try unpushed.changes(of: row, in: table)
            // The response to a request decides about its order.
            guard changes?.frozen == nil, let open = changes?.open else { return }
            // An edit that came later replaces what was not taken.
            try unpushed.setBase(shown, of: relationship, in: open)
            return try unpushed.confirm(property, of: row, in: table)
        }
        try decide(relationship, of: row, between: former, sent, and: shown)
    }

    /// Keeps the local order of a list that the service does not show, or lets a policy decide.
    private func decide(
        _ relationship: RelationshipLayout,
        of row: Int64,
        between former: ListOrder,
        _ local: ListOrder,
        and shown: ListOrder
    ) throws {
        let (table, property) = (relationship.table, Property.order(of: relationship))
        guard source == .object else {
            return try unpushed.doubt(
                [property],
                of: row,
                in: table,
                because: source == .list ? .list : .response
            )
        }
        let reference = RowReference(try unpushed.entity(of: row, in: table), row)
        let name = relationship.relationship.name
        let decision = decisionAboutNotTaken(name, of: reference.entity)
        let isRemote = decision.side == .remote
        if !isRemote {
            let change = try reject(
                property,
                insteadOf: .null,
                of: reference,
                in: table,
                decision: decision
            )
            try unpushed.setBase(shown, of: relationship, in: change)
        }
        try unpushed.confirm(property, of: row, in: table)
        add(
            ConflictLog.Versions(
                property: property.name,
                member: property.member,
                base: former.databaseValue,
                local: local.databaseValue,
                remote: shown.databaseValue,
                kept: (isRemote ? shown : local).databaseValue
            ),
            of: name,
            notTakenOf: reference,
            decision: decision
        )
    }

    private typealias Property = AcknowledgedChange.Property

    /// Records which links of a row a complete list of the service confirms.
    func confirmAcknowledged(
        _ relationship: RelationshipLayout,
        of row: Int64,
        in others: Set<Int64>
    ) throws {
        for other in try unpushed.acknowledgedMembers(of: relationship, of: row) {
            let link = StoredLink(relationship, of: row, to: other)
            for list in try unpushed.lists(with: link) {
                let property = AcknowledgedChange.Property(list.identifier, member: list.member)
                let change = try unpushed.acknowledged(list.row, in: list.table)
                guard let former = change?.formers[property]?.last,
                    (former == Self.wasLinked) != others.contains(other)
                else { continue }
                try unpushed.confirm(property, of: list.row, in: list.table)
            }
        }
        guard case .inverse(let table, let column, _) = relationship.storage,
            try unpushed.hasAcknowledgedRows()
        else { return }
        let property = AcknowledgedChange.Property(unpushed.name(ofColumn: column, in: table))
        for other in others {
            guard try unpushed.acknowledged(other, in: table)?.formers[property] != nil,
                try unpushed.reference(inColumn: column, in: table, of: other) == row
            else { continue }
            try unpushed.confirm(property, of: other, in: table)
        }
    }

    private static let wasLinked = 1.databaseValue
    private static let wasNotLinked = 0.databaseValue
}
