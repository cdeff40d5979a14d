package import TidemarkModel

/// The SQLite schema of a model: the tables and columns that store its entities, attributes and
/// relationships.
///
/// A layout is computed when a store is opened, and is used by everything that reads or writes
/// rows. Indexes of tables, columns and entities are valid within one layout only; a migration
/// replaces it.
package struct StoreLayout: Sendable {
    /// The model that the layout was computed from.
    package let model: Model

    /// The tables of the entities, one for each inheritance tree.
    package let tables: [TableLayout]

    /// The join tables of many-to-many relationships, and of to-many relationships without an
    /// inverse.
    package let joins: [JoinLayout]

    /// The entities that have a table, in the order of the model.
    ///
    /// An abstract entity at the top of a hierarchy is not included if its children have tables of
    /// their own.
    package let entities: [EntityLayout]

    /// The relationships by their identifiers, such as `User.notes`.
    package let relationships: [String: RelationshipLayout]

    private let indexes: [String: Int]

    private let bindings = CompiledOnce<ObjectIdentifier, EntityBinding>()

    private let rules = CompiledOnce<String, EntityRules>()

    init(model: Model, tables: [TableLayout], joins: [JoinLayout], entities: [EntityLayout]) {
        self.model = model
        self.tables = tables
        self.joins = joins
        self.entities = entities
        // A sub-entity repeats the relationships that it inherits, under the same identifier.
        relationships = Dictionary(
            entities.flatMap(\.relationships).map { ($0.identifier, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        indexes = Dictionary(
            entities.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Returns the properties of a record type and their columns.
    ///
    /// - Throws: ``StoreError/Code/unknownEntity``, ``StoreError/Code/typeMismatch``.
    func binding<Record: EntityRecord>(of type: Record.Type) throws -> EntityBinding {
        try bindings.value(for: ObjectIdentifier(type)) { try EntityBinding(type, in: self) }
    }

    /// Returns the conversions and rules for values of an entity.
    ///
    /// - Throws: `ModelError`.
    func rules(of entity: EntityLayout) throws -> EntityRules {
        try rules.value(for: entity.name) { try EntityRules(entity) }
    }

    /// Returns the index of an entity in ``entities``, or nil if the layout does not contain it.
    package func index(of entity: String) -> Int? {
        indexes[entity]
    }

    /// Returns the layout of an entity.
    ///
    /// - Throws: ``StoreError/Code/unknownEntity`` if the layout does not contain it.
    package func entity(_ name: String) throws -> EntityLayout {
        entities[try index(ofEntity: name)]
    }

    /// Returns the index of an entity in ``entities``.
    ///
    /// Use ``index(of:)`` where an unknown entity is not an error.
    ///
    /// - Throws: ``StoreError/Code/unknownEntity`` if the layout does not contain it.
    package func index(ofEntity entity: String) throws -> Int {
        guard let index = indexes[entity] else {
            throw StoreError.unknownEntity(entity, known: entities.map(\.name))
        }
        return index
    }

    /// Returns the table that stores the rows of an entity.
    package func table(of entity: EntityLayout) -> TableLayout {
        tables[entity.table]
    }

    /// Returns the inverse of a relationship, or nil if it has none.
    package func inverse(of relationship: RelationshipLayout) -> RelationshipLayout? {
        relationship.relationship.inverse.flatMap {
            entities[relationship.destination].relationship($0)
        }
    }

    /// Returns whether the primary key of the linked rows contains their reference to the row.
    ///
    /// Such rows can be deleted, but not unlinked: without their parent they would have no key.
    package func isParentInKey(_ relationship: RelationshipLayout) -> Bool {
        guard case .inverse(let table, let column, _) = relationship.storage else { return false }
        return tables[table].keys.contains { $0.contains(column) }
    }

    /// Returns whether a to-one relationship is its own inverse: both rows then refer to each
    /// other.
    func isOwnInverse(_ relationship: RelationshipLayout) -> Bool {
        relationship.relationship.inverse == relationship.relationship.name
            && inverse(of: relationship)?.identifier == relationship.identifier
    }

    /// Returns the column with the position of a row in the ordered to-many inverse of a to-one
    /// relationship, or nil if the inverse is not ordered.
    package func positionColumn(inInverseOf relationship: RelationshipLayout) -> Int? {
        guard case .inverse(_, _, let position) = inverse(of: relationship)?.storage else {
            return nil
        }
        return position
    }
}
