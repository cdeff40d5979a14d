import GRDB

/// What pushes have learnt about a list, beyond what its configuration says.
struct ListFacts {
    let db: Database

    /// Returns whether an object of a list was ever read by its key.
    ///
    /// Only then does 404 show that there is no such object; otherwise the path may be wrong.
    func readsByKey(_ path: String) throws -> Bool { try value(of: "readsByKey", path) }

    /// Records that an object of a list was read by its key.
    func recordReading(_ path: String) throws { try set("readsByKey", path) }

    /// Returns whether conditions on versions fail in a list although its objects are unchanged.
    ///
    /// A proxy that compresses responses may add a suffix to their entity tags, which the service
    /// then does not recognize.
    func versionsFail(_ path: String) throws -> Bool { try value(of: "versionsFail", path) }

    /// Records that a condition has failed although the object is unchanged.
    func recordFailingVersion(_ path: String) throws { try set("versionsFail", path) }

    private func value(of column: String, _ path: String) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT \(column) FROM _tidemark_list WHERE path = ?"),
            arguments: [path]
        ) ?? false
    }

    private func set(_ column: String, _ path: String) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_list (path, \(column)) VALUES (?, 1) \
                ON CONFLICT DO UPDATE SET \(column) = 1 WHERE NOT \(column)
                """
        ).execute(arguments: [path])
    }
}
