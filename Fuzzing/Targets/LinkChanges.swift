import GRDB

/// The links that an import changes, recorded by triggers.
///
/// A document is applied in its order, and may say two things about a link. An object without a key
/// is written to the row that is linked when the object's turn comes: where a document links that
/// row in two ways, a second import starts from the last of them, and may find another row there.
enum LinkChanges {
    /// Records all changes of links from now on, on this connection.
    static func record(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TEMP TABLE link_change (
                    link TEXT NOT NULL, row INTEGER NOT NULL, old INTEGER, new INTEGER)
                """
        )
        let tables = try String.fetchAll(db, sql: "SELECT name FROM main.sqlite_master")
        for table in tables {
            let sql = "SELECT \"from\" FROM pragma_foreign_key_list(?)"
            for column in try String.fetchAll(db, sql: sql, arguments: [table]) {
                try record(db, column, of: table)
            }
        }
    }

    private static func record(_ db: Database, _ column: String, of table: String) throws {
        let link = "\(table).\(column)"
        // A table of pairs has its two columns as key: pairs are added and removed, not changed.
        guard try db.columns(in: table).contains(where: { $0.name == "_id" }) else { return }
        try db.execute(
            sql: """
                CREATE TEMP TRIGGER "\(link) inserted" AFTER INSERT ON main."\(table)"
                WHEN NEW."\(column)" IS NOT NULL BEGIN
                    INSERT INTO link_change
                        VALUES ('\(link)', NEW._id, NULL, NEW."\(column)");
                END;
                CREATE TEMP TRIGGER "\(link) changed" AFTER UPDATE ON main."\(table)"
                WHEN OLD."\(column)" IS NOT NEW."\(column)" BEGIN
                    INSERT INTO link_change
                        VALUES ('\(link)', NEW._id, OLD."\(column)", NEW."\(column)");
                END
                """
        )
    }

    /// Forgets the changes so far.
    static func discard(_ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM temp.link_change").execute()
    }

    /// Returns whether a link was changed twice, or a row lost a link and got another one.
    ///
    /// A document that says one thing about each link does neither.
    static func areContradictory(_ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM temp.link_change GROUP BY link, row HAVING count(*) > 1)
                OR EXISTS (
                    SELECT 1 FROM temp.link_change AS lost JOIN temp.link_change AS got
                    ON lost.link = got.link AND lost.old = got.new)
                """
        )
        return try Bool.fetchOne(statement) ?? false
    }
}
