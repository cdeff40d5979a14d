import Foundation
import GRDBSQLite

/// The import, in one transaction.
struct FloorImport {
    private let connection: Connection
    private let users: FloorTable
    private let notes: FloorTable

    init(_ path: String) {
        connection = Connection(path)
        connection.run(Self.schema)
        users = FloorTable(
            connection,
            "User",
            [
                ("id", "id", .plain), ("first_name", "firstName", .plain),
                ("last_name", "lastName", .plain), ("email", "email", .plain),
                ("age", "age", .plain), ("score", "score", .plain), ("active", "active", .plain),
                ("bio", "bio", .plain), ("created_at", "createdAt", .date),
                ("updated_at", "updatedAt", .date),
            ],
            reference: "manager"
        )
        notes = FloorTable(
            connection,
            "Note",
            [
                ("id", "id", .plain), ("text", "text", .plain),
                ("created_at", "createdAt", .date), ("updated_at", "updatedAt", .date),
            ],
            reference: "user"
        )
    }

    var counts: Counts {
        var counts = users.counts
        counts.inserted += notes.counts.inserted
        counts.updated += notes.counts.updated
        counts.unchanged += notes.counts.unchanged
        return counts
    }

    private static let schema =
        """
        PRAGMA journal_mode=wal; PRAGMA synchronous=normal; PRAGMA foreign_keys=on;
        CREATE TABLE IF NOT EXISTS User(_id INTEGER PRIMARY KEY AUTOINCREMENT, id INTEGER UNIQUE,
            firstName TEXT, lastName TEXT, email TEXT, age INTEGER, score REAL, active INTEGER, bio TEXT,
            createdAt REAL, updatedAt REAL, manager INTEGER REFERENCES User(_id) ON DELETE SET NULL
            DEFERRABLE INITIALLY DEFERRED) STRICT;
        CREATE TABLE IF NOT EXISTS Note(_id INTEGER PRIMARY KEY AUTOINCREMENT, id INTEGER UNIQUE,
            text TEXT, createdAt REAL, updatedAt REAL, user INTEGER REFERENCES User(_id)
            ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED) STRICT;
        CREATE INDEX IF NOT EXISTS User_manager ON User(manager);
        CREATE INDEX IF NOT EXISTS Note_user ON Note(user);
        """

    /// Imports the users of a document and their notes.
    func run(_ document: Tape) {
        var tape = document
        let namedUsers = NamedRows()
        let namedNotes = NamedRows()
        let manager = connection.prepare("SELECT _id FROM User WHERE id=?")
        let children = connection.prepare("SELECT _id FROM Note WHERE user=?")
        let orphan = connection.prepare("UPDATE Note SET user=NULL WHERE _id=?")
        connection.run("BEGIN")
        guard tape.take() == UInt8(ascii: "[") else { fail("The document is not a list.", 65) }
        var hasMore = tape.skipBlanks() != UInt8(ascii: "]")
        while hasMore {
            tape.scanItem()
            let others = users.read(tape, 0, finding: "manager_id", "notes")
            let boss =
                others.first < 0 ? 0 : number(ofKey: tape.tokens[others.first], tape, manager)
            let user = users.store(tape, reference: boss)
            namedUsers.insert(user)
            if others.second >= 0 {
                storeNotes(others.second, of: user, tape, namedNotes)
                unlinkNotes(of: user, namedNotes, children, orphan)
            }
            hasMore = tape.take() == UInt8(ascii: ",")
        }
        deleteUnlisted(namedUsers)
        connection.run("COMMIT")
        for statement in [manager, children, orphan] { sqlite3_finalize(statement) }
    }

    private func number(
        ofKey key: Token,
        _ tape: Tape,
        _ statement: OpaquePointer
    ) -> Int64 {
        guard key.kind == .integer else { return 0 }
        sqlite3_bind_int64(statement, 1, tape.integer(key))
        let isFound = sqlite3_step(statement) == SQLITE_ROW
        let number = isFound ? sqlite3_column_int64(statement, 0) : 0
        sqlite3_reset(statement)
        return number
    }

    private func storeNotes(
        _ list: Int,
        of user: Int64,
        _ tape: Tape,
        _ named: NamedRows
    ) {
        var note = list + 1
        for _ in 0..<tape.tokens[list].length {
            _ = notes.read(tape, note, finding: "", "")
            named.insert(notes.store(tape, reference: user))
            note = Int(tape.tokens[note].next)
        }
    }

    /// Unlinks the notes of a user that the document does not contain.
    private func unlinkNotes(
        of user: Int64,
        _ named: NamedRows,
        _ children: OpaquePointer,
        _ orphan: OpaquePointer
    ) {
        sqlite3_bind_int64(children, 1, user)
        while sqlite3_step(children) == SQLITE_ROW {
            let child = sqlite3_column_int64(children, 0)
            guard !named.contains(child) else { continue }
            sqlite3_bind_int64(orphan, 1, child)
            sqlite3_step(orphan)
            sqlite3_reset(orphan)
        }
        sqlite3_reset(children)
    }

    private func deleteUnlisted(_ named: NamedRows) {
        let rows = connection.prepare("SELECT _id FROM User")
        let remove = connection.prepare("DELETE FROM User WHERE _id=?")
        while sqlite3_step(rows) == SQLITE_ROW {
            let row = sqlite3_column_int64(rows, 0)
            guard !named.contains(row) else { continue }
            sqlite3_bind_int64(remove, 1, row)
            sqlite3_step(remove)
            sqlite3_reset(remove)
            users.counts.deleted += 1
        }
        sqlite3_finalize(rows)
        sqlite3_finalize(remove)
    }
}
