import GRDB
public import TidemarkModel

extension StoreWriter {
    /// Inserts a row with values and links.
    ///
    /// Attributes without a value get their defaults, except those of the primary key. A value is
    /// converted to the type of its attribute if nothing is lost. Call ``finish()`` after the last
    /// write.
    ///
    /// - Parameters:
    ///   - entity: An entity that is not abstract.
    ///   - values: The values by attribute.
    ///   - links: The rows to link to, by relationship.
    /// - Returns: The reference to the row.
    /// - Throws: ``StoreError``, or `DatabaseError` if a constraint of the database is violated.
    public func insert(
        _ entity: EntityLayout,
        values: [String: Value],
        links: [String: [RecordLocator]] = [:]
    ) throws -> RowReference {
        guard !entity.isAbstract else {
            throw StoreError(
                .invalidValue,
                "\(entity.name) is abstract: no row can be of it.",
                hint: "Insert a row of an entity that inherits from it."
            )
        }
        var assignments = try assignments(entity, values)
        for attribute in entity.attributes where assignments[attribute.column] == nil {
            // A default would give all rows the same key.
            if let value = attribute.attribute.defaultValue, !entity.key.contains(attribute.column)
            {
                assignments[attribute.column] = value
            }
        }
        for attribute in entity.attributes {
            try check(attribute, of: entity, assignments[attribute.column] ?? .null)
        }
        let number = try insertRow(entity, assignments)
        try setLinks(entity, number, links)
        return RowReference(entity.name, number)
    }

    private func insertRow(_ entity: EntityLayout, _ assignments: [Int: Value]) throws -> Int64 {
        let columns = assignments.keys.sorted()
        let isNamed = layout.tables[entity.table].hasEntityColumn
        let names = columns.map { name(of: $0, in: entity.table) } + (isNamed ? ["_entity"] : [])
        var arguments = columns.map { assignments[$0]?.databaseValue ?? .null }
        if isNamed {
            arguments.append(entity.name.databaseValue)
        }
        let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
        // SQL does not allow an empty list of columns.
        let content =
            names.isEmpty
            ? "DEFAULT VALUES" : "(\(names.joined(separator: ", "))) VALUES (\(marks))"
        try rejectingDuplicates(entity, nil, assignments) {
            try db.execute(
                sql: "INSERT INTO \(name(of: entity.table)) \(content)",
                arguments: StatementArguments(arguments)
            )
        }
        let number = db.lastInsertedRowID
        changes(in: entity.table).inserted.insert(number)
        return number
    }

    /// Updates values and links of a row.
    ///
    /// Only values that differ are written.
    ///
    /// - Parameters:
    ///   - entity: The entity of the row, or one that it inherits from.
    ///   - number: The row number.
    ///   - values: The new values by attribute.
    ///   - links: The new links by relationship, which replace the existing ones.
    /// - Returns: The names of the attributes and relationships that changed.
    /// - Throws: ``StoreError``, or `DatabaseError` if a constraint of the database is violated.
    public func update(
        _ entity: EntityLayout,
        _ number: Int64,
        values: [String: Value],
        links: [String: [RecordLocator]] = [:]
    ) throws -> [String] {
        guard let before = try reader.record(entity, number) else {
            throw StoreError.rowNotFound("\(entity.name)#\(number)")
        }
        // The row may belong to an entity that inherits from the given one.
        let own = try layout.entity(before.reference.entity)
        let assignments = try assignments(own, values).filter { column, value in
            own.name(ofAttribute: column).map { before[$0] != value } ?? false
        }
        for attribute in own.attributes {
            if let value = assignments[attribute.column] { try check(attribute, of: own, value) }
        }
        try updateRow(own, number, assignments)
        let linked = try setLinks(own, number, links)
        return assignments.keys.compactMap(own.name(ofAttribute:)).sorted() + linked
    }

    /// Checks that the model allows a value for an attribute.
    private func check(
        _ attribute: AttributeLayout,
        of entity: EntityLayout,
        _ value: Value
    ) throws {
        try require(attribute, of: entity, value)
        guard let rule = try ValueRule(attribute.attribute),
            let violation = rule.violation(value)
        else { return }
        throw StoreError(
            .invalidValue,
            "\(entity.name).\(attribute.attribute.name): \(violation)"
        )
    }

    /// Checks that a required attribute has a value.
    ///
    /// The database enforces this only for columns of the root entity of a tree, and its error
    /// message contains neither the rule nor a suggestion.
    private func require(
        _ attribute: AttributeLayout,
        of entity: EntityLayout,
        _ value: Value
    ) throws {
        guard value == .null, !attribute.attribute.isOptional,
            !entity.key.contains(attribute.column)
        else { return }
        throw StoreError(
            .invalidValue,
            "\(entity.name).\(attribute.attribute.name): A row must have a value."
        )
    }

    private func updateRow(
        _ entity: EntityLayout,
        _ number: Int64,
        _ assignments: [Int: Value]
    ) throws {
        guard !assignments.isEmpty else { return }
        let columns = assignments.keys.sorted()
        let list = columns.map { "\(name(of: $0, in: entity.table)) = ?" }.joined(separator: ", ")
        let values = columns.map { assignments[$0]?.databaseValue ?? .null }
        try rejectingDuplicates(entity, number, assignments) {
            try db.execute(
                sql: "UPDATE \(name(of: entity.table)) SET \(list) WHERE _id = ?",
                arguments: StatementArguments(values + [number.databaseValue])
            )
        }
        var mask = ColumnMask()
        for column in columns { mask.insert(column) }
        changes(in: entity.table).update(number, mask)
        // Unresolved references may refer to the new key.
        if entity.key.contains(where: columns.contains) {
            noteKey(of: number, in: entity.table)
        }
    }

    /// Converts values to the types of their attributes, and returns them by column.
    private func assignments(
        _ entity: EntityLayout,
        _ values: [String: Value]
    ) throws -> [Int: Value] {
        var assignments: [Int: Value] = [:]
        for (name, value) in values {
            guard let attribute = entity.attribute(name) else {
                throw StoreError(
                    .invalidValue,
                    "\(entity.name) has no attribute \(name).",
                    hint:
                        "It has \(entity.attributes.map(\.attribute.name).sorted().joined(separator: ", "))."
                )
            }
            assignments[attribute.column] = try attribute.attribute.converted(
                value,
                in: entity.name
            )
        }
        return assignments
    }

    // MARK: Links

    /// Sets the links of a row, and returns the names of the relationships that changed.
    @discardableResult
    private func setLinks(
        _ entity: EntityLayout,
        _ number: Int64,
        _ links: [String: [RecordLocator]]
    ) throws -> [String] {
        try links.sorted { $0.key < $1.key }.compactMap { name, rows in
            guard let relationship = entity.relationship(name) else {
                throw StoreError(
                    .invalidValue,
                    "\(entity.name) has no relationship \(name).",
                    hint:
                        "It has \(entity.relationships.map(\.relationship.name).sorted().joined(separator: ", "))."
                )
            }
            return try set(relationship, of: number, in: entity, rows) ? name : nil
        }
    }

    private func set(
        _ relationship: RelationshipLayout,
        of number: Int64,
        in entity: EntityLayout,
        _ rows: [RecordLocator]
    ) throws -> Bool {
        guard relationship.relationship.isToMany || rows.count <= 1 else {
            throw StoreError(
                .invalidValue,
                "\(relationship.identifier) is to-one and was given \(rows.count) rows."
            )
        }
        let destination = layout.entities[relationship.destination]
        let numbers = try rows.map { name in
            let table = try layout.entity(name.entity).table
            guard let found = try reader.find(name) else {
                throw StoreError.rowNotFound(name.description)
            }
            guard table == destination.table, try reader.record(destination, found) != nil else {
                throw StoreError(
                    .invalidValue,
                    "\(relationship.identifier) leads to \(destination.name), not to \(name)."
                )
            }
            return found
        }
        var known: Set<Int64> = []
        let members = numbers.filter { known.insert($0).inserted }
        try keepKeys(relationship, of: number, in: entity, known)
        // The new links replace unresolved references of the row as well.
        try release(relationship, of: number)
        return try replaceLinks(relationship, of: number, with: members).changed
    }
}

extension StoreWriter {
    /// Checks that no row loses the parent that is part of its primary key: such a row would have
    /// no key and could not be found again.
    private func keepKeys(
        _ relationship: RelationshipLayout,
        of number: Int64,
        in entity: EntityLayout,
        _ members: Set<Int64>
    ) throws {
        let destination = layout.entities[relationship.destination]
        let child: EntityLayout
        let isLost: Bool
        if layout.isParentInKey(relationship) {
            child = destination
            isLost = try reader.linked(relationship, of: number).contains { row in
                try !members.contains(row) && reader.hasKey(row, of: destination)
            }
        } else if case .column(let column) = relationship.storage, entity.key.contains(column) {
            child = entity
            isLost = try members.isEmpty && reader.hasKey(number, of: entity)
        } else {
            return
        }
        guard isLost else { return }
        throw StoreError(
            .invalidValue,
            "\(relationship.identifier): A row of \(child.name) cannot lose its parent, which is "
                + "part of its primary key.",
            hint: "Delete the row, or link it to another parent."
        )
    }
}

extension EntityLayout {
    func name(ofAttribute column: Int) -> String? {
        attributes.first { $0.column == column }?.attribute.name
    }
}

extension Attribute {
    /// Converts a value to the type of the attribute.
    fileprivate func converted(_ value: Value, in entity: String) throws -> Value {
        do {
            return try Coercion(self).coerce(value)
        } catch let failure as CoercionFailure {
            throw StoreError(.invalidValue, "\(entity).\(name): \(failure)")
        }
    }
}
