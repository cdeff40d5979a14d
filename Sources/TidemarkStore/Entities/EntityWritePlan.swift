import TidemarkModel

/// How records of a type are written to their rows: compiled once in a transaction.
///
/// A class that one writer uses, on its thread. It is not generic, because most of the time of
/// generic code would be that of looking up types.
final class EntityWritePlan {
    let binding: EntityBinding
    private let names: PropertyNames

    var entity: EntityLayout { binding.entity }

    /// The properties that a row contains, in the order of the type.
    let properties: [Property]

    /// The to-one relationships, by their indexes in ``properties``.
    let relationships: [(index: Int, relationship: RelationshipLayout)]

    /// The default values of the attributes that the type lacks.
    let defaults: [(value: Value, rule: AttributeRule)]

    /// The columns that the insertion of a row writes, with the index of the value in those of
    /// ``properties`` and the ``defaults`` after them.
    let inserted: [(index: Int, column: Int)]

    /// Inserts a row; nil before the first one.
    var insertion: RowStatement?

    /// Where a property is stored.
    enum Property {
        case attribute(column: Int, AttributeRule)
        case relationship(RelationshipLayout)
    }

    init(_ binding: EntityBinding, in layout: StoreLayout) throws {
        let entity = binding.entity
        let rules = try layout.rules(of: entity)
        let properties = binding.names.compactMap { name -> Property? in
            if let column = entity.attribute(name)?.column {
                return rules[column].map { .attribute(column: column, $0) }
            }
            return entity.relationship(name).map(Property.relationship)
        }
        self.binding = binding
        self.properties = properties
        names = PropertyNames(binding)
        relationships = properties.enumerated().compactMap { index, property in
            guard case .relationship(let relationship) = property else { return nil }
            return (index, relationship)
        }
        var inserted = properties.enumerated().compactMap { index, property in
            property.inserted(in: layout).map { (index: index, column: $0) }
        }
        var defaults: [(value: Value, rule: AttributeRule)] = []
        for attribute in entity.attributes {
            let column = attribute.column
            // A default would give all rows the same key.
            guard !inserted.contains(where: { $0.column == column }), !entity.key.contains(column),
                let value = attribute.attribute.defaultValue, let rule = rules[column]
            else { continue }
            inserted.append((properties.count + defaults.count, column))
            defaults.append((value, rule))
        }
        self.inserted = inserted
        self.defaults = defaults
    }

    /// The name of a property.
    func name(at index: Int) -> String { binding.names[index] }

    /// Returns the values of a record, in the order of ``properties``: those of attributes as they
    /// are stored, those of relationships as row numbers.
    ///
    /// - Throws: ``StoreError/Code/typeMismatch`` if the record does not encode its properties in
    ///   their order; ``StoreError/Code/invalidValue`` if a value does not convert; errors of
    ///   ``EntityRecord/encode(to:)``.
    func values<Record: EntityRecord>(of record: Record) throws -> [Value] {
        var row = EncodedRow(names)
        try record.encode(to: &row)
        var values = try (consume row).complete()
        for (index, property) in properties.enumerated() {
            if case .attribute(_, let rule) = property {
                values[index] = try rule.converted(values[index])
            }
        }
        return values
    }

    /// Checks that the model allows the value of a property.
    func check(_ value: Value, at index: Int) throws(StoreError) {
        guard case .attribute(_, let rule) = properties[index] else { return }
        try rule.check(value)
    }
}

extension EntityWritePlan.Property {
    /// The column that the insertion of a row writes; nil for a link that is made afterwards,
    /// because more than the column changes with it.
    func inserted(in layout: StoreLayout) -> Int? {
        guard case .relationship(let relationship) = self else { return attribute }
        let table = layout.tables[relationship.table]
        guard let column, case .reference(let reference) = table.columns[column].content,
            !reference.isUnique, !layout.isOwnInverse(relationship),
            layout.positionColumn(inInverseOf: relationship) == nil,
            !table.keys.contains(where: { $0.contains(column) })
        else { return nil }
        return column
    }

    /// The column of an attribute; nil for a relationship.
    var attribute: Int? {
        guard case .attribute(let column, _) = self else { return nil }
        return column
    }

    /// The column of the row that contains the value; nil if the linked row refers to the row.
    var column: Int? {
        switch self {
        case .attribute(let column, _): return column
        case .relationship(let relationship):
            guard case .column(let column) = relationship.storage else { return nil }
            return column
        }
    }
}
