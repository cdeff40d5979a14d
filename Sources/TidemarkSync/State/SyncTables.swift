import Foundation
import GRDB
import TidemarkStore

/// The tables of a store that belongs to a service.
///
/// They are created when the store is bound to the service. Other stores do not have them.
enum SyncTables {
    /// The statements that create the tables.
    ///
    /// - `_tidemark_service`: the service that the store belongs to.
    /// - `_tidemark_lease`: the process that is pulling into the store.
    /// - `_tidemark_schedule`: the time of the next scheduled pull, and its process.
    /// - `_tidemark_resource`: the state of each list: its cursor, its checkpoint and the result of
    ///   the last pull. The list of one parent's children has the path of its resource and the row
    ///   number of the parent.
    /// - `_tidemark_page`: the cached metadata of each page: its validator, the URL of the next
    ///   page, and the rows that it named.
    private static let creation = [
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_service" ("_id" INTEGER PRIMARY KEY CHECK (_id = 1), \
        "origin" TEXT NOT NULL, "account" TEXT) STRICT
        """,
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_lease" ("_id" INTEGER PRIMARY KEY CHECK (_id = 1), \
        "token" TEXT NOT NULL, "host" TEXT NOT NULL, "process" INTEGER NOT NULL, \
        "started" INTEGER NOT NULL, "expires" REAL NOT NULL) STRICT
        """,
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_schedule" ("_id" INTEGER PRIMARY KEY \
        CHECK (_id = 1), "host" TEXT NOT NULL, "process" INTEGER NOT NULL, \
        "started" INTEGER NOT NULL, "next" REAL NOT NULL) STRICT
        """,
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_resource" ("path" TEXT PRIMARY KEY, \
        "entity" TEXT NOT NULL, "generation" INTEGER NOT NULL, "reading" TEXT NOT NULL, \
        "completed" REAL, "cursor" TEXT, \
        "version" TEXT, "latest" TEXT, "swept" REAL, "ran" REAL, "outcome" TEXT, "message" TEXT, \
        "leg" TEXT, "since" TEXT, "run" TEXT, "next" TEXT, "number" INTEGER, "before" INTEGER, \
        "items" INTEGER, "drifts" INTEGER, "unknown" INTEGER, "total" INTEGER, \
        "candidate" TEXT, "expected" TEXT, "held" INTEGER, "settled" TEXT, \
        "counted" INTEGER, "recount" INTEGER, "pagination" TEXT, "counted_at" TEXT, \
        "changes_problem" TEXT, "changes_failures" INTEGER, "parent_resource" TEXT, \
        "parent_row" INTEGER, "traversal" TEXT, "counted_objects" INTEGER, "counted_rows" INTEGER, \
        "succeeded" REAL, "unproven" TEXT, "base" INTEGER) \
        STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_page" ("resource" TEXT NOT NULL, "url" TEXT NOT NULL, \
        "leg" TEXT NOT NULL, "run" TEXT NOT NULL, "tag" TEXT, "modified" TEXT, "next" TEXT, \
        "since" TEXT, "count" INTEGER NOT NULL, "total" INTEGER, "cursor" TEXT, "marks" TEXT NOT NULL, \
        PRIMARY KEY ("resource", "url")) STRICT, WITHOUT ROWID
        """,
    ]

    /// The statements that create the tables of a store whose local changes are pushed.
    ///
    /// - `_tidemark_request`: what is known about the request of a change, and the run that has
    ///   sent it. The path is relative to the service, because a store must not decide where
    ///   credentials are sent; it lacks the query that the service is configured with, and header
    ///   fields are never stored: either may contain secrets.
    /// - `_tidemark_list`: what pushes have shown about a list: whether an object was ever read by
    ///   its key, and whether conditions on versions fail although the object is unchanged.
    /// - `_tidemark_pushed_deletion`: how many objects were deleted at the service in each minute
    ///   of the last hour, without those whose deletion was approved.
    /// - `_tidemark_run`: the runs whose requests may still be on their way.
    /// - `_tidemark_file`: what distinguishes the file from copies of it.
    private static let outbox = [
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_request" ("change" INTEGER PRIMARY KEY \
        REFERENCES "_tidemark_change" ON DELETE CASCADE, "idempotencyKey" TEXT NOT NULL, \
        "method" TEXT, "path" TEXT, "version" TEXT, "body" BLOB, \
        "attempts" INTEGER NOT NULL DEFAULT 0, "firstAttempt" REAL, "lastAttempt" REAL, \
        "nextAttempt" REAL, "status" INTEGER, "reason" TEXT, "fieldErrors" TEXT, \
        "claim" TEXT, "highestRow" INTEGER, "resembling" TEXT, "run" TEXT, "approval" TEXT, \
        "created" INTEGER) STRICT
        """,
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_list" ("path" TEXT PRIMARY KEY, \
        "readsByKey" INTEGER NOT NULL DEFAULT 0, "versionsFail" INTEGER NOT NULL DEFAULT 0) \
        STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_pushed_deletion" ("entity" TEXT NOT NULL, \
        "minute" INTEGER NOT NULL, "count" INTEGER NOT NULL, \
        PRIMARY KEY ("entity", "minute")) STRICT, WITHOUT ROWID
        """,
        """
        CREATE INDEX IF NOT EXISTS "_tidemark_index_approval" \
        ON "_tidemark_request" ("change") WHERE "approval" = 'needed'
        """,
        """
        CREATE INDEX IF NOT EXISTS "_tidemark_index_request" \
        ON "_tidemark_request" ("nextAttempt")
        """,
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_run" ("token" TEXT PRIMARY KEY, \
        "host" TEXT NOT NULL, "process" INTEGER NOT NULL, "started" INTEGER NOT NULL, \
        "deadline" REAL NOT NULL) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_file" ("_id" INTEGER PRIMARY KEY CHECK (_id = 1), \
        "store" TEXT NOT NULL, "number" TEXT NOT NULL, "previous" TEXT, \
        "inode" INTEGER NOT NULL, "created" INTEGER NOT NULL) STRICT
        """,
    ]

    /// Creates the tables of requests in a store that records local changes.
    ///
    /// - Throws: `StoreError` if a table with the name was not created by Tidemark.
    static func createOutbox(_ db: Database) throws {
        for statement in outbox { try db.execute(sql: statement) }
        try SystemTables.check(db, outbox, location: nil)
    }

    /// The tables that every store with a service has.
    private static let tables = [
        "_tidemark_service", "_tidemark_lease", "_tidemark_schedule", "_tidemark_resource",
        "_tidemark_page",
    ]

    /// Creates the missing tables.
    ///
    /// - Throws: `StoreError` if a table with one of the names was not created by Tidemark.
    static func create(_ db: Database) throws {
        for statement in creation { try db.execute(sql: statement) }
        try SystemTables.check(db, creation, location: nil)
    }

    /// Checks that the tables can be read.
    ///
    /// - Throws: `StoreError` if a table is missing or was not created by Tidemark.
    static func check(_ db: Database) throws {
        for table in tables where try !db.tableExists(table) {
            throw StoreError.damaged("the table \(table) is missing")
        }
        try SystemTables.check(db, creation, location: nil)
    }

    /// Returns whether the store belongs to a service.
    static func exist(_ db: Database) throws -> Bool {
        // Not `tableExists`: GRDB's schema cache survives the rollback of a transaction.
        try Bool.fetchOne(
            db,
            sql: "SELECT count(*) FROM sqlite_master WHERE name = '_tidemark_service'"
        ) ?? false
    }

    /// Returns a time that is stored in seconds since 1970; nil if the column is null.
    ///
    /// - Throws: `StoreError` if the time is not between the years 1 and 9999.
    static func date(_ column: String, of row: Row) throws -> Date? {
        guard let seconds: Double = row[column] else { return nil }
        guard (-62_135_596_800..<253_402_300_800).contains(seconds) else {
            throw StoreError.damaged("the time “\(column)” of a pull is out of range")
        }
        return Date(timeIntervalSince1970: seconds)
    }
}
