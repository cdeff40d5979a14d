import GRDB
package import TidemarkStore

/// The service and the account that a store belongs to.
///
/// A store that is pulled from two services, or with two accounts, would lose rows: each pull
/// deletes what its own lists do not contain.
package struct ServiceBinding: Equatable {
    /// The name of the service, or its origin, such as `https://api.example.com`.
    var origin: String

    /// The account that requests are authenticated as; nil if none is configured.
    var account: String?

    /// Returns the binding of a store; nil if the store belongs to no service yet.
    static func of(_ db: Database) throws -> ServiceBinding? {
        guard try SyncTables.exist(db) else { return nil }
        let row = try Row.fetchOne(db, sql: "SELECT origin, account FROM _tidemark_service")
        return row.map { ServiceBinding(origin: $0[0], account: $0[1]) }
    }

    /// Returns the account that a store belongs to; nil if it has no account or belongs to no
    /// service.
    package static func account(of store: Store) throws -> String? {
        try store.reader.read { db in try of(db)?.account }
    }

    /// Binds a store to this service and account, unless it is bound to them already.
    ///
    /// - Throws: ``SyncError/Code/serviceMismatch`` if it belongs to another service or account.
    func bind(_ db: Database) throws {
        try SyncTables.create(db)
        if try check(db) { return }
        try db.execute(
            sql: "INSERT INTO _tidemark_service (_id, origin, account) VALUES (1, ?, ?)",
            arguments: [origin, account]
        )
    }

    /// Checks that a store is not bound to another service or account, and changes nothing.
    ///
    /// - Returns: Whether the store is bound to this service; false if it is not bound at all.
    /// - Throws: ``SyncError/Code/serviceMismatch`` if it belongs to another service or account.
    @discardableResult
    package func check(_ store: Store) throws -> Bool {
        try store.reader.read { db in try check(db) }
    }

    func check(_ db: Database) throws -> Bool {
        guard let bound = try Self.of(db) else { return false }
        guard bound.origin == origin else {
            throw SyncError(
                .serviceMismatch,
                "The store belongs to \(bound.origin), not to \(origin).",
                hint:
                    "\(Self.hint) If this is the same service at a new address, set `service.name` "
                    + "to \(bound.origin)."
            )
        }
        guard bound.account == account else {
            throw SyncError(
                .serviceMismatch,
                "The store belongs to \(Self.name(bound.account)), and this pull signs in "
                    + "\(account.map { "as \($0)" } ?? "without an account").",
                hint: Self.hint
            )
        }
        return true
    }

    private static let hint = "Use another store: `store` in tidemark.yml, or --into."

    private static func name(_ account: String?) -> String {
        account.map { "the account \($0)" } ?? "no account"
    }
}
