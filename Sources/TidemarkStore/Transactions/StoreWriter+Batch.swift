import GRDB
import TidemarkModel

extension StoreWriter {
    /// Assigns values to all rows that a request selects.
    ///
    /// ```swift
    /// let count = try store.write { writer in
    ///     try writer.update(User.filter { $0.age < 18 }) { $0.set(\.age, to: 18) }
    /// }
    /// ```
    ///
    /// In SQL it is one `UPDATE` for all rows, which writes those that differ. The rows are those
    /// that the request selects before.
    ///
    /// - Parameters:
    ///   - request: The request. Its limit and offset apply.
    ///   - assign: Makes the assignments.
    /// - Returns: The number of rows that changed.
    /// - Throws: ``StoreError/Code/invalidValue`` if the model does not allow a value, or for a
    ///   property of another row; ``StoreError/Code/duplicate``, ``StoreError/Code/rowNotFound``
    ///   for a link, ``RecordPredicateError``, `DatabaseError`.
    @discardableResult
    public func update<Record>(
        _ request: EntityRequest<Record>,
        assign: (inout BatchUpdate<Record>) -> Void
    ) throws -> Int {
        var batch = BatchUpdate<Record>()
        assign(&batch)
        let entity = try layout.binding(of: Record.self).entity
        var terms: [AssignedColumn] = []
        var links: [(relationship: RelationshipLayout, row: Int64?)] = []
        for (name, assignment) in batch.assignments.sorted(by: { $0.key < $1.key }) {
            if case .link(let row) = assignment, let relationship = entity.relationship(name) {
                if let row { try expect(row, atEndOf: relationship) }
                links.append((relationship, row))
            } else {
                terms.append(try assignedColumn(name, assignment, of: entity))
            }
        }
        let rows = try rowIDs(request).map(\.number)
        guard !rows.isEmpty else { return 0 }
        for term in terms where term.isSum { try check(term, in: rows, of: entity) }
        var changed = try Set(write(terms, to: rows, of: entity))
        for (relationship, other) in links {
            for row in rows {
                let isChanged = try setLinks(
                    relationship,
                    of: row,
                    entity: entity,
                    toRows: other.map { [$0] } ?? []
                )
                if isChanged { changed.insert(row) }
            }
        }
        return changed.count
    }

    /// Returns the column of an assignment, whose value the model allows.
    private func assignedColumn<Record>(
        _ name: String,
        _ assignment: BatchUpdate<Record>.Assignment,
        of entity: EntityLayout
    ) throws -> AssignedColumn {
        guard let attribute = entity.attribute(name) else {
            throw StoreError(
                .invalidValue,
                "\(entity.name).\(name) cannot be assigned: it is not an attribute of the rows."
            )
        }
        let column = attribute.column
        let sql = self.name(of: column, in: entity.table)
        switch assignment {
        case .value(let value):
            let rules = try layout.rules(of: entity)
            let stored = try rules.converted(value, forColumn: column)
            try rules.check(stored, forColumn: column)
            return AssignedColumn(
                column: column,
                value: stored,
                isSum: false,
                assignment: "\(sql: sql) = \(stored)",
                condition: "\(sql: sql) IS NOT \(stored)"
            )
        case .sum(let number):
            return AssignedColumn(
                column: column,
                value: number,
                isSum: true,
                assignment: "\(sql: sql) = \(sql: sql) + \(number)",
                condition: "\(sql: sql) IS NOT \(sql: sql) + \(number)"
            )
        case .link:
            throw StoreError.unknownRelationship(name, of: entity)
        }
    }

    /// Checks that the model allows a sum for each of some rows.
    ///
    /// SQLite would make a floating-point number of an integer that is too large.
    private func check(
        _ term: AssignedColumn,
        in rows: [Int64],
        of entity: EntityLayout
    ) throws {
        let rules = try layout.rules(of: entity)
        let column: SQLText = "\(sql: name(of: term.column, in: entity.table))"
        try forEachRow(
            of: """
                SELECT _id, \(column) FROM \(sql: name(of: entity.table)) \
                WHERE _id IN (\(.each(rows))) AND \(column) IS NOT NULL
                """
        ) { statement in
            do throws(StoreError) {
                let sum = try term.sum(with: statement.value(at: 1))
                try rules.check(
                    rules.converted(sum, forColumn: term.column),
                    forColumn: term.column
                )
            } catch {
                throw StoreError(
                    error.code,
                    "\(entity.name)#\(statement.integer(at: 0)): \(error.message)"
                )
            }
        }
    }

    /// Assigns values to rows, and returns those that changed.
    private func write(
        _ terms: [AssignedColumn],
        to rows: [Int64],
        of entity: EntityLayout
    ) throws -> [Int64] {
        guard !terms.isEmpty else { return [] }
        var mask = ColumnMask()
        for term in terms { mask.insert(term.column) }
        let isKeyAssigned = terms.contains { entity.key.contains($0.column) }
        let table = changes(in: entity.table)
        let sql: SQLText = """
            UPDATE \(sql: name(of: entity.table)) \
            SET \(terms.map(\.assignment).joined(by: ", ")) \
            WHERE _id IN (\(.each(rows))) AND (\(terms.map(\.condition).joined(by: " OR "))) \
            RETURNING _id
            """
        var changed: [Int64] = []
        let values = terms.filter { !$0.isSum }.map { ($0.column, $0.value) }
        do {
            try rejectingDuplicates(
                of: nil,
                entity: entity,
                assigning: Dictionary(uniqueKeysWithValues: values)
            ) {
                try forEachRow(of: sql) { changed.append($0.integer(at: 0)) }
            }
        } catch let error as DatabaseError
            where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE
        {
            let names = terms.compactMap { entity.name(ofAttribute: $0.column) }
            throw StoreError(
                .duplicate,
                "\(entity.name).\(names.joined(separator: ", ")) must be unique, and the "
                    + "assignment gives it to several rows."
            )
        }
        for row in changed {
            table.update(row, columns: mask)
            // Unresolved references may refer to the new key.
            if isKeyAssigned { recordKeyChange(of: row, in: entity.table) }
        }
        return changed
    }
}

/// A column with the same assignment for many rows.
private struct AssignedColumn {
    let column: Int

    /// The value that all rows get, or the number that is added to that of each.
    let value: Value

    let isSum: Bool

    let assignment: SQLText

    /// The condition that the assignment changes a row.
    let condition: SQLText

    /// Returns the sum with a stored value.
    func sum(with stored: StoredValue) throws(StoreError) -> Value {
        switch (stored, value) {
        case (.integer(let one), .integer(let other)):
            let (sum, isTooLarge) = one.addingReportingOverflow(other)
            guard !isTooLarge else {
                throw StoreError(.invalidValue, "\(one) + \(other) is not a number of 64 bits.")
            }
            return .integer(sum)
        case (.integer(let one), .double(let other)): return .double(Double(one) + other)
        case (.real(let one), .integer(let other)): return .double(one + Double(other))
        case (.real(let one), .double(let other)): return .double(one + other)
        default: throw StoreError(.invalidValue, "The stored value is not a number.")
        }
    }
}
