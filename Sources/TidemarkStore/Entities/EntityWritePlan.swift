import TidemarkModel

/// How records of a type are written to their rows: compiled once in a transaction.
///
/// A class that one writer uses, on its thread.
final class EntityWritePlan<Record: EntityRecord> {
    let entity: EntityLayout
    let rules: EntityRules

    /// The properties that a row contains, in the order of the type.
    let properties: [Property]

    /// The default values of the attributes that the type lacks, by column.
    let defaults: [(column: Int, value: Value)]

    let binding: EntityBinding
    private let names: PropertyNames

    /// Where a property is stored.
    enum Property {
        case attribute(column: Int)
        case relationship(RelationshipLayout)
    }

    init(in layout: StoreLayout) throws {
        binding = try layout.binding(of: Record.self)
        entity = binding.entity
        rules = try layout.rules(of: entity)
        names = PropertyNames(binding)
        let entity = entity
        let properties = binding.names.compactMap { name -> Property? in
            entity.attribute(name).map { .attribute(column: $0.column) }
                ?? entity.relationship(name).map(Property.relationship)
        }
        self.properties = properties
        let own = Set(properties.compactMap(\.attribute))
        defaults = entity.attributes.compactMap { attribute in
            // A default would give all rows the same key.
            guard !own.contains(attribute.column), !entity.key.contains(attribute.column),
                let value = attribute.attribute.defaultValue
            else { return nil }
            return (attribute.column, value)
        }
    }

    /// The name of a property.
    func name(at index: Int) -> String { binding.names[index] }

    /// Returns the values of a record, in the order of ``properties``: those of attributes as they
    /// are stored, those of relationships as row numbers.
    ///
    /// - Throws: ``StoreError/Code/typeMismatch`` if the record does not encode its properties in
    ///   their order; ``StoreError/Code/invalidValue`` if a value does not convert; errors of
    ///   ``EntityRecord/encode(to:)``.
    func values(of record: Record) throws -> [Value] {
        var row = EncodedRow(names)
        try record.encode(to: &row)
        var values = try row.complete()
        for (index, property) in properties.enumerated() {
            if case .attribute(let column) = property {
                values[index] = try rules.converted(values[index], forColumn: column)
            }
        }
        return values
    }

    /// Checks that the model allows the value of a property.
    func check(_ value: Value, at index: Int) throws(StoreError) {
        guard case .attribute(let column) = properties[index] else { return }
        try rules.check(value, forColumn: column)
    }
}

extension EntityWritePlan.Property {
    /// The column of an attribute; nil for a relationship.
    var attribute: Int? {
        guard case .attribute(let column) = self else { return nil }
        return column
    }

    /// The column of the row that contains the value; nil if the linked row refers to the row.
    var column: Int? {
        switch self {
        case .attribute(let column): return column
        case .relationship(let relationship):
            guard case .column(let column) = relationship.storage else { return nil }
            return column
        }
    }
}
