import GRDB
package import TidemarkStore

/// The service and the account that a store belongs to.
///
/// Rows of two services, or of two people, in one store would be deleted for not being in the
/// other's lists.
package struct ServiceBinding: Equatable {
    /// What the service is known by: its origin, such as `https://api.example.com`, or its name.
    var origin: String

    /// Who is known to the service, where that was told.
    var account: String?

    init(origin: String, account: String? = nil) {
        self.origin = origin
        self.account = account
    }

    /// The binding of a store; nil when it belongs to nobody yet.
    static func of(_ db: Database) throws -> ServiceBinding? {
        guard try SyncTables.exist(db) else { return nil }
        let row = try Row.fetchOne(db, sql: "SELECT origin, account FROM _tidemark_service")
        return row.map { ServiceBinding(origin: $0[0], account: $0[1]) }
    }

    /// The account that a store belongs to; nil if it has none, or belongs to no service.
    package static func account(of store: Store) throws -> String? {
        try store.reader.read { db in try of(db)?.account }
    }

    /// Binds a store, unless it is bound to this already.
    ///
    /// - Throws: ``SyncError/Code/otherService`` when it belongs to another.
    func bind(_ db: Database) throws {
        try SyncTables.create(db)
        if try check(db) { return }
        try db.execute(
            sql: "INSERT INTO _tidemark_service (_id, origin, account) VALUES (1, ?, ?)",
            arguments: [origin, account]
        )
    }

    /// Checks whether a store is bound to this or to nobody, and changes nothing.
    ///
    /// - Returns: Whether it is bound to this.
    /// - Throws: ``SyncError/Code/otherService`` when it belongs to another.
    @discardableResult
    package func check(_ store: Store) throws -> Bool {
        try store.reader.read { db in try check(db) }
    }

    func check(_ db: Database) throws -> Bool {
        guard let bound = try Self.of(db) else { return false }
        guard bound.origin == origin else {
            throw SyncError(
                .otherService,
                "The store belongs to \(bound.origin), not to \(origin).",
                hint:
                    "\(Self.hint) If this is the same service at a new address, set `service.name` "
                    + "to \(bound.origin)."
            )
        }
        guard bound.account == account else {
            throw SyncError(
                .otherService,
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
