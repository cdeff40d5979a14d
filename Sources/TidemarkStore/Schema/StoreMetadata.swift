import Foundation
import GRDB
import TidemarkModel

/// The metadata of a store: named values in the table `_tidemark_store`.
enum StoreMetadata {
    /// The version of the schema of Tidemark's own tables.
    static let format = 3

    /// The name of the table.
    static let table = "_tidemark_store"

    /// Returns whether the database contains a store.
    static func exists(_ db: Database) throws -> Bool {
        try db.tableExists(table)
    }

    /// Returns whether the database contains no tables, indexes, views or triggers.
    static func isEmpty(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0
    }

    /// Creates Tidemark's tables and those of a model, and marks the file as a store.
    static func create(_ db: Database, _ layout: StoreLayout) throws {
        try createTables(db, layout)
        try db.execute(sql: "PRAGMA application_id = \(SystemTables.applicationID)")
    }

    /// Creates the tables of a store in the database of an app, whose application ID is not
    /// changed.
    static func createTables(_ db: Database, _ layout: StoreLayout) throws {
        for statement in SystemTables.creation + layout.creation {
            try db.execute(sql: statement)
        }
        try write(db, "format", value: format)
        try write(db, "model", value: encoded(layout.model))
    }

    /// Checks that this version can read the store, and that its own tables exist.
    ///
    /// - Throws: ``StoreError/Code/unreadable`` if the store has another format,
    ///   ``StoreError/Code/damaged`` if a table is not the one that Tidemark created.
    static func check(_ db: Database, location: String) throws {
        // The format comes first, because the tables of another one have other columns.
        try SystemTables.check(db, [SystemTables.metadata], location: location)
        guard let format = try Int.fromDatabaseValue(read(db, "format")) else {
            throw StoreError.damaged("its format is not a number", at: location)
        }
        switch format {
        case Self.format: break
        case 1..<Self.format:
            throw StoreError(
                .unreadable,
                "The store \(location) has format \(format) of an earlier Tidemark: push its "
                    + "changes with that version, then pull into a new file."
            )
        default:
            throw StoreError(
                .unreadable,
                "The store \(location) has format \(format), this Tidemark reads "
                    + "\(Self.format).",
                hint: "Update Tidemark, or pull into a new store."
            )
        }
        try SystemTables.check(
            db,
            SystemTables.creation + CaptureTables.creation,
            location: location
        )
    }

    /// Returns the model that the store was created with or last migrated to.
    ///
    /// - Throws: ``StoreError/Code/unreadable`` if the model cannot be decoded.
    static func model(_ db: Database, location: String) throws -> Model {
        do {
            let text = try String.fromDatabaseValue(read(db, "model")) ?? ""
            return try JSONDecoder().decode(Model.self, from: Data(text.utf8))
        } catch is DecodingError {
            throw StoreError(.unreadable, "The model in the store \(location) cannot be read.")
        }
    }

    /// Returns the number of migrations that the store has had.
    ///
    /// Every transaction reads it to detect a migration by another process, so the statement stays
    /// prepared.
    static func generation(_ db: Database) throws -> Int {
        let value = try DatabaseValue.fetchOne(
            db.cachedStatement(
                sql: "SELECT value FROM _tidemark_store WHERE name = 'generation'"
            )
        )
        guard let value else { return 0 }
        guard let generation = Int.fromDatabaseValue(value) else {
            throw StoreError.damaged("its count of migrations is not a number")
        }
        return generation
    }

    /// Saves a new model, and the steps of the migration that led to it.
    static func record(
        _ db: Database,
        _ migration: Migration,
        model: Model,
        date: Date?
    ) throws {
        let text = try encoded(model)
        try write(db, "model", value: text)
        try write(db, "generation", value: generation(db) + 1)
        let last = try Int.fetchOne(db, sql: "SELECT max(migration) FROM _tidemark_migrations")
        for step in migration.steps {
            try db.execute(
                sql: """
                    INSERT INTO _tidemark_migrations (migration, name, count, date, model) \
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    (last ?? 0) + 1, step.name, step.count, date?.timeIntervalSince1970,
                    Fingerprint(text.utf8).text,
                ]
            )
        }
    }

    /// Records that the store contains the tables and triggers of a capture.
    static func recordCapture(_ db: Database, fingerprint: String) throws {
        try write(db, "capture", value: fingerprint)
    }

    /// Returns the fingerprint of the triggers that record local changes; nil without any.
    static func capture(_ db: Database) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT value FROM _tidemark_store WHERE name = 'capture'")
        )
    }

    /// Records the fingerprint of the triggers as the database has them.
    static func recordTriggers(_ db: Database, fingerprint: String) throws {
        try write(db, "triggers", value: fingerprint)
    }

    /// Returns the fingerprint of the triggers that were created; nil if none were.
    static func triggers(_ db: Database) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT value FROM _tidemark_store WHERE name = 'triggers'")
        )
    }

    /// Records that edits may not have been recorded; nil if all rows were compared since.
    static func markUnrecorded(_ db: Database, _ edits: UnrecordedEdits?) throws {
        guard let edits else {
            return try db.execute(sql: "DELETE FROM _tidemark_store WHERE name = 'unrecorded'")
        }
        let parts =
            [
                edits.causes.map(\.rawValue).joined(separator: ","),
                "\(edits.noticed?.timeIntervalSince1970 ?? 0)", "\(edits.conflicts)",
                "\(edits.overwritten)",
            ]
        try write(db, "unrecorded", value: parts.joined(separator: " "))
    }

    /// Returns what may not have been recorded of edits; nil if nothing is in doubt.
    ///
    /// Each transaction that imports objects of the service reads it.
    static func unrecorded(_ db: Database) throws -> UnrecordedEdits? {
        let text = try String.fetchOne(
            db.cachedStatement(sql: "SELECT value FROM _tidemark_store WHERE name = 'unrecorded'")
        )
        guard let parts = text?.split(separator: " "), parts.count == 4 else { return nil }
        return UnrecordedEdits(
            causes: parts[0].split(separator: ",").compactMap { .init(rawValue: String($0)) },
            noticed: Double(parts[1]).map(Date.init(timeIntervalSince1970:)),
            conflicts: Int(parts[2]) ?? 0,
            overwritten: Int(parts[3]) ?? 0
        )
    }

    /// Records the entities whose keys this client chooses.
    static func recordClientKeys(_ db: Database, of entities: Set<String>) throws {
        try write(db, "clientKeys", value: entities.sorted().joined(separator: ","))
    }

    /// Returns the entities whose keys this client chooses.
    static func clientKeys(_ db: Database) throws -> Set<String> {
        let names = try String.fetchOne(
            db.cachedStatement(
                sql: "SELECT value FROM _tidemark_store WHERE name = 'clientKeys'"
            )
        )
        return Set((names ?? "").split(separator: ",").map(String.init))
    }

    /// Records the relationships whose links are sent with the rows that have them.
    static func recordLinkSides(_ db: Database, _ sides: LinkSides) throws {
        try write(db, "linkSides", value: sides.identifiers.sorted().joined(separator: ","))
    }

    /// Returns the relationships whose links are sent with the rows that have them.
    static func linkSides(_ db: Database) throws -> LinkSides {
        let identifiers = try String.fetchOne(
            db.cachedStatement(sql: "SELECT value FROM _tidemark_store WHERE name = 'linkSides'")
        )
        return LinkSides(Set((identifiers ?? "").split(separator: ",").map(String.init)))
    }

    private static func encoded(_ model: Model) throws -> String {
        let encoder = JSONEncoder()
        // Sorted keys give equal models the same text, and so the same fingerprint.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(model), as: UTF8.self)
    }

    private static func write(
        _ db: Database,
        _ name: String,
        value: some DatabaseValueConvertible
    ) throws {
        try db.execute(
            sql: """
                INSERT INTO "_tidemark_store" (name, value) VALUES (?, ?)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                """,
            arguments: [name, value]
        )
    }

    /// Returns the value with a name, or null if it is missing.
    ///
    /// It is not decoded yet: another program may have written a value of any type.
    private static func read(_ db: Database, _ name: String) throws -> DatabaseValue {
        try DatabaseValue.fetchOne(
            db,
            sql: "SELECT value FROM \"_tidemark_store\" WHERE name = ?",
            arguments: [name]
        ) ?? .null
    }
}
