import GRDB
import TidemarkModel

extension SchemaMigration {
    /// Moves unresolved references to the new relationships and keys, and returns the number of
    /// deleted ones.
    ///
    /// A reference is deleted if its relationship, its owner or the key that it waits for has no
    /// equivalent in the new model.
    func moveUnresolvedReferences() throws -> Int {
        let before = try countUnresolved()
        guard before > 0 else { return 0 }
        let conversion = UnresolvedKeyConversion(plan)
        db.add(function: conversion.function)
        defer { db.remove(function: conversion.function) }
        for relationship in plan.new.relationships.values.sorted(by: {
            $0.identifier < $1.identifier
        }) {
            for source in plan.sources(of: relationship, isFlipped: false) {
                try move(source, to: relationship, converting: conversion)
            }
        }
        // Moved references are marked by `>`, because a new name may be the old name of another
        // relationship. Those without the mark are deleted.
        try execute("DELETE FROM _tidemark_held WHERE relationship NOT LIKE '>%'")
        try execute("UPDATE _tidemark_held SET relationship = substr(relationship, 2)")
        return before - (try countUnresolved())
    }

    private func countUnresolved() throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM _tidemark_held") ?? 0
    }

    private func move(
        _ source: LinkSource,
        to relationship: RelationshipLayout,
        converting conversion: UnresolvedKeyConversion
    ) throws {
        let former = source.relationship
        let destination = plan.new.entities[relationship.destination]
        guard
            let key = conversion.expression(
                from: plan.old.entities[former.destination],
                to: destination
            )
        else { return }
        let table = plan.old.tables[former.table]
        // The owner may have been deleted by another program, or is dropped with its entity.
        let entities = source.entities ?? []
        let chosen =
            table.hasEntityColumn && !entities.isEmpty
            ? " WHERE \(sql.isOneOf(entities))" : ""
        let owners = "SELECT _id FROM \(table.name.quotedDatabaseIdentifier)\(chosen)"
        // OR IGNORE, because the keys of two references may be equal once they are converted.
        let hasPlace = former.hasOrder && relationship.hasOrder
        try execute(
            """
            UPDATE OR IGNORE _tidemark_held SET relationship = ?, destination = ?, key = \(key), \
            position = \(hasPlace ? "position" : "NULL") \
            WHERE relationship = ? AND owner IN (\(owners)) AND \(key) IS NOT NULL
            """,
            arguments: [">\(relationship.identifier)", destination.name, former.identifier]
        )
    }

    /// Deletes the record of rows that an import created from objects without a key.
    ///
    /// These rows are kept from now on.
    ///
    /// The record names tables, and another table may have such a name after the migration.
    func discardKeylessRows() throws {
        try execute("DELETE FROM _tidemark_keyless")
    }

    // MARK: Import sessions

    /// Renames unfinished import sessions whose tables are only renamed, and deletes the others,
    /// which start again.
    func moveImportSessions() throws {
        let sessions = try Row.fetchAll(db, sql: "SELECT resource, entity FROM _tidemark_walk")
        for session in sessions {
            let resource: String = session[0]
            let marks = try String.fetchAll(
                db,
                sql: "SELECT DISTINCT mark FROM _tidemark_sweep WHERE resource = ?",
                arguments: [resource]
            )
            let renamings = marks.map { ($0, renamed($0)) }
            guard let entity = successor(ofSession: session[1]),
                renamings.allSatisfy({ $0.1 != nil })
            else {
                for table in ["sweep", "retry", "walk"] {
                    try execute(
                        "DELETE FROM _tidemark_\(table) WHERE resource = ?",
                        arguments: [resource]
                    )
                }
                continue
            }
            try execute(
                "UPDATE _tidemark_walk SET entity = ? WHERE resource = ?",
                arguments: [entity, resource]
            )
            try rename(renamings, of: resource)
        }
    }

    private func rename(_ marks: [(String, String?)], of resource: String) throws {
        for (mark, name) in marks {
            guard let name, name != mark else { continue }
            try execute(
                "UPDATE _tidemark_sweep SET mark = ? WHERE resource = ? AND mark = ?",
                arguments: [">\(name)", resource, mark]
            )
        }
        try execute(
            """
            UPDATE _tidemark_sweep SET mark = substr(mark, 2) \
            WHERE resource = ? AND mark LIKE '>%'
            """,
            arguments: [resource]
        )
    }

    private func successor(ofSession entity: String) -> String? {
        guard let former = plan.old.index(of: entity), isSimple(plan.old.entities[former].table),
            let name = plan.match.newEntity(entity)?.name,
            let index = plan.new.index(of: name), !plan.new.entities[index].key.isEmpty
        else { return nil }
        return name
    }

    /// Returns the new name of a mark: `seen:Table` contains that of a table,
    /// `left:Entity.relationship` that of a list.
    private func renamed(_ mark: String) -> String? {
        let parts = mark.split(separator: ":", maxSplits: 1).map(String.init)
        if parts.count == 2, parts[0] == "left" {
            return renamedList(parts[1]).map { "left:\($0)" }
        }
        guard parts.count == 2,
            let table = plan.old.tables.firstIndex(where: { $0.name == parts[1] }),
            isSimple(table), let successor = plan.successor(ofTable: table)
        else { return nil }
        return "\(parts[0]):\(plan.new.tables[successor].name)"
    }

    private func renamedList(_ identifier: String) -> String? {
        guard let former = plan.old.relationships[identifier],
            case .inverse(let table, _, _) = former.storage, isSimple(table)
        else { return nil }
        return plan.new.relationships.values.first { relationship in
            guard case .inverse = relationship.storage else { return false }
            return plan.sources(of: relationship, isFlipped: false).contains { source in
                source.relationship.identifier == identifier && source.entities == nil
            }
        }?.identifier
    }

    /// Returns whether the rows of an old table stay together and no others are added: marks
    /// consist of row numbers.
    private func isSimple(_ table: Int) -> Bool {
        guard let successor = plan.successor(ofTable: table) else { return false }
        return plan.tables[successor].sources.allSatisfy { $0.table == table }
            && plan.tables.indices.allSatisfy { other in
                other == successor || !plan.tables[other].sources.contains { $0.table == table }
            }
    }
}
