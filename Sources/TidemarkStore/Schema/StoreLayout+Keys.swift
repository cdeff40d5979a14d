import GRDB
import TidemarkModel

/// Primary keys in SQL, including those with values that are stored in the row of a parent.
extension StoreLayout {
    /// Returns an SQL expression for each value of a row's primary key.
    ///
    /// - Parameters:
    ///   - entity: The row's entity.
    ///   - row: The row in the query, such as the alias of its table.
    /// - Returns: The expressions, in the order of ``EntityLayout/keyParts``.
    package func keyExpressions(of entity: EntityLayout, in row: String) -> [String] {
        entity.keyParts.map { expression($0, from: 0, in: row, table: entity.table) }
    }

    private func expression(
        _ part: KeyPartLayout,
        from depth: Int,
        in row: String,
        table: Int
    ) -> String {
        guard depth < part.references.count else {
            return "\(row).\(name(of: part.column, in: table))"
        }
        let reference = part.references[depth]
        let parent = "_k\(depth)"
        let value = expression(part, from: depth + 1, in: parent, table: reference.table)
        return "(SELECT \(value) FROM \(name(of: reference.table)) AS \(parent) "
            + "WHERE \(parent)._id = \(row).\(name(of: reference.column, in: table)))"
    }

    /// Returns the SQL expression for a key in `_tidemark_held`: its only part, or the list of all
    /// parts as SQL literals, separated by commas.
    package func keyExpression(_ parts: [String]) -> String {
        // `quote` makes the list unambiguous: it distinguishes 1 from '1' and escapes quotes.
        parts.count == 1 ? parts[0] : parts.map { "quote(\($0))" }.joined(separator: " || ',' || ")
    }

    /// Returns an SQL condition that matches the row with a given primary key.
    ///
    /// SQLite evaluates it with the unique indexes of the primary keys.
    ///
    /// - Parameters:
    ///   - entity: The row's entity.
    ///   - row: The row in the query, such as the alias of its table.
    ///   - values: An SQL expression for each value, in the order of ``EntityLayout/keyParts``.
    /// - Returns: The condition.
    package func keyCondition(
        of entity: EntityLayout,
        in row: String,
        _ values: [String]
    ) -> String {
        condition(
            zip(entity.keyParts, values).map { ($0, $1) }[...],
            from: 0,
            in: row,
            table: entity.table
        )
    }

    private func condition(
        _ parts: ArraySlice<(part: KeyPartLayout, value: String)>,
        from depth: Int,
        in row: String,
        table: Int
    ) -> String {
        var conditions: [String] = []
        var rest = parts
        while let first = rest.first {
            guard depth < first.part.references.count else {
                let column = name(of: first.part.column, in: table)
                conditions.append("\(row).\(column) = \(first.value)")
                rest = rest.dropFirst()
                continue
            }
            let reference = first.part.references[depth]
            // All values of a parent's key are matched by one subquery: a single one of them may
            // match several parents.
            let shared = rest.prefix {
                depth < $0.part.references.count && $0.part.references[depth] == reference
            }
            let parent = "_k\(depth)"
            let inner = condition(shared, from: depth + 1, in: parent, table: reference.table)
            conditions.append(
                "\(row).\(name(of: reference.column, in: table)) = (SELECT \(parent)._id "
                    + "FROM \(name(of: reference.table)) AS \(parent) WHERE \(inner))"
            )
            rest = rest.dropFirst(shared.count)
        }
        return conditions.joined(separator: " AND ")
    }

    /// Returns an SQL condition that is true if a row has a primary key, whether its parent is
    /// stored or the reference to it is unresolved.
    package func hasKeyCondition(_ entity: EntityLayout, in row: String) -> String {
        entity.key.map { column in
            let isStored = "\(row).\(name(of: column, in: entity.table)) IS NOT NULL"
            guard let parent = keyRelationship(column, of: entity) else { return isStored }
            return "(\(isStored) OR EXISTS (SELECT 1 FROM _tidemark_held "
                + "WHERE relationship = \(parent.identifier.quotedText) AND owner = \(row)._id))"
        }
        .joined(separator: " AND ")
    }

    /// Returns the condition that a row of a table lacks a part of its primary key.
    ///
    /// It is the opposite of ``hasKeyCondition(_:in:)``, in a form for which SQLite uses the index
    /// of the key.
    func lacksKeyCondition(_ table: Int, in row: String) -> String {
        let keyed = entities.filter { $0.table == table && !$0.isAbstract && !$0.key.isEmpty }
        let conditions = keyed.map { entity -> String in
            let parts = entity.key.map { column -> String in
                let isMissing = "\(row).\(name(of: column, in: table)) IS NULL"
                guard let parent = keyRelationship(column, of: entity) else { return isMissing }
                return "(\(isMissing) AND NOT EXISTS (SELECT 1 FROM _tidemark_held "
                    + "WHERE relationship = \(parent.identifier.quotedText) "
                    + "AND owner = \(row)._id))"
            }
            let lacks = parts.joined(separator: " OR ")
            guard tables[table].hasEntityColumn else { return lacks }
            return "\(row)._entity = \(entity.name.quotedText) AND (\(lacks))"
        }
        // Entities that inherit a key have the same condition.
        return conditions.map { "(\($0))" }.joined(separator: " OR ")
    }

    /// Returns the relationship of a primary key column, or nil if the column is an attribute.
    package func keyRelationship(_ column: Int, of entity: EntityLayout) -> RelationshipLayout? {
        entity.relationships.first { $0.storage == .column(column) }
    }

    /// Returns the tables with a primary key that contains a reference to a table, and the columns
    /// of these references.
    func keyReferences(to table: Int) -> [(table: Int, column: Int)] {
        tables.indices.flatMap { child in
            Set(tables[child].keys.joined()).sorted().compactMap { column in
                guard case .reference(let reference) = tables[child].columns[column].content,
                    reference.table == tables[table].name
                else { return nil }
                return (child, column)
            }
        }
    }
}

extension KeyPartLayout {
    /// Returns the values of an entity's primary key.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - table: The index of its table.
    ///   - model: The model.
    ///   - trees: The entities of each table.
    ///   - column: Returns the column of an entity's property in a table.
    /// - Returns: The values, in the order of `Model.keyParts(of:)`.
    static func parts(
        of entity: EntityDescription,
        in table: Int,
        model: Model,
        trees: [EntityTree],
        column: (String, EntityDescription, Int) -> Int?
    ) -> [KeyPartLayout] {
        model.keyParts(of: entity).compactMap { part in
            var references: [KeyReference] = []
            var (entity, table) = (entity, table)
            for name in part.path {
                guard let reference = column(name, entity, table),
                    let parent = model.relationship(name, of: entity)
                        .flatMap({ model[$0.destination] }),
                    let next = trees.firstIndex(where: { $0.members.contains(parent.name) })
                else { return nil }
                references.append(KeyReference(column: reference, table: next))
                (entity, table) = (parent, next)
            }
            return column(part.attribute.name, entity, table).map {
                KeyPartLayout(references: references, attribute: part.attribute, column: $0)
            }
        }
    }
}
