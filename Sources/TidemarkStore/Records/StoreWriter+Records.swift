import GRDB
public import TidemarkModel

extension StoreWriter {
    /// Inserts a row with the given values and links.
    ///
    /// Attributes that are not named get their defaults. A value is converted to its attribute's
    /// type where nothing is lost.
    ///
    /// - Throws: ``StoreError``, or `DatabaseError` when a rule of the database is broken.
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

    /// Changes values and links of a row, and returns the names of those that differ from before.
    ///
    /// - Throws: ``StoreError``, or `DatabaseError` when a rule of the database is broken.
    public func update(
        _ entity: EntityLayout,
        _ number: Int64,
        values: [String: Value],
        links: [String: [RecordLocator]] = [:]
    ) throws -> [String] {
        guard let before = try reader.record(entity, number) else {
            throw StoreError.rowNotFound("\(entity.name)#\(number)")
        }
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

    /// Makes sure that a value is one the model allows.
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

    /// Makes sure that a required attribute has a value.
    ///
    /// The database enforces it for the columns of a tree's topmost entity only, and its error
    /// names neither the rule nor what to do.
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
        if entity.key.contains(where: columns.contains) {
            noteKey(of: number, in: entity.table)
        }
    }

    /// The values by column, each of its attribute's type.
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

    /// Sets the links of a row, and returns the relationships in which they differ from before.
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
        try release(relationship, of: number)
        return try replaceLinks(relationship, of: number, with: members).changed
    }
}

extension StoreWriter {
    /// Makes sure that no row loses the parent within which its key is unique: without it the row
    /// would have no key, and could not be found again.
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
    /// A value as one of this attribute's type.
    fileprivate func converted(_ value: Value, in entity: String) throws -> Value {
        do {
            return try Coercion(self).coerce(value)
        } catch let failure as CoercionFailure {
            throw StoreError(.invalidValue, "\(entity).\(name): \(failure)")
        }
    }
}
