import GRDB
import TidemarkModel

/// The properties of a record type and their columns in a store.
struct EntityBinding: Sendable {
    let entity: EntityLayout

    /// The names of the attributes, then of the to-one relationships, in the order of the type.
    let names: [String]

    /// The SQL of their values in a row with the alias `PredicateSQL.row`, under their names.
    let columns: [String]

    /// Compares a record type with the model of a store.
    ///
    /// - Throws: ``StoreError/Code/unknownEntity``; ``StoreError/Code/typeMismatch`` if the type
    ///   has a property that the model lacks, or a property that cannot have all values of the
    ///   model's.
    init<Record: EntityRecord>(_ type: Record.Type, in layout: StoreLayout) throws {
        entity = try layout.entity(type.entityName)
        names = type.propertyNames
        var columns: [String] = []
        for attribute in type.entity.attributes where !attribute.isTransient {
            let stored = try Self.stored(attribute, of: entity)
            let column = layout.name(of: stored.column, in: entity.table)
            columns.append(
                "\(PredicateSQL.row).\(column) AS \(attribute.name.quotedDatabaseIdentifier)"
            )
        }
        for relationship in type.entity.relationships {
            let stored = try Self.stored(relationship, of: entity, in: layout)
            guard !relationship.isToMany else { continue }
            let path = TypedPath(origin: .row, hops: [stored], end: .row)
            let value = PredicateSQL(layout: layout).value(path).text
            columns.append("\(value) AS \(relationship.name.quotedDatabaseIdentifier)")
        }
        self.columns = columns
    }

    private static func stored(
        _ attribute: Attribute,
        of entity: EntityLayout
    ) throws(StoreError) -> AttributeLayout {
        guard let stored = entity.attribute(attribute.name) else {
            throw StoreError(
                .typeMismatch,
                "\(entity.name) has no attribute \(attribute.name) in the store, and the type has.",
                hint: "Open the store with a model of the type, or remove the property."
            )
        }
        let type = stored.attribute.type
        guard type.isReadable(as: attribute.type) else {
            throw StoreError(
                .typeMismatch,
                "\(entity.name).\(attribute.name) is of type \(type.rawValue) in the store, and "
                    + "\(attribute.type.rawValue) in the type.",
                hint: "Use a type that has all values of \(type.rawValue)."
            )
        }
        return stored
    }

    private static func stored(
        _ relationship: Relationship,
        of entity: EntityLayout,
        in layout: StoreLayout
    ) throws(StoreError) -> RelationshipLayout {
        let name = "\(entity.name).\(relationship.name)"
        guard let stored = entity.relationship(relationship.name) else {
            throw StoreError(
                .typeMismatch,
                "\(entity.name) has no relationship \(relationship.name) in the store, and the "
                    + "type has.",
                hint: "Open the store with a model of the type, or remove the property."
            )
        }
        guard stored.relationship.isToMany == relationship.isToMany else {
            let kinds = stored.relationship.isToMany ? ("many", "one") : ("one", "many")
            throw StoreError(
                .typeMismatch,
                "\(name) leads to \(kinds.0) in the store, and to \(kinds.1) in the type."
            )
        }
        let destination = layout.entities[stored.destination]
        let family = layout.index(of: relationship.destination)
            .map { layout.entities[$0] }
        guard let family, family.table == destination.table,
            family.family?.contains(destination.name) ?? true
        else {
            throw StoreError(
                .typeMismatch,
                "\(name) leads to \(destination.name) in the store, and to "
                    + "\(relationship.destination) in the type."
            )
        }
        return stored
    }
}

extension EntityRecord {
    /// The names of the properties that a row contains, in their order.
    static var propertyNames: [String] {
        let entity = entity
        return entity.attributes.filter { !$0.isTransient }.map(\.name)
            + entity.relationships.filter { !$0.isToMany }.map(\.name)
    }
}

extension AttributeType {
    /// Returns whether all values of an attribute of this type are values of another type.
    fileprivate func isReadable(as other: AttributeType) -> Bool {
        if self == other { return true }
        return switch (self, other) {
        case (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64): true
        case (.integer16, .double), (.integer32, .double), (.integer16, .float), (.float, .double):
            true
        case (.integer16, .decimal), (.integer32, .decimal), (.integer64, .decimal): true
        case (.uuid, .string), (.uri, .string), (.json, .string), (.decimal, .string): true
        default: false
        }
    }
}
