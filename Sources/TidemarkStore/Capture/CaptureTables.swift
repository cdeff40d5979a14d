import GRDB

/// The tables of a store that records local changes.
///
/// They are created when capture is installed (``Capture/install(_:_:)``). Other stores do not have
/// them.
enum CaptureTables {
    /// The tables whose contents are only valid together with the rows that they describe, those
    /// that refer to others first.
    static let aboutRows = [
        "_tidemark_request", "_tidemark_conflict_value", "_tidemark_conflict", "_tidemark_base",
        "_tidemark_change", "_tidemark_former", "_tidemark_acknowledged",
    ]

    /// The statements that create the tables and their indexes.
    ///
    /// - `_tidemark_capture`: for each table with a keyed entity, the highest row number that is
    ///   accounted for (the watermark), and whether changes are recorded.
    /// - `_tidemark_change`: the local changes that were not pushed yet. A row has at most one open
    ///   and one frozen change.
    /// - `_tidemark_base`: for each changed property, the last value that is known to the service.
    /// - `_tidemark_conflict`, `_tidemark_conflict_value`: changes of the service that contradicted
    ///   local ones, with all three versions.
    /// - `_tidemark_acknowledged`: the rows whose changes the service has accepted since their list
    ///   was last read completely, and what an object of the service has yet to show of them.
    /// - `_tidemark_former`: the values that these properties had before, and the base values of
    ///   rows that were deleted.
    /// - `_tidemark_default`: the values that an entity's objects get at the service if they are
    ///   created without them.
    /// - `_tidemark_name`: the names of the members that an entity's objects had at the service,
    ///   whether they contained whole objects, the finest form of their values, and the number of
    ///   values that have shown it. The name of a nested value is its key path.
    static let creation = [
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_capture" ("tree" TEXT PRIMARY KEY, \
        "watermark" INTEGER NOT NULL, "isEnabled" INTEGER NOT NULL DEFAULT 1) STRICT, WITHOUT ROWID
        """,
        // AUTOINCREMENT: requests in flight refer to changes by number, which must not be reused.
        // OR instead of IN, which fills a temporary table for each edit that is recorded, with what
        // an edit inserts first.
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_change" ("_id" INTEGER PRIMARY KEY AUTOINCREMENT, \
        "tree" TEXT NOT NULL, "row" INTEGER NOT NULL, "frozen" INTEGER NOT NULL DEFAULT 0, \
        "entity" TEXT NOT NULL, "kind" TEXT NOT NULL CHECK \
        ("kind" = 'update' OR "kind" = 'create' OR "kind" = 'delete'), \
        "state" TEXT NOT NULL DEFAULT 'pending', "key" ANY, "since" REAL, \
        UNIQUE ("tree", "row", "frozen"), \
        CHECK (iif("frozen" = 0, \
        "state" = 'pending' OR "state" = 'rejected' OR "state" = 'conflicted', \
        "frozen" = 1 AND ("state" = 'inFlight' OR "state" = 'uncertain')))) STRICT
        """,
        // Without a foreign key, which would cost a third of the time that recording an edit takes.
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_base" ("change" INTEGER NOT NULL, \
        "property" TEXT NOT NULL, "member" INTEGER NOT NULL DEFAULT 0, "value" ANY, \
        PRIMARY KEY ("change", "property", "member")) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_conflict" ("_id" INTEGER PRIMARY KEY AUTOINCREMENT, \
        "tree" TEXT NOT NULL, "row" INTEGER NOT NULL, "entity" TEXT NOT NULL, "key" ANY, \
        "kind" TEXT NOT NULL CHECK ("kind" IN \
        ('edit', 'deletedRemotely', 'deletedLocally', 'duplicateCreate', 'notTaken', \
        'unrecorded')), "time" REAL NOT NULL, \
        "decision" TEXT, "decidedBy" TEXT) STRICT
        """,
        """
        CREATE INDEX IF NOT EXISTS "_tidemark_index_conflict" ON "_tidemark_conflict" \
        ("tree", "row")
        """,
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_conflict_value" ("conflict" INTEGER NOT NULL \
        REFERENCES "_tidemark_conflict" ON DELETE CASCADE, "property" TEXT NOT NULL, \
        "member" INTEGER NOT NULL DEFAULT 0, "base" ANY, "local" ANY, "remote" ANY, "kept" ANY, \
        PRIMARY KEY ("conflict", "property", "member")) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_acknowledged" ("_id" INTEGER PRIMARY KEY, \
        "tree" TEXT NOT NULL, "row" INTEGER NOT NULL, "entity" TEXT NOT NULL, \
        "kind" TEXT NOT NULL CHECK \
        ("kind" = 'update' OR "kind" = 'create' OR "kind" = 'delete'), "time" REAL NOT NULL, \
        "waits" INTEGER NOT NULL DEFAULT 0, "unshown" INTEGER NOT NULL DEFAULT 0, \
        "unread" INTEGER NOT NULL DEFAULT 0, "doubt" TEXT, "missed" INTEGER NOT NULL DEFAULT 0, \
        UNIQUE ("tree", "row")) STRICT
        """,
        """
        CREATE INDEX IF NOT EXISTS "_tidemark_index_acknowledged" \
        ON "_tidemark_acknowledged" ("tree", "row") WHERE "waits"
        """,
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_former" ("change" INTEGER NOT NULL, \
        "property" TEXT NOT NULL, "member" INTEGER NOT NULL DEFAULT 0, "value" ANY, \
        "isShown" INTEGER NOT NULL DEFAULT 0) STRICT
        """,
        """
        CREATE INDEX IF NOT EXISTS "_tidemark_index_former" \
        ON "_tidemark_former" ("change", "property", "member")
        """,
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_default" ("entity" TEXT NOT NULL, \
        "property" TEXT NOT NULL, "value" ANY, "isConstant" INTEGER NOT NULL DEFAULT 1, \
        PRIMARY KEY ("entity", "property")) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_name" ("entity" TEXT NOT NULL, \
        "name" TEXT NOT NULL, "isEmbedded" INTEGER NOT NULL DEFAULT 0, "form" TEXT, \
        "seen" INTEGER NOT NULL DEFAULT 0, "isEmpty" INTEGER NOT NULL DEFAULT 0, \
        PRIMARY KEY ("entity", "name")) STRICT, WITHOUT ROWID
        """,
    ]
}
