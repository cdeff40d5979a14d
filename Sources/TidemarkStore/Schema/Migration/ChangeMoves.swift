import GRDB
import TidemarkModel

/// What becomes of the base values of local changes when the model changes.
///
/// A base value names a property of the old model: see ``CapturePlan``. Its value is converted as
/// that of the row is.
struct ChangeMoves {
    let plan: MigrationPlan
    private let old: CapturePlan
    private let new: CapturePlan

    /// A base value in the new model.
    struct Moved {
        let property: String
        let value: DatabaseValue
    }

    /// Where a base value belongs in the new model.
    private struct Destination {
        let property: String

        /// The conversion of the value, as an index in ``MigrationPlan/conversions``.
        var conversion: Int?
    }

    /// The sides of links in the new model.
    let sides: LinkSides

    /// - Parameters:
    ///   - plan: The migration.
    ///   - sides: The sides of links in the old model.
    init(_ plan: MigrationPlan, sides: LinkSides) {
        self.plan = plan
        old = CapturePlan(plan.old, sides: sides)
        self.sides = LinkSides(
            Set(
                sides.identifiers.compactMap { identifier in
                    plan.successor(ofRelationship: identifier)?.identifier
                }
            )
        )
        new = CapturePlan(plan.new, sides: self.sides)
    }

    /// Returns the source of the rows of an entity; nil if its rows are dropped.
    func move(ofEntity name: String) -> EntityMove? {
        plan.tables.flatMap(\.sources).flatMap(\.entities).first { $0.old.name == name }
    }

    /// Returns a base value of the new model; nil if that lacks the property, or if the value
    /// does not convert.
    func moved(_ value: DatabaseValue, of property: String, in move: EntityMove) -> Moved? {
        guard let destination = destination(of: CapturedProperty(property), in: move) else {
            return nil
        }
        let moved: DatabaseValue?
        if property == "_entity" {
            moved =
                String.fromDatabaseValue(value).flatMap(self.move(ofEntity:))?
                .new.name.databaseValue
        } else if let conversion = destination.conversion, !value.isNull {
            moved =
                Result { () throws(ConversionFailure) in
                    try plan.conversions[conversion].convert(value)
                }.success
        } else {
            moved = value
        }
        return moved.map { Moved(property: destination.property, value: $0) }
    }

    /// Returns the new name of a property; nil if the new model lacks it.
    func name(of property: String, in move: EntityMove) -> String? {
        destination(of: CapturedProperty(property), in: move)?.property
    }

    private func destination(
        of property: CapturedProperty,
        in move: EntityMove
    ) -> Destination? {
        switch property {
        case .column("_entity"):
            return plan.new.tables[move.new.table].hasEntityColumn
                ? Destination(property: "_entity") : nil
        case .column(let name):
            return column(name, ofTable: move.old.table, in: [move]).map {
                Destination(property: $0.name, conversion: $0.conversion)
            }
        case .links(let identifier):
            return relationship(identifier).map { Destination(property: $0) }
        case .position(let identifier, let column):
            return position(column, of: identifier).map { Destination(property: $0) }
        case .part(let table, let name):
            return part(name, ofTable: table)
        case .ofPart(let row, let inner):
            return destination(of: inner, in: move).map { inner in
                Destination(property: "\(inner.property):\(row)", conversion: inner.conversion)
            }
        }
    }

    // MARK: Columns

    private struct NewColumn {
        let name: String
        let table: Int
        let conversion: Int?
    }

    /// Returns the new column that has the values of an old one.
    private func column(
        _ name: String,
        ofTable table: Int,
        in moves: [EntityMove]
    ) -> NewColumn? {
        guard let former = plan.old.tables[table].columns.firstIndex(where: { $0.name == name })
        else { return nil }
        for move in moves {
            for (index, source) in move.columns.enumerated() {
                let conversion: Int?
                switch source {
                case .column(former): conversion = nil
                case .converted(former, let number): conversion = number
                case .nothing, .column, .converted: continue
                }
                return NewColumn(
                    name: plan.new.tables[move.new.table].columns[index].name,
                    table: move.new.table,
                    conversion: conversion
                )
            }
        }
        return nil
    }

    /// Returns where a value of a contained row belongs: the property names the row's table.
    private func part(_ name: String, ofTable tableName: String) -> Destination? {
        guard let table = plan.old.tables.firstIndex(where: { $0.name == tableName }) else {
            return nil
        }
        let moves = plan.tables.flatMap(\.sources).filter { $0.table == table }
            .flatMap(\.entities)
        return column(name, ofTable: table, in: moves).map { column in
            Destination(
                property: "\(plan.new.tables[column.table].name):\(column.name)",
                conversion: column.conversion
            )
        }
    }

    // MARK: Links

    /// Returns the new relationship with the links of an old one, if its links are pushed for the
    /// same row.
    private func relationship(_ identifier: String) -> String? {
        guard let successor = plan.successor(ofRelationship: identifier) else { return nil }
        // A to-one relationship has base values only for references to rows that are not stored.
        if case .column = successor.storage { return successor.identifier }
        let isPushed =
            new.lists.contains { $0.relationship.identifier == successor.identifier }
            || new.parts.contains { $0.relationship.identifier == successor.identifier }
        return isPushed ? successor.identifier : nil
    }

    private func position(_ column: String, of identifier: String) -> String? {
        guard let successor = relationship(identifier),
            let former = old.lists.first(where: { $0.relationship.identifier == identifier }),
            let list = new.lists.first(where: { $0.relationship.identifier == successor }),
            let index = former.positions.firstIndex(of: column),
            list.positions.indices.contains(index)
        else { return nil }
        return "\(successor):\(list.positions[index])"
    }
}

extension MigrationPlan {
    /// Returns the new relationship with the links of an old one; nil without one.
    fileprivate func successor(ofRelationship identifier: String) -> RelationshipLayout? {
        new.relationships.values.sorted { $0.identifier < $1.identifier }
            .first { relationship in
                sources(of: relationship, isFlipped: false)
                    .contains { $0.relationship.identifier == identifier }
            }
    }
}

extension Result {
    /// The value; nil after a failure.
    fileprivate var success: Success? {
        if case .success(let value) = self { value } else { nil }
    }
}
