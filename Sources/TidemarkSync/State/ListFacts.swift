import GRDB

/// What pushes have learnt about lists, beyond what their configuration says, in one transaction.
final class ListFacts {
    private let db: Database

    /// What was read, by the path of the list.
    private var known: [String: Facts] = [:]

    private struct Facts {
        var readsByKey = false
        var versionsFail = false
    }

    init(_ db: Database) {
        self.db = db
    }

    /// Returns whether an object of a list was ever read by its key.
    ///
    /// Only then does 404 show that there is no such object; otherwise the path may be wrong.
    func readsByKey(_ path: String) throws -> Bool { try facts(of: path).readsByKey }

    /// Records that an object of a list was read by its key.
    func recordReading(_ path: String) throws { try set("readsByKey", path) }

    /// Returns whether conditions on versions fail in a list although its objects are unchanged.
    ///
    /// A proxy that compresses responses may add a suffix to their entity tags, which the service
    /// then does not recognize.
    func versionsFail(_ path: String) throws -> Bool { try facts(of: path).versionsFail }

    /// Records that a condition has failed although the object is unchanged.
    func recordFailingVersion(_ path: String) throws { try set("versionsFail", path) }

    private func facts(of path: String) throws -> Facts {
        if let known = known[path] { return known }
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT readsByKey, versionsFail FROM _tidemark_list WHERE path = ?"
            ),
            arguments: [path]
        )
        let facts = row.map { Facts(readsByKey: $0[0], versionsFail: $0[1]) } ?? Facts()
        known[path] = facts
        return facts
    }

    private func set(_ column: String, _ path: String) throws {
        known[path] = nil
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_list (path, \(column)) VALUES (?, 1) \
                ON CONFLICT DO UPDATE SET \(column) = 1 WHERE NOT \(column)
                """
        ).execute(arguments: [path])
    }
}
