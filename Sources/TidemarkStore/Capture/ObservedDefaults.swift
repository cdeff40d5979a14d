package import GRDB

/// The values that the attributes of an entity's objects get at the service, if an object is
/// created without them.
///
/// An object that was created with another value, and has this one, shows that the service has not
/// taken what was sent.
package final class ObservedDefaults {
    /// The value of an attribute; nil if objects have got different ones, such as times.
    private var values: [String: [String: DatabaseValue?]] = [:]

    package init() {}

    /// Returns the default of an attribute; nil if none was observed.
    package func value(
        of attribute: String,
        of entity: String,
        _ db: Database
    ) throws
        -> DatabaseValue?
    {
        try known(entity, db)[attribute] ?? nil
    }

    /// Records the value of an attribute that a new object was created without.
    package func observe(
        _ value: DatabaseValue,
        of attribute: String,
        of entity: String,
        _ db: Database
    ) throws {
        switch try known(entity, db)[attribute] {
        case .some(.none): return
        case .some(.some(value)): return
        case .some(.some):
            values[entity]?[attribute] = .some(nil)
            try db.cachedStatement(
                sql: """
                    UPDATE _tidemark_default SET value = NULL, isConstant = 0 \
                    WHERE entity = ? AND property = ?
                    """
            ).execute(arguments: [entity, attribute])
        case .none:
            values[entity]?[attribute] = value
            try db.cachedStatement(
                sql: """
                    INSERT INTO _tidemark_default (entity, property, value) VALUES (?, ?, ?) \
                    ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [entity, attribute, value])
        }
    }

    private func known(_ entity: String, _ db: Database) throws -> [String: DatabaseValue?] {
        if let known = values[entity] { return known }
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT property, value, isConstant FROM _tidemark_default WHERE entity = ?"
            ),
            arguments: [entity]
        )
        let known = Dictionary(
            rows.map { ($0[0] as String, $0[2] ? $0[1] as DatabaseValue : nil) },
            uniquingKeysWith: { first, _ in first }
        )
        values[entity] = known
        return known
    }
}
