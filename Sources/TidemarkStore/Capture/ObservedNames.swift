package import GRDB

/// The names of members that the objects of a service have, as the service spells them.
///
/// A request has to spell them in the same way: a service that is sent `due_date` instead of its
/// `dueDate` would ignore it, or get a second member.
package struct ObservedNames: Sendable {
    /// The names.
    package var all: Set<String> = []

    /// Those whose values are whole objects with a primary key.
    ///
    /// Such a service has another name for the key alone, as in `"project": {"id": 1, …}` and
    /// `"project_id": 1`.
    package var embedded: Set<String> = []

    /// Creates names.
    package init() {}

    /// Records names of an entity's objects, if the store records local changes.
    ///
    /// - Parameters:
    ///   - db: A connection, inside a write transaction.
    ///   - names: The names, by entity.
    /// - Throws: `DatabaseError`.
    package static func add(_ db: Database, _ names: [String: ObservedNames]) throws {
        guard try Capture.isInstalled(db) else { return }
        // An object without a linked one shows nothing about its form.
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_name (entity, name, isEmbedded) VALUES (?, ?, ?) \
                ON CONFLICT DO UPDATE SET isEmbedded = 1 \
                WHERE excluded.isEmbedded AND NOT isEmbedded
                """
        )
        for (entity, names) in names.sorted(by: { $0.key < $1.key }) {
            for name in names.all.sorted() {
                try insert.execute(arguments: [entity, name, names.embedded.contains(name)])
            }
        }
    }

    /// Returns the recorded names by entity.
    package static func read(_ db: Database) throws -> [String: ObservedNames] {
        guard try Capture.isInstalled(db) else { return [:] }
        let rows = try Row.fetchAll(db, sql: "SELECT entity, name, isEmbedded FROM _tidemark_name")
        return rows.reduce(into: [:]) { names, row in
            names[row[0], default: ObservedNames()].all.insert(row[1])
            if row[2] { names[row[0], default: ObservedNames()].embedded.insert(row[1]) }
        }
    }
}
