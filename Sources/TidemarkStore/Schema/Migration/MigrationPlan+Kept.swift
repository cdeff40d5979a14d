import TidemarkModel

extension MigrationPlan {
    /// Returns whether an old table can be altered in place: columns are renamed and added, and
    /// nothing else changes but indexes.
    func isKept(_ table: Int) -> Bool {
        let move = tables[table]
        guard let base = move.base, move.sources.allSatisfy({ $0.table == base }),
            !isShared(base, besides: table),
            old.tables[base].hasEntityColumn == new.tables[table].hasEntityColumn
        else { return false }
        let former = formerColumns(of: table)
        let kept = former.compactMap { $0 }
        guard Set(kept).count == kept.count, kept.count == old.tables[base].columns.count else {
            return false
        }
        return former.indices.allSatisfy { column in
            // ADD COLUMN cannot add a NOT NULL column without a default value.
            former[column].map { matches(column, in: table, former: $0, base: base) }
                ?? !new.tables[table].columns[column].isRequired
        } && hasSameConstraints(table, base: base, former: former)
            && keepsValues(move, former: former)
    }

    /// Returns whether rows of an old table are also moved to another table.
    private func isShared(_ base: Int, besides table: Int) -> Bool {
        tables.indices.contains { other in
            other != table && tables[other].sources.contains { $0.table == base }
        }
    }

    /// Returns the old column that each new one copies without a conversion, or nil.
    func formerColumns(of table: Int) -> [Int?] {
        let moves = tables[table].sources.flatMap(\.entities)
        return new.tables[table].columns.indices.map { column in
            let sources = Set(moves.map { $0.columns[column] }).subtracting([.nothing])
            guard sources.count == 1, case .column(let former) = sources.first else { return nil }
            return former
        }
    }

    private func matches(_ column: Int, in table: Int, former: Int, base: Int) -> Bool {
        let after = new.tables[table].columns[column]
        let before = old.tables[base].columns[former]
        guard before.isRequired == after.isRequired else { return false }
        switch (before.content, after.content) {
        case (.attribute(let before), .attribute(let after)):
            return before.storageClass == after.storageClass
        case (.reference(let before), .reference(let after)):
            return isSuccessor(after.table, of: before.table)
                && before.onDelete.action == after.onDelete.action
        case (.position, .position):
            return true
        case (.attribute, _), (.reference, _), (.position, _):
            return false
        }
    }

    private func hasSameConstraints(_ table: Int, base: Int, former: [Int?]) -> Bool {
        // ALTER TABLE cannot change the constraints of a table.
        let before = old.tables[base].keys + old.tables[base].uniques
        let after = (new.tables[table].keys + new.tables[table].uniques).map { list in
            list.map { former[$0] ?? -1 }
        }
        return Set(before) == Set(after) && before.count == after.count
    }

    /// Returns whether no entity loses a value in a column that another entity keeps: altered in
    /// place, the table would still contain it.
    private func keepsValues(_ move: TableMove, former: [Int?]) -> Bool {
        move.sources.flatMap(\.entities).allSatisfy { entity in
            let owned = columns(of: entity.old)
            return former.indices.allSatisfy { column in
                guard let source = former[column], entity.columns[column] == .nothing else {
                    // The column is added, or its value is kept: a column with a conversion for any
                    // of the entities has no former column.
                    return true
                }
                return !owned.contains(source)
            }
        }
    }

    /// Returns the columns that rows of an entity may have values in.
    private func columns(of entity: EntityLayout) -> Set<Int> {
        var columns = Set(entity.attributes.map(\.column))
        for relationship in entity.relationships {
            guard case .column(let column) = relationship.storage else { continue }
            columns.insert(column)
            if let position = old.positionColumn(inInverseOf: relationship) {
                columns.insert(position)
            }
        }
        return columns
    }
}
