import GRDB
import TidemarkModel

/// Local changes that were not pushed.
extension SchemaMigration {
    /// Moves the local changes to the entities and properties of the new model.
    ///
    /// Base values of properties that the new model does not have are deleted, and so are changes
    /// without any left.
    ///
    /// - Returns: The number of changes that were deleted, or that lost a property.
    /// - Throws: `DatabaseError`.
    func moveChanges() throws -> Int {
        guard try Capture.isInstalled(db) else { return 0 }
        let moves = ChangeMoves(plan, sides: try StoreMetadata.linkSides(db))
        try StoreMetadata.recordLinkSides(db, moves.sides)
        var discarded = 0
        let changes = try Row.fetchAll(
            db,
            sql: "SELECT _id, tree, entity, kind FROM _tidemark_change ORDER BY _id"
        )
        for change in changes {
            let (number, kind): (Int64, String) = (change["_id"], change["kind"])
            guard let move = moves.move(ofEntity: change["entity"]) else {
                try delete(number)
                discarded += 1
                continue
            }
            let isReduced = try moveBase(of: number, with: move, moves)
            if kind == CapturedChange.Kind.update.rawValue {
                if isReduced { discarded += 1 }
                if try !hasBase(number) {
                    try delete(number)
                    continue
                }
            }
            // Marked by `>`, because a new name may be the old one of another table.
            try execute(
                "UPDATE _tidemark_change SET tree = ?, entity = ? WHERE _id = ?",
                arguments: [
                    ">\(plan.new.tables[move.new.table].name)", move.new.name, number,
                ]
            )
        }
        try execute("UPDATE _tidemark_change SET tree = substr(tree, 2)")
        try moveConflicts(moves)
        try moveAcknowledged(moves)
        return discarded
    }

    /// Moves the base values of a change, and returns whether one of them has no destination.
    private func moveBase(
        of change: Int64,
        with move: EntityMove,
        _ moves: ChangeMoves
    ) throws -> Bool {
        var isReduced = false
        let values = try Row.fetchAll(
            db,
            sql: "SELECT property, member, value FROM _tidemark_base WHERE change = ?",
            arguments: [change]
        )
        for row in values {
            let (property, member): (String, Int64) = (row["property"], row["member"])
            guard let moved = moves.moved(row["value"], of: property, in: move) else {
                // A position is not a change by itself.
                if case .position = CapturedProperty(property) {} else { isReduced = true }
                try execute(
                    """
                    DELETE FROM _tidemark_base WHERE change = ? AND property = ? AND member = ?
                    """,
                    arguments: [change, property, member]
                )
                continue
            }
            try execute(
                """
                UPDATE _tidemark_base SET property = ?, value = ? \
                WHERE change = ? AND property = ? AND member = ?
                """,
                arguments: [">\(moved.property)", moved.value, change, property, member]
            )
        }
        try execute(
            "UPDATE _tidemark_base SET property = substr(property, 2) WHERE change = ?",
            arguments: [change]
        )
        return isReduced
    }

    private func hasBase(_ change: Int64) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT 1 FROM _tidemark_base WHERE change = ?)",
            arguments: [change]
        ) ?? false
    }

    private func delete(_ change: Int64) throws {
        try execute("DELETE FROM _tidemark_base WHERE change = ?", arguments: [change])
        try execute("DELETE FROM _tidemark_change WHERE _id = ?", arguments: [change])
    }

    // MARK: Conflicts

    /// Renames the entities and properties in the records of conflicts, and deletes those of
    /// entities that the new model does not have.
    private func moveConflicts(_ moves: ChangeMoves) throws {
        let conflicts = try Row.fetchAll(db, sql: "SELECT _id, entity FROM _tidemark_conflict")
        for conflict in conflicts {
            let number: Int64 = conflict["_id"]
            guard let move = moves.move(ofEntity: conflict["entity"]) else {
                try execute(
                    "DELETE FROM _tidemark_conflict_value WHERE conflict = ?",
                    arguments: [number]
                )
                try execute("DELETE FROM _tidemark_conflict WHERE _id = ?", arguments: [number])
                continue
            }
            try execute(
                "UPDATE _tidemark_conflict SET tree = ?, entity = ? WHERE _id = ?",
                arguments: [plan.new.tables[move.new.table].name, move.new.name, number]
            )
            let properties = try String.fetchAll(
                db,
                sql: "SELECT DISTINCT property FROM _tidemark_conflict_value WHERE conflict = ?",
                arguments: [number]
            )
            for property in properties {
                // A record shows values of the past, which are not converted.
                let name = moves.name(of: property, in: move)
                try execute(
                    name == nil
                        ? "DELETE FROM _tidemark_conflict_value WHERE conflict = ?2 AND property = ?3"
                        : """
                        UPDATE _tidemark_conflict_value SET property = ?1 \
                        WHERE conflict = ?2 AND property = ?3
                        """,
                    arguments: [name.map { ">\($0)" }, number, property]
                )
            }
            try execute(
                """
                UPDATE _tidemark_conflict_value SET property = substr(property, 2) \
                WHERE conflict = ? AND property LIKE '>%'
                """,
                arguments: [number]
            )
        }
    }
}
