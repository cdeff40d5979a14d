import GRDB

func createTables(_ db: Database) throws {
    try db.create(table: "User", options: [.ifNotExists, .strict]) { table in
        table.autoIncrementedPrimaryKey("_id")
        table.column("id", .integer).unique()
        for name in ["firstName", "lastName", "email", "bio"] { table.column(name, .text) }
        for name in ["age", "active"] { table.column(name, .integer) }
        for name in ["score", "createdAt", "updatedAt"] { table.column(name, .real) }
        table.column("manager", .integer).indexed()
            .references("User", onDelete: .setNull, deferred: true)
    }
    try db.create(table: "Note", options: [.ifNotExists, .strict]) { table in
        table.autoIncrementedPrimaryKey("_id")
        table.column("id", .integer).unique()
        table.column("text", .text)
        for name in ["createdAt", "updatedAt"] { table.column(name, .real) }
        table.column("user", .integer).indexed()
            .references("User", onDelete: .setNull, deferred: true)
    }
}
