import GRDB

extension SchemaMigration {
    /// Alters the tables that can be altered in place.
    func changeKeptTables() throws {
        for (target, move) in plan.tables.enumerated() where move.isKept {
            guard let base = move.base else { continue }
            try dropRows(of: target, base: base)
            try renameColumns(of: target, base: base)
            try addColumns(target)
            try renameEntities(of: target, in: move)
        }
    }

    private func dropRows(of target: Int, base: Int) throws {
        let dropped = plan.droppedEntities(in: base)
        guard !dropped.isEmpty else { return }
        let isNamed = plan.new.tables[target].hasEntityColumn
        let chosen = isNamed ? " WHERE \(sql.isOneOf(dropped.map(\.name)))" : ""
        try execute("DELETE FROM \(plan.new.name(of: target))\(chosen)")
    }

    private func renameColumns(of target: Int, base: Int) throws {
        var renamings: [(from: String, to: String)] = []
        for (column, former) in plan.formerColumns(of: target).enumerated() {
            guard let former else { continue }
            let before = plan.old.tables[base].columns[former].name
            let after = plan.new.tables[target].columns[column].name
            if before != after { renamings.append((before, after)) }
        }
        // By way of temporary names, because two columns may exchange theirs.
        for (index, renaming) in renamings.enumerated() {
            try rename(renaming.from, to: "_tidemark_\(index)", in: target)
        }
        for (index, renaming) in renamings.enumerated() {
            try rename("_tidemark_\(index)", to: renaming.to, in: target)
        }
    }

    private func rename(_ column: String, to name: String, in target: Int) throws {
        try execute(
            "ALTER TABLE \(plan.new.name(of: target)) "
                + "RENAME COLUMN \(column.quotedDatabaseIdentifier) "
                + "TO \(name.quotedDatabaseIdentifier)"
        )
    }

    private func addColumns(_ target: Int) throws {
        let table = plan.new.tables[target]
        let former = plan.formerColumns(of: target)
        var filled: [Int] = []
        for column in table.columns.indices where former[column] == nil {
            try execute(
                "ALTER TABLE \(plan.new.name(of: target)) ADD COLUMN "
                    + table.columns[column].definition
            )
            let sources = plan.tables[target].sources.flatMap(\.entities).map { $0.columns[column] }
            if sources.contains(where: { $0 != .nothing }) { filled.append(column) }
        }
        guard !filled.isEmpty, let source = plan.tables[target].sources.first else { return }
        let expressions = sql.expressions(source, of: target)
        let values = filled.map { "\(plan.new.name(of: $0, in: target)) = \(expressions[$0])" }
        try execute("UPDATE \(plan.new.name(of: target)) SET \(values.joined(separator: ", "))")
    }

    private func renameEntities(of target: Int, in move: TableMove) throws {
        let entities = move.sources.flatMap(\.entities)
        guard plan.new.tables[target].hasEntityColumn,
            entities.contains(where: { $0.old.name != $0.new.name }),
            let source = move.sources.first
        else { return }
        try execute("UPDATE \(plan.new.name(of: target)) SET \"_entity\" = \(sql.entity(source))")
    }
}
