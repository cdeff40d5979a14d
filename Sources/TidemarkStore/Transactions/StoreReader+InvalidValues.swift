package import TidemarkModel

/// A stored value that is not of its attribute's type.
package struct InvalidValue {
    /// The row.
    package let row: RowReference

    /// The name of the attribute.
    package let attribute: String

    /// Why it is not of the type.
    package let failure: CoercionFailure
}

extension StoreReader {
    /// Returns the first value of a row that is not of its attribute's type; nil without one.
    ///
    /// Another program may have written anything that a column accepts. Such values are read as
    /// others: bytes that are not UTF-8 with replacement characters, 5 as true. They must not be
    /// sent as the value of the row.
    ///
    /// - Parameters:
    ///   - row: The row. The rows without a primary key that it contains are part of it.
    ///   - properties: The names of the attributes and relationships of the row that are checked;
    ///     nil for all that are exportable.
    /// - Returns: The value.
    /// - Throws: ``StoreError/Code/unknownEntity``; `DatabaseError`.
    package func invalidValue(
        in row: RowReference,
        only properties: Set<String>? = nil
    ) throws -> InvalidValue? {
        var open = [row]
        var seen: Set<RowReference> = [row]
        while let next = open.popLast() {
            let entity = try layout.entity(next.entity)
            // Contained rows are sent whole.
            let names = next == row ? properties : nil
            if let (attribute, failure) = try invalidValue(of: next.number, entity, only: names) {
                return InvalidValue(row: next, attribute: attribute, failure: failure)
            }
            for relationship in entity.relationships {
                let destination = layout.entities[relationship.destination]
                guard destination.key.isEmpty, relationship.relationship.json.isExportable,
                    names?.contains(relationship.relationship.name) != false
                else { continue }
                for number in try linked(relationship, of: next.number) {
                    let part = try reference(to: number, in: destination.table)
                    if seen.insert(part).inserted { open.append(part) }
                }
            }
        }
        return nil
    }

    private func invalidValue(
        of number: Int64,
        _ entity: EntityLayout,
        only names: Set<String>?
    ) throws -> (attribute: String, failure: CoercionFailure)? {
        let find = try attributesStatement(of: entity)
        find.bind(number, at: 1)
        defer { find.reset() }
        guard try find.step() else { return nil }
        for (index, layout) in entity.attributes.enumerated() {
            let attribute = layout.attribute
            guard names?.contains(attribute.name) ?? attribute.json.isExportable else { continue }
            let failure = find.value(at: index + 1).failure(as: attribute.type)
            if let failure { return (attribute.name, failure) }
        }
        return nil
    }
}
