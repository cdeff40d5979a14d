import GRDB

extension SchemaMigration {
    /// Alters the tables that can be altered in place.
    func changeKeptTables() throws {
        for (place, move) in plan.tables.enumerated() where move.isKept {
            guard let base = move.base else { continue }
            try dropRows(place, base)
            try renameColumns(place, base)
            try addColumns(place)
            try renameEntities(place, move)
        }
    }

    private func dropRows(_ place: Int, _ base: Int) throws {
        let dropped = plan.droppedEntities(in: base)
        guard !dropped.isEmpty else { return }
        let isNamed = plan.new.tables[place].hasEntityColumn
        let chosen = isNamed ? " WHERE \(sql.isOneOf(dropped.map(\.name)))" : ""
        try execute("DELETE FROM \(plan.new.name(of: place))\(chosen)")
    }

    private func renameColumns(_ place: Int, _ base: Int) throws {
        var renamings: [(from: String, to: String)] = []
        for (column, former) in plan.formerColumns(of: place).enumerated() {
            guard let former else { continue }
            let before = plan.old.tables[base].columns[former].name
            let after = plan.new.tables[place].columns[column].name
            if before != after { renamings.append((before, after)) }
        }
        // By way of temporary names, because two columns may exchange theirs.
        for (index, renaming) in renamings.enumerated() {
            try rename(renaming.from, to: "_tidemark_\(index)", in: place)
        }
        for (index, renaming) in renamings.enumerated() {
            try rename("_tidemark_\(index)", to: renaming.to, in: place)
        }
    }

    private func rename(_ column: String, to name: String, in place: Int) throws {
        try execute(
            "ALTER TABLE \(plan.new.name(of: place)) "
                + "RENAME COLUMN \(column.quotedDatabaseIdentifier) "
                + "TO \(name.quotedDatabaseIdentifier)"
        )
    }

    private func addColumns(_ place: Int) throws {
        let table = plan.new.tables[place]
        let former = plan.formerColumns(of: place)
        var filled: [Int] = []
        for column in table.columns.indices where former[column] == nil {
            try execute(
                "ALTER TABLE \(plan.new.name(of: place)) ADD COLUMN "
                    + table.columns[column].definition
            )
            let sources = plan.tables[place].sources.flatMap(\.entities).map { $0.columns[column] }
            if sources.contains(where: { $0 != .nothing }) { filled.append(column) }
        }
        guard !filled.isEmpty, let source = plan.tables[place].sources.first else { return }
        let expressions = sql.expressions(source, of: place)
        let values = filled.map { "\(plan.new.name(of: $0, in: place)) = \(expressions[$0])" }
        try execute("UPDATE \(plan.new.name(of: place)) SET \(values.joined(separator: ", "))")
    }

    private func renameEntities(_ place: Int, _ move: TableMove) throws {
        let entities = move.sources.flatMap(\.entities)
        guard plan.new.tables[place].hasEntityColumn,
            entities.contains(where: { $0.old.name != $0.new.name }),
            let source = move.sources.first
        else { return }
        try execute("UPDATE \(plan.new.name(of: place)) SET \"_entity\" = \(sql.entity(source))")
    }
}
