import Foundation
import GRDB
import TidemarkStore

/// The table `_tidemark_asset`, which a store has once a file was downloaded or added.
struct AssetTable {
    let db: Database

    private static let creation = [
        """
        CREATE TABLE IF NOT EXISTS "_tidemark_asset" ("url" TEXT PRIMARY KEY, "digest" TEXT, \
        "bytes" INTEGER, "type" TEXT, "etag" TEXT, "partial" TEXT, "lastUsed" REAL NOT NULL) \
        STRICT, WITHOUT ROWID
        """
    ]

    /// Creates the table, unless it exists.
    ///
    /// - Throws: `StoreError` if a table with the name was not created by Tidemark.
    static func create(_ db: Database) throws -> AssetTable {
        for statement in creation { try db.execute(sql: statement) }
        try SystemTables.check(db, creation, location: nil)
        return AssetTable(db: db)
    }

    /// Returns the table; nil if the store has none.
    static func existing(_ db: Database) throws -> AssetTable? {
        // Not `tableExists`: GRDB's schema cache survives the rollback of a transaction.
        let exists = try Bool.fetchOne(
            db,
            sql: "SELECT count(*) FROM sqlite_master WHERE name = '_tidemark_asset'"
        )
        guard exists == true else { return nil }
        try SystemTables.check(db, creation, location: nil)
        return AssetTable(db: db)
    }

    func record(of url: String) throws -> AssetRecord? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM _tidemark_asset WHERE url = ?"),
            arguments: [url]
        )
        .map(AssetRecord.init)
    }

    /// Returns all records, the least recently used first.
    func records() throws -> [AssetRecord] {
        try Row.fetchAll(db, sql: "SELECT * FROM _tidemark_asset ORDER BY lastUsed, url")
            .map(AssetRecord.init)
    }

    func write(_ record: AssetRecord) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO _tidemark_asset \
                (url, digest, bytes, type, etag, partial, lastUsed) VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            record.url, record.digest, record.bytes, record.type, record.entityTag,
            record.partial, record.lastUsed.timeIntervalSince1970,
        ])
    }

    func remove(_ url: String) throws {
        try db.cachedStatement(sql: "DELETE FROM _tidemark_asset WHERE url = ?")
            .execute(arguments: [url])
    }
}
