package import GRDB

/// The names of members that the objects of a service have, as the service spells them.
///
/// A request has to spell them in the same way: a service that is sent `due_date` instead of its
/// `dueDate` would ignore it, or get a second member.
package enum ObservedNames {
    /// Records names of an entity's objects, if the store records local changes.
    ///
    /// - Parameters:
    ///   - db: A connection, inside a write transaction.
    ///   - names: The names, by entity.
    /// - Throws: `DatabaseError`.
    package static func add(_ db: Database, _ names: [String: [String]]) throws {
        guard try Capture.isInstalled(db) else { return }
        let insert = try db.cachedStatement(
            sql: "INSERT INTO _tidemark_name (entity, name) VALUES (?, ?) ON CONFLICT DO NOTHING"
        )
        for (entity, names) in names.sorted(by: { $0.key < $1.key }) {
            for name in names { try insert.execute(arguments: [entity, name]) }
        }
    }

    /// Returns the recorded names by entity.
    package static func read(_ db: Database) throws -> [String: Set<String>] {
        guard try Capture.isInstalled(db) else { return [:] }
        let rows = try Row.fetchAll(db, sql: "SELECT entity, name FROM _tidemark_name")
        return Dictionary(grouping: rows) { $0[0] as String }
            .mapValues { Set($0.map { $0[1] as String }) }
    }
}
