import GRDB

/// Tidemark's own tables, which every store has.
package enum SystemTables {
    /// `tide` in ASCII, the SQLite application ID by which `file` and other tools recognize a
    /// store.
    static let applicationID = 0x7469_6465

    /// The statements that create the tables and their indexes.
    ///
    /// - `_tidemark_store`: the metadata of the store.
    /// - `_tidemark_held`: unresolved references, that is links to rows that are not stored yet.
    /// - `_tidemark_walk`: unfinished import sessions, and pending or rejected deletions.
    /// - `_tidemark_sweep`: the rows that such a session has read, as bitmaps of 65,536 rows each.
    /// - `_tidemark_retry`: items that an import retries after it has read all others, because
    ///   another row had a value that must be unique.
    /// - `_tidemark_keyless`: rows that an import created from objects without a primary key.
    /// - `_tidemark_migrations`: the steps of all migrations of the store.
    static let creation = [
        metadata,
        """
        CREATE TABLE "_tidemark_held" ("_id" INTEGER PRIMARY KEY, "relationship" TEXT NOT NULL, \
        "owner" INTEGER NOT NULL, "destination" TEXT NOT NULL, "key" ANY NOT NULL, \
        "position" INTEGER, UNIQUE ("relationship", "owner", "key")) STRICT
        """,
        """
        CREATE INDEX "_tidemark_index_held" ON "_tidemark_held" ("destination", "key")
        """,
        """
        CREATE TABLE "_tidemark_walk" ("resource" TEXT PRIMARY KEY, "entity" TEXT NOT NULL, \
        "run" TEXT NOT NULL, "highest" INTEGER NOT NULL) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE "_tidemark_sweep" ("resource" TEXT NOT NULL REFERENCES "_tidemark_walk" \
        ON DELETE CASCADE, "mark" TEXT NOT NULL, "block" INTEGER NOT NULL, "bits" BLOB NOT NULL, \
        PRIMARY KEY ("resource", "mark", "block")) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE "_tidemark_retry" ("_id" INTEGER PRIMARY KEY, "resource" TEXT REFERENCES \
        "_tidemark_walk" ON DELETE CASCADE, "place" INTEGER NOT NULL, "row" INTEGER, "key" TEXT, \
        "item" BLOB NOT NULL) STRICT
        """,
        """
        CREATE INDEX "_tidemark_index_retry" ON "_tidemark_retry" ("resource", "key")
        """,
        // Such rows are otherwise not distinguishable from rows without a key that a user created.
        """
        CREATE TABLE "_tidemark_keyless" ("entity" TEXT NOT NULL, "row" INTEGER NOT NULL, \
        PRIMARY KEY ("entity", "row")) STRICT, WITHOUT ROWID
        """,
        // All steps of one migration have its number, and the fingerprint of the model that it led
        // to.
        """
        CREATE TABLE "_tidemark_migrations" ("number" INTEGER PRIMARY KEY, \
        "migration" INTEGER NOT NULL, "name" TEXT NOT NULL, "count" INTEGER, "date" REAL, \
        "model" TEXT NOT NULL) STRICT
        """,
    ]

    /// The statement that creates the metadata of the store, which contains its format.
    static let metadata = """
        CREATE TABLE "_tidemark_store" ("name" TEXT PRIMARY KEY, "value" ANY) \
        STRICT, WITHOUT ROWID
        """

    /// The tables whose content is meaningless without the rows.
    ///
    /// A position in a list, for example, implies that everything before it is stored.
    ///
    /// Some exist only in stores that are bound to a service.
    static let aboutRows = [
        "_tidemark_held", "_tidemark_walk", "_tidemark_keyless", "_tidemark_resource",
        "_tidemark_page",
    ]
}
