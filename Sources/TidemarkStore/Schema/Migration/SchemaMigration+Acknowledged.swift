import GRDB
import TidemarkModel

/// Changes that the service has accepted, and not shown yet.
extension SchemaMigration {
    /// Moves what is unconfirmed to the entities and properties of the new model.
    ///
    /// What the new model does not have is not looked for any more.
    func moveAcknowledged(_ moves: ChangeMoves) throws {
        let changes = try Row.fetchAll(db, sql: "SELECT _id, entity FROM _tidemark_acknowledged")
        for change in changes {
            let number: Int64 = change[0]
            guard let move = moves.move(ofEntity: change[1]) else {
                try execute("DELETE FROM _tidemark_former WHERE change = ?", arguments: [number])
                try execute("DELETE FROM _tidemark_acknowledged WHERE _id = ?", arguments: [number])
                continue
            }
            try moveFormers(of: number, with: move, moves)
            // Marked by `>`, because a new name may be the old one of another table.
            try execute(
                "UPDATE _tidemark_acknowledged SET tree = ?, entity = ? WHERE _id = ?",
                arguments: [">\(plan.new.tables[move.new.table].name)", move.new.name, number]
            )
        }
        try execute(
            """
            UPDATE _tidemark_acknowledged SET tree = substr(tree, 2), waits = unshown OR unread \
            OR kind = 'delete' OR EXISTS (SELECT 1 FROM _tidemark_former WHERE change = _id)
            """
        )
    }

    private func moveFormers(
        of change: Int64,
        with move: EntityMove,
        _ moves: ChangeMoves
    ) throws {
        let formers = try Row.fetchAll(
            db,
            sql: "SELECT rowid, property, value FROM _tidemark_former WHERE change = ?",
            arguments: [change]
        )
        for former in formers {
            let number: Int64 = former[0]
            guard let moved = moves.moved(former[2], of: former[1], in: move) else {
                try execute("DELETE FROM _tidemark_former WHERE rowid = ?", arguments: [number])
                continue
            }
            try execute(
                "UPDATE _tidemark_former SET property = ?, value = ? WHERE rowid = ?",
                arguments: [moved.property, moved.value, number]
            )
        }
    }
}
