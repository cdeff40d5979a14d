import TidemarkModel

extension MigrationPlan {
    /// Whether an old table can become the new one where it stands: columns are renamed and added,
    /// and nothing else changes but indexes.
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
            former[column].map { matches(column, in: table, $0, base) }
                ?? !new.tables[table].columns[column].isRequired
        } && hasSameConstraints(table, base, former) && keepsValues(move, former)
    }

    /// Whether rows of an old table go into another one too.
    private func isShared(_ base: Int, besides table: Int) -> Bool {
        tables.indices.contains { other in
            other != table && tables[other].sources.contains { $0.table == base }
        }
    }

    /// The old column that stands in each new one, unconverted.
    func formerColumns(of table: Int) -> [Int?] {
        let moves = tables[table].sources.flatMap(\.entities)
        return new.tables[table].columns.indices.map { column in
            let sources = Set(moves.map { $0.columns[column] }).subtracting([.nothing])
            guard sources.count == 1, case .column(let former) = sources.first else { return nil }
            return former
        }
    }

    private func matches(_ column: Int, in table: Int, _ former: Int, _ base: Int) -> Bool {
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

    private func hasSameConstraints(_ table: Int, _ base: Int, _ former: [Int?]) -> Bool {
        let before = old.tables[base].keys + old.tables[base].uniques
        let after = (new.tables[table].keys + new.tables[table].uniques).map { list in
            list.map { former[$0] ?? -1 }
        }
        return Set(before) == Set(after) && before.count == after.count
    }

    /// Whether each row keeps all its values: none stands in a column that another entity's rows
    /// have from now on.
    private func keepsValues(_ move: TableMove, _ former: [Int?]) -> Bool {
        move.sources.flatMap(\.entities).allSatisfy { entity in
            let owned = columns(of: entity.old)
            return former.indices.allSatisfy { column in
                guard let source = former[column], entity.columns[column] == .nothing else {
                    // A conversion elsewhere in the column would have made it no plain one.
                    return true
                }
                return !owned.contains(source)
            }
        }
    }

    /// The columns in which the rows of an entity can have something.
    private func columns(of entity: EntityLayout) -> Set<Int> {
        var columns = Set(entity.attributes.map(\.column))
        for relationship in entity.relationships {
            guard case .column(let column) = relationship.storage else { continue }
            columns.insert(column)
            if let position = old.position(behind: relationship) { columns.insert(position) }
        }
        return columns
    }
}
