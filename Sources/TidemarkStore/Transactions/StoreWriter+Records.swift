import GRDB
public import TidemarkModel

extension StoreWriter {
    /// Inserts a row with values and links.
    ///
    /// Use it for objects that the app creates. Documents of a service are stored by an import,
    /// which inserts or updates (upsert) by primary key; this function never updates a row. Values
    /// are converted to the types of their attributes if nothing is lost. Attributes without a
    /// value get their defaults, except those of the primary key. A row may have no primary key
    /// until the service assigns one. Unresolved references to the new row become links when the
    /// transaction ends.
    ///
    /// ```swift
    /// let note = try store.write { writer in
    ///     try writer.insert(
    ///         "Note",
    ///         values: ["text": .string("Buy milk")],
    ///         links: ["user": [RecordLocator("User:6")]]
    ///     )
    /// }
    /// print(note)   // Note#1
    /// ```
    ///
    /// - Parameters:
    ///   - entity: The name of an entity that is not abstract.
    ///   - values: The values by attribute.
    ///   - links: The rows to link to, by relationship; at most one for a to-one relationship.
    /// - Returns: The reference to the row.
    /// - Throws: ``StoreError`` such as ``StoreError/Code/invalidValue``,
    ///   ``StoreError/Code/duplicate`` or, for a linked row, ``StoreError/Code/rowNotFound``;
    ///   `DatabaseError` if a constraint of the database is violated. Do not catch an error for a
    ///   link inside of the transaction: the row is already inserted then, and only the rollback
    ///   removes it.
    @discardableResult
    public func insert(
        _ entity: String,
        values: [String: Value],
        links: [String: [RecordLocator]] = [:]
    ) throws -> RowReference {
        let entity = try layout.entity(entity)
        try expectConcrete(entity)
        var assignments = try assignments(values, of: entity)
        for attribute in entity.attributes where assignments[attribute.column] == nil {
            // A default would give all rows the same key.
            if let value = attribute.attribute.defaultValue, !entity.key.contains(attribute.column)
            {
                assignments[attribute.column] = value
            }
        }
        let rules = try layout.rules(of: entity)
        for attribute in entity.attributes {
            try rules.check(
                assignments[attribute.column] ?? .null,
                forColumn: attribute.column
            )
        }
        let number = try insertRow(
            assignments.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
            of: entity
        )
        try setLinks(links, of: number, entity: entity)
        return RowReference(entity.name, number)
    }

    /// Updates values and links of a row.
    ///
    /// Only values that differ are written, and only the given relationships are read. A new
    /// primary key is allowed, and links are kept. Both sides of a relationship change together: a
    /// row that moves to another parent leaves the list of the previous one.
    ///
    /// ```swift
    /// let changed = try store.write { writer in
    ///     try writer.update(
    ///         RecordLocator("Note:7"),
    ///         values: ["done": .boolean(true)],
    ///         links: ["tags": [RecordLocator("Tag:home"), RecordLocator("Tag:urgent")]]
    ///     ).changed
    /// }
    /// print(changed)   // ["done", "tags"]
    /// ```
    ///
    /// - Parameters:
    ///   - locator: The row.
    ///   - values: The new values by attribute; `Value.null` removes a value. Other attributes do
    ///     not change.
    ///   - links: The new links by relationship, which replace the existing ones; an empty array
    ///     unlinks all. Other relationships do not change.
    /// - Returns: The reference to the row, and the names of the attributes and relationships that
    ///   changed.
    /// - Throws: ``StoreError`` such as ``StoreError/Code/rowNotFound``,
    ///   ``StoreError/Code/invalidValue`` or ``StoreError/Code/duplicate``; `DatabaseError` if a
    ///   constraint of the database is violated.
    @discardableResult
    public func update(
        _ locator: RecordLocator,
        values: [String: Value],
        links: [String: [RecordLocator]] = [:]
    ) throws -> (reference: RowReference, changed: [String]) {
        let before = try record(locator, links: .none)
        // The row may belong to an entity that inherits from the given one.
        let entity = try layout.entity(before.reference.entity)
        let number = before.reference.number
        let assignments = try assignments(values, of: entity).filter { column, value in
            entity.name(ofAttribute: column).map { !before[$0].isSame(as: value) } ?? false
        }
        let rules = try layout.rules(of: entity)
        for (column, value) in assignments.sorted(by: { $0.key < $1.key }) {
            try rules.check(value, forColumn: column)
        }
        try updateRow(
            number,
            of: entity,
            assigning: assignments.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        )
        let linked = try setLinks(links, of: number, entity: entity)
        let changed = assignments.keys.compactMap(entity.name(ofAttribute:)).sorted() + linked
        return (before.reference, changed)
    }

    /// Deletes a row and applies the delete rules of the model to the rows that are linked to it.
    ///
    /// `nullify` and `noAction` unlink them, `cascade` deletes them too, `deny` prevents the
    /// deletion. The row is deleted from the table and leaves no tombstone (soft delete): a pull
    /// that lists the object again inserts it as a new row. Use an attribute of your own for
    /// objects that are to be deleted at the service later.
    ///
    /// ```swift
    /// let deleted = try store.write { writer in try writer.delete(RecordLocator("User:6")) }
    /// print(deleted)   // ["User": 1, "Note": 3]
    /// ```
    ///
    /// - Parameter locator: The row.
    /// - Returns: The numbers of deleted rows by entity, those deleted by a cascade included.
    /// - Throws: ``StoreError/Code/deletionDenied`` if a delete rule prevents the deletion, in
    ///   which case nothing is deleted; ``StoreError/Code/rowNotFound``; `DatabaseError`.
    @discardableResult
    public func delete(_ locator: RecordLocator) throws -> [String: Int] {
        guard let number = try rowNumber(for: locator) else {
            throw StoreError.rowNotFound(locator.description)
        }
        let table = try layout.entity(locator.entity).table
        let outcome = try delete([table: [number]], isRemembered: false)
        if let denial = outcome.denials.first {
            throw StoreError.denied("\(locator)", by: denial.relationship)
        }
        return outcome.deleted
    }

    /// Converts a value to the type of an attribute, and checks that the model allows it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - attribute: The attribute.
    ///   - entity: The entity of the attribute.
    /// - Returns: The value as it is stored.
    /// - Throws: ``StoreError/Code/invalidValue``.
    package func checked(
        _ value: Value,
        for attribute: AttributeLayout,
        of entity: EntityLayout
    ) throws -> Value {
        let rules = try layout.rules(of: entity)
        let converted = try rules.converted(value, forColumn: attribute.column)
        try rules.check(converted, forColumn: attribute.column)
        return converted
    }

    /// Converts values to the types of their attributes, and returns them by column.
    private func assignments(
        _ values: [String: Value],
        of entity: EntityLayout
    ) throws -> [Int: Value] {
        let rules = try layout.rules(of: entity)
        var assignments: [Int: Value] = [:]
        for (name, value) in values {
            guard let attribute = entity.attribute(name) else {
                let known = entity.attributes.map(\.attribute.name).sorted()
                throw StoreError(
                    .invalidValue,
                    "\(entity.name) has no attribute \(name).",
                    hint: "It has \(known.joined(separator: ", "))."
                )
            }
            assignments[attribute.column] = try rules.converted(
                value,
                forColumn: attribute.column
            )
        }
        return assignments
    }

    // MARK: Links

    /// Sets the links of a row, and returns the names of the relationships that changed.
    @discardableResult
    private func setLinks(
        _ links: [String: [RecordLocator]],
        of number: Int64,
        entity: EntityLayout
    ) throws -> [String] {
        try links.sorted { $0.key < $1.key }.compactMap { name, rows in
            guard let relationship = entity.relationship(name) else {
                let known = entity.relationships.map(\.relationship.name).sorted()
                throw StoreError(
                    .invalidValue,
                    "\(entity.name) has no relationship \(name).",
                    hint: "It has \(known.joined(separator: ", "))."
                )
            }
            return try setLinks(relationship, of: number, entity: entity, to: rows) ? name : nil
        }
    }

    private func setLinks(
        _ relationship: RelationshipLayout,
        of number: Int64,
        entity: EntityLayout,
        to rows: [RecordLocator]
    ) throws -> Bool {
        guard relationship.relationship.isToMany || rows.count <= 1 else {
            throw StoreError(
                .invalidValue,
                "\(relationship.identifier) is to-one and was given \(rows.count) rows."
            )
        }
        let destination = layout.entities[relationship.destination]
        let numbers = try rows.map { row in
            let table = try layout.entity(row.entity).table
            guard let found = try rowNumber(for: row) else {
                throw StoreError.rowNotFound(row.description)
            }
            guard table == destination.table, try exists(found, of: destination) else {
                throw StoreError(
                    .invalidValue,
                    "\(relationship.identifier) leads to \(destination.name), not to \(row)."
                )
            }
            return found
        }
        return try setLinks(relationship, of: number, entity: entity, toRows: numbers)
    }

    /// Replaces the links of a row, and returns whether any changed.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - number: The row.
    ///   - entity: The entity of the row.
    ///   - numbers: The rows to link to, which exist.
    /// - Returns: Whether any link changed.
    /// - Throws: ``StoreError/Code/invalidValue`` if a row would lose the parent in its primary
    ///   key; `DatabaseError`.
    func setLinks(
        _ relationship: RelationshipLayout,
        of number: Int64,
        entity: EntityLayout,
        toRows numbers: [Int64]
    ) throws -> Bool {
        var known: Set<Int64> = []
        let members = numbers.filter { known.insert($0).inserted }
        try checkParents(relationship, of: number, entity: entity, among: known)
        // The new links replace unresolved references of the row as well.
        try discardUnresolved(relationship, of: number)
        return try replaceLinks(relationship, of: number, with: members).changed
    }

    /// Checks that no row loses the parent that is part of its primary key: such a row would have
    /// no key and could not be found again.
    private func checkParents(
        _ relationship: RelationshipLayout,
        of number: Int64,
        entity: EntityLayout,
        among members: Set<Int64>
    ) throws {
        let destination = layout.entities[relationship.destination]
        let child: EntityLayout
        let isLost: Bool
        if layout.isParentInKey(relationship) {
            child = destination
            isLost = try linked(relationship, of: number).contains { row in
                try !members.contains(row) && hasKey(row, of: destination)
            }
        } else if case .column(let column) = relationship.storage, entity.key.contains(column) {
            child = entity
            isLost = try members.isEmpty && hasKey(number, of: entity)
        } else {
            return
        }
        if isLost { throw StoreError.lostParent(relationship, of: child) }
    }
}

extension EntityLayout {
    func name(ofAttribute column: Int) -> String? {
        attributes.first { $0.column == column }?.attribute.name
    }
}

extension StoreError {
    /// The error for a row that would lose the parent that is part of its primary key.
    static func lostParent(
        _ relationship: RelationshipLayout,
        of child: EntityLayout
    ) -> StoreError {
        StoreError(
            .invalidValue,
            "\(relationship.identifier): A row of \(child.name) cannot lose its parent, which is "
                + "part of its primary key.",
            hint: "Delete the row, or link it to another parent."
        )
    }
}
