import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// The links that the order of changes depends on.
extension StoreReader {
    /// Returns the rows that the request of a change refers to, and those that the change does not
    /// link to any more.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - parent: The relationship to the row in the path of the list; nil without one.
    ///   - omitted: The relationships whose links are sent with the rows on the other side.
    /// - Returns: The links, and the rows.
    /// - Throws: `DatabaseError`.
    fileprivate func references(
        of change: CapturedChange,
        parent: String?,
        notPushed omitted: Set<String>
    ) throws -> (linked: [PlannedChange.Reference], released: Set<PlannedChange.Row>) {
        let columns = layout.tables[change.table].columns
        var released: Set<PlannedChange.Row> = []
        var linked: [PlannedChange.Reference] = []
        let entity = try layout.entity(change.row.entity)
        for relationship in entity.relationships {
            // An object cannot be added to the list of a parent that has no key yet.
            let isInPath = change.kind == .create && relationship.relationship.name == parent
            guard case .column(let index) = relationship.storage,
                relationship.relationship.json.isExportable || isInPath
            else { continue }
            let destination = layout.entities[relationship.destination]
            guard !destination.key.isEmpty else { continue }
            let column = CapturedProperty.column(columns[index].name)
            let base = change.base.first { $0.property == column && $0.member == 0 }
            let isSent = change.kind != .update || base != nil
            let target = layout.tables[destination.table].name
            if isSent,
                let number = try value(of: index, in: change).flatMap(Int64.fromDatabaseValue)
            {
                linked.append(
                    PlannedChange.Reference(
                        relationship: relationship.identifier,
                        row: PlannedChange.Row(table: target, number: number),
                        isOptional: relationship.relationship.isOptional && !isInPath
                    )
                )
            }
            if change.kind == .update,
                let number = base.flatMap({ Int64.fromDatabaseValue($0.value) })
            {
                released.insert(PlannedChange.Row(table: target, number: number))
            }
        }
        linked += try links(of: change, in: entity, notPushed: omitted)
        for base in change.base where change.kind == .update && base.value == 1.databaseValue {
            guard case .links(let identifier) = base.property, base.member > 0,
                let relationship = layout.relationships[identifier]
            else { continue }
            let destination = layout.entities[relationship.destination]
            released.insert(
                PlannedChange.Row(table: layout.tables[destination.table].name, number: base.member)
            )
        }
        return (linked, released)
    }

    /// Returns the links to new rows in the lists of a row that its request contains.
    ///
    /// A new object may be sent without them: they are owed.
    private func links(
        of change: CapturedChange,
        in entity: EntityLayout,
        notPushed omitted: Set<String>
    ) throws -> [PlannedChange.Reference] {
        guard change.kind != .delete else { return [] }
        var links: [PlannedChange.Reference] = []
        for relationship in entity.relationships {
            let destination = layout.entities[relationship.destination]
            guard !relationship.storage.isColumn, !destination.key.isEmpty,
                relationship.relationship.json.isExportable,
                !omitted.contains(relationship.relationship.name),
                change.kind == .create || change.changesLinks(of: relationship)
            else { continue }
            let target = layout.tables[destination.table].name
            links += try newRows(linkedBy: relationship, of: change.row.number).map { row in
                PlannedChange.Reference(
                    relationship: relationship.identifier,
                    row: PlannedChange.Row(table: target, number: row),
                    isOptional: true,
                    mayBeOwed: change.kind == .create
                )
            }
        }
        return links
    }

    /// Returns the linked rows that the service does not have yet.
    private func newRows(
        linkedBy relationship: RelationshipLayout,
        of row: Int64
    ) throws -> [Int64] {
        let destination = layout.tables[layout.entities[relationship.destination].table].name
        let find = try db.cachedStatement(
            sql: "SELECT 1 FROM _tidemark_change WHERE tree = ? AND row = ? AND kind = 'create'"
        )
        return try linked(relationship, of: row).filter {
            try Row.fetchOne(find, arguments: [destination, $0]) != nil
        }
    }

    /// Returns the key of a new object or of a deleted one as text; nil without one, and where the
    /// key contains the key of another row.
    fileprivate func keyText(of change: CapturedChange) throws -> String? {
        let values = try layout.entity(change.row.entity).keyParts.map { part -> Value? in
            guard part.references.isEmpty else { return nil }
            return try value(of: part.column, in: change)
                .map { Value($0, type: part.attribute.type) }
        }
        guard !values.isEmpty, !values.contains(where: { $0 ?? .null == .null }) else { return nil }
        return values.compactMap { $0?.requestText }.joined(separator: "\n")
    }

    /// Returns the value that the row of a change has in a column, or had if the change deletes it;
    /// nil without a row.
    private func value(of column: Int, in change: CapturedChange) throws -> DatabaseValue? {
        guard change.kind != .delete else {
            let name = layout.tables[change.table].columns[column].name
            return change.base.first { $0.property == .column(name) && $0.member == 0 }?.value
        }
        let find = try valueStatement(ofColumn: column, in: change.table)
        find.bind(change.row.number, at: 1)
        defer { find.reset() }
        return try find.step() ? find.value(at: 0).databaseValue : nil
    }
}

extension PlannedChange {
    /// Creates the change of a plan.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - isSendable: Whether it may be sent now.
    ///   - resources: The lists that it may be sent to; nil if they are not known.
    ///   - attempts: How often it was attempted before.
    ///   - reader: Reads the links of its row.
    /// - Throws: `DatabaseError`.
    init(
        _ change: CapturedChange,
        isSendable: Bool,
        to resources: PushResources? = nil,
        attempts: Int = 0,
        reader: StoreReader
    ) throws {
        let references = try reader.references(
            of: change,
            parent: resources?.parent(of: change.row.entity)?.relationship,
            notPushed: resources?.notPushed(of: change.row.entity) ?? []
        )
        self.init(
            number: change.number,
            row: Row(change, in: reader.layout),
            kind: Kind(change.kind),
            isSendable: isSendable,
            isFrozen: change.state == .inFlight || change.state == .uncertain,
            references: references.linked,
            released: references.released,
            key: change.kind == .update ? nil : try reader.keyText(of: change),
            path: resources?.resource(of: change.row.entity)?.path ?? "",
            attempts: attempts
        )
    }
}

extension PlannedChange.Row {
    init(_ change: CapturedChange, in layout: StoreLayout) {
        self.init(table: layout.tables[change.table].name, number: change.row.number)
    }
}

extension PlannedChange.Kind {
    init(_ kind: CapturedChange.Kind) {
        switch kind {
        case .create: self = .create
        case .update: self = .update
        case .delete: self = .delete
        }
    }
}

extension CapturedChange {
    /// Whether an update has changed links of a relationship, or their order.
    fileprivate func changesLinks(of relationship: RelationshipLayout) -> Bool {
        base.contains { $0.property == .links(relationship.identifier) }
    }
}

extension RelationshipStorage {
    /// Whether the rows themselves have the links.
    fileprivate var isColumn: Bool { if case .column = self { true } else { false } }
}
