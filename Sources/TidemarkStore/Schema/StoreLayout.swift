public import TidemarkModel

/// How a model lies in tables: worked out once, used by everything that reads or writes rows.
public struct StoreLayout: Sendable {
    /// The model.
    public let model: Model

    /// One table for each entity tree.
    public let tables: [TableLayout]

    /// The tables of pairs.
    public let joins: [JoinLayout]

    /// The entities that have rows, those of a dissolved abstract parent left out.
    public let entities: [EntityLayout]

    /// The relationships by their identifiers.
    package let relationships: [String: RelationshipLayout]

    private let places: [String: Int]

    init(model: Model, tables: [TableLayout], joins: [JoinLayout], entities: [EntityLayout]) {
        self.model = model
        self.tables = tables
        self.joins = joins
        self.entities = entities
        relationships = Dictionary(
            entities.flatMap(\.relationships).map { ($0.identifier, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        places = Dictionary(
            entities.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The index of an entity in ``entities``.
    public func index(of entity: String) -> Int? {
        places[entity]
    }

    /// The layout of an entity.
    ///
    /// - Throws: ``StoreError/Code/unknownEntity``.
    public func entity(_ name: String) throws -> EntityLayout {
        entities[try place(of: name)]
    }

    /// The place of an entity in ``entities``, which must be there.
    ///
    /// - Throws: ``StoreError/Code/unknownEntity``.
    public func place(of entity: String) throws -> Int {
        guard let place = places[entity] else {
            throw StoreError.unknownEntity(entity, known: entities.map(\.name))
        }
        return place
    }

    /// The table that holds the rows of an entity.
    public func table(of entity: EntityLayout) -> TableLayout {
        tables[entity.table]
    }

    /// The relationship that leads back.
    package func inverse(of relationship: RelationshipLayout) -> RelationshipLayout? {
        relationship.relationship.inverse.flatMap {
            entities[relationship.destination].relationship($0)
        }
    }

    /// Whether the linked rows have the row in their primary key: they cannot be without it.
    package func isParentInKey(_ relationship: RelationshipLayout) -> Bool {
        guard case .inverse(let table, let column, _) = relationship.storage else { return false }
        return tables[table].keys.contains { $0.contains(column) }
    }

    /// Whether a to-one relationship leads back to itself: both rows then hold each other.
    func isOwnInverse(_ relationship: RelationshipLayout) -> Bool {
        relationship.relationship.inverse == relationship.relationship.name
            && inverse(of: relationship)?.identifier == relationship.identifier
    }

    /// The column for a row's place in the ordered list that a to-one relationship leads to.
    public func position(behind relationship: RelationshipLayout) -> Int? {
        guard case .inverse(_, _, let position) = inverse(of: relationship)?.storage else {
            return nil
        }
        return position
    }
}
