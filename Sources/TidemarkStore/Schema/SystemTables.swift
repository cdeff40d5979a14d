import GRDB

/// The tables that are Tidemark's own, in every store.
package enum SystemTables {
    /// `tide` in ASCII: what `file` and other tools recognize a store by.
    static let applicationID = 0x7469_6465

    /// The statements that create them.
    ///
    /// - `_tidemark_store`: what the store knows of itself.
    /// - `_tidemark_held`: references to rows that are not here yet.
    /// - `_tidemark_walk`: imports that go over several transactions and are not finished.
    /// - `_tidemark_sweep`: the rows such an import has seen, as blocks of 65,536 bits.
    /// - `_tidemark_retry`: items of an import that are tried again when all have been read,
    ///   because another row has a value that must be unique.
    /// - `_tidemark_keyless`: rows that an import made from objects without a key.
    /// - `_tidemark_migrations`: the steps by which the store came to its model.
    static let creation = [
        """
        CREATE TABLE "_tidemark_store" ("name" TEXT PRIMARY KEY, "value" ANY) \
        STRICT, WITHOUT ROWID
        """,
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
        retryIndex,
        keyless,
        migrations,
    ]

    /// The tables that mean nothing without the rows: a place in a list, for one, says that what
    /// comes before it is here.
    ///
    /// Some are only in stores that belong to a service.
    static let aboutRows = [
        "_tidemark_held", "_tidemark_walk", "_tidemark_keyless", "_tidemark_resource",
        "_tidemark_page",
    ]

    /// The statement that creates the index by which items are found that are tried again: a store
    /// may be older than that.
    package static let retryIndex = """
        CREATE INDEX IF NOT EXISTS "_tidemark_index_retry" ON "_tidemark_retry" ("resource", "key")
        """

    /// The statement that creates the record of rows that an import made from objects without a
    /// key, although their entity has one: the rows without a key that a user made look the same.
    static let keyless = """
        CREATE TABLE IF NOT EXISTS "_tidemark_keyless" ("entity" TEXT NOT NULL, \
        "row" INTEGER NOT NULL, PRIMARY KEY ("entity", "row")) STRICT, WITHOUT ROWID
        """

    /// The statement that creates the record of migrations: the steps of one have its number and
    /// the fingerprint of the model they led to.
    static let migrations = """
        CREATE TABLE IF NOT EXISTS "_tidemark_migrations" ("number" INTEGER PRIMARY KEY, \
        "migration" INTEGER NOT NULL, "name" TEXT NOT NULL, "count" INTEGER, "date" REAL, \
        "model" TEXT NOT NULL) STRICT
        """
}
