import GRDB

/// The numbers of rows by what the import did with them.
struct Counts: Encodable {
    var inserted = 0
    var updated = 0
    var unchanged = 0
    var deleted = 0
}

/// An import in one transaction: finds each row by its key, updates rows that differ, and deletes
/// the users that the document does not list.
struct CodableImport {
    private(set) var counts = Counts()
    private let db: Database
    private let userOfKey: Statement
    private let noteOfKey: Statement
    private let notesOfUser: Statement

    /// Prepares the queries that are run for each row.
    ///
    /// GRDB would otherwise generate the SQL each time.
    init(_ db: Database) throws {
        self.db = db
        userOfKey = try db.makeStatement(sql: "SELECT * FROM User WHERE id = ?")
        noteOfKey = try db.makeStatement(sql: "SELECT * FROM Note WHERE id = ?")
        notesOfUser = try db.makeStatement(sql: "SELECT * FROM Note WHERE user = ?")
    }

    mutating func run(_ users: [RemoteUser]) throws {
        var seenUsers: Set<Int64> = []
        var seenNotes: Set<Int64> = []
        for remote in users {
            let manager = try remote.managerID.flatMap {
                try User.fetchOne(userOfKey, arguments: [$0])?.row
            }
            let user = try store(remote, manager)
            seenUsers.insert(user)
            for note in remote.notes {
                seenNotes.insert(try store(note, of: user))
            }
            let stored = try Note.fetchAll(notesOfUser, arguments: [user])
            for var note in stored where note.row.map(seenNotes.contains) == false {
                try note.updateChanges(db) { $0.user = nil }
            }
        }
        let known = try Int64.fetchSet(db, User.select(Column("_id")))
        for stale in known.subtracting(seenUsers) {
            counts.deleted += try User.deleteOne(db, key: stale) ? 1 : 0
        }
    }

    private mutating func store(_ remote: RemoteUser, _ manager: Int64?) throws -> Int64 {
        var user = User(remote, manager: manager)
        if let known = try User.fetchOne(userOfKey, arguments: [remote.id]) {
            user.row = known.row
            let isChanged = try user.updateChanges(db, from: known)
            countKnown(isChanged)
        } else {
            try user.insert(db)
            counts.inserted += 1
        }
        return user.row ?? 0
    }

    private mutating func store(_ remote: RemoteNote, of user: Int64) throws -> Int64 {
        var note = Note(remote, user: user)
        if let known = try Note.fetchOne(noteOfKey, arguments: [remote.id]) {
            note.row = known.row
            let isChanged = try note.updateChanges(db, from: known)
            countKnown(isChanged)
        } else {
            try note.insert(db)
            counts.inserted += 1
        }
        return note.row ?? 0
    }

    private mutating func countKnown(_ isChanged: Bool) {
        if isChanged {
            counts.updated += 1
        } else {
            counts.unchanged += 1
        }
    }
}
