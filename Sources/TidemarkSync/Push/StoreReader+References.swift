import GRDB
import TidemarkModel
import TidemarkStore

/// The links that the order of changes depends on.
extension StoreReader {
    /// Returns the rows that the request of a change refers to, and those that the change does not
    /// link to any more.
    func references(
        of change: CapturedChange
    ) throws -> (linked: [PlannedChange.Reference], released: Set<PlannedChange.Row>) {
        let table = layout.tables[change.table]
        var released: Set<PlannedChange.Row> = []
        var linked: [PlannedChange.Reference] = []
        let row = try Row.fetchOne(
            db,
            sql: "SELECT * FROM \(table.name.quotedDatabaseIdentifier) WHERE _id = ?",
            arguments: [change.row.number]
        )
        let entity = try layout.entity(change.row.entity)
        for relationship in entity.relationships {
            guard case .column(let index) = relationship.storage,
                relationship.relationship.json.isExportable
            else { continue }
            let destination = layout.entities[relationship.destination]
            guard !destination.key.isEmpty else { continue }
            let column = table.columns[index].name
            let base = change.base.first { $0.property == .column(column) && $0.member == 0 }
            let isSent = change.kind != .update || base != nil
            let target = layout.tables[destination.table].name
            let stored = row.flatMap { $0[column] as DatabaseValue? }
            let value = change.kind == .delete ? base?.value : stored
            if isSent, let number = value.flatMap(Int64.fromDatabaseValue) {
                linked.append(
                    PlannedChange.Reference(
                        relationship: relationship.identifier,
                        row: PlannedChange.Row(table: target, number: number),
                        isOptional: relationship.relationship.isOptional
                    )
                )
            }
            if change.kind == .update,
                let number = base.flatMap({ Int64.fromDatabaseValue($0.value) })
            {
                released.insert(PlannedChange.Row(table: target, number: number))
            }
        }
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
}

extension PlannedChange {
    /// Creates the change of a plan.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - isSendable: Whether it may be sent now.
    ///   - reader: Reads the links of its row.
    /// - Throws: `DatabaseError`.
    init(_ change: CapturedChange, isSendable: Bool, reader: StoreReader) throws {
        let references = try reader.references(of: change)
        self.init(
            number: change.number,
            row: Row(change, in: reader.layout),
            kind: Kind(change.kind),
            isSendable: isSendable,
            isFrozen: change.state == .inFlight || change.state == .uncertain,
            references: references.linked,
            released: references.released
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
