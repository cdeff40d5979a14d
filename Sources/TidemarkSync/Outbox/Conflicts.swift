public import GRDB
public import TidemarkModel
public import TidemarkStore

import struct Foundation.Date

/// The conflicts of a store: changes of the service that contradicted local ones.
///
/// Each is recorded with all versions, whatever a policy has decided. Use the list to show a user
/// what happened, and ``resolve(_:_:taking:)`` to let them decide, or decide again. The records of
/// decided conflicts are kept for 90 days at least (`Limits.Conflicts`), others until they are
/// decided.
///
/// ```swift
/// let conflicts = Conflicts(store)
/// for conflict in try store.read({ reader in try conflicts.list(reader.db, filter: .open) }) {
///     print(conflict.row, conflict.properties)
/// }
/// ```
public struct Conflicts: Sendable {
    private let store: Store

    /// Creates the list of a store's conflicts.
    ///
    /// Nothing is read yet.
    ///
    /// - Parameter store: The store.
    public init(_ store: Store) {
        self.store = store
    }

    /// Which conflicts are listed.
    public enum Filter: Sendable, Hashable {
        /// All that are recorded.
        case all

        /// Those that await a decision.
        case open

        /// Those that a policy or a user has decided.
        case decided
    }

    /// Returns conflicts, the oldest first.
    ///
    /// ```swift
    /// let count = try store.read { reader in
    ///     try Conflicts(store).list(reader.db, filter: .open).count
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - db: A connection, which may be read-only.
    ///   - filter: Which ones. Defaults to all.
    /// - Returns: The conflicts; none if the store records no local changes.
    /// - Throws: `DatabaseError`.
    public func list(_ db: Database, filter: Filter = .all) throws -> [Conflict] {
        guard try Capture.isInstalled(db) else { return [] }
        let condition =
            switch filter {
            case .all: "1"
            case .open: "decision IS NULL"
            case .decided: "decision IS NOT NULL"
            }
        return try conflicts(db, where: condition)
    }

    /// Returns a conflict.
    ///
    /// ```swift
    /// let conflict = try store.read { reader in try Conflicts(store).conflict(reader.db, 4) }
    /// for property in conflict.properties { print(property.name, property.kept) }
    /// ```
    ///
    /// - Parameters:
    ///   - db: A connection, which may be read-only.
    ///   - id: The number of the conflict.
    /// - Returns: The conflict with all versions.
    /// - Throws: `StoreError.Code.rowNotFound` if there is no such conflict; `DatabaseError`.
    public func conflict(_ db: Database, _ id: Conflict.ID) throws -> Conflict {
        let found =
            try Capture.isInstalled(db)
            ? conflicts(db, where: "_id = ?", arguments: [id]).first : nil
        guard let found else {
            throw StoreError(
                .rowNotFound,
                "There is no conflict \(id).",
                hint: "List the conflicts to see their numbers."
            )
        }
        return found
    }

    /// Returns the number of the conflict that was recorded last; nil without any.
    func last(_ db: Database) throws -> Conflict.ID? {
        guard try Capture.isInstalled(db) else { return nil }
        // Kept by the connection: a push asks it for each response.
        return try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT max(_id) FROM _tidemark_conflict")
        )
    }

    /// Returns the conflicts that were recorded after another one.
    func list(_ db: Database, after last: Conflict.ID?) throws -> [Conflict] {
        guard try Capture.isInstalled(db) else { return [] }
        return try conflicts(db, where: "_id > ?", arguments: [last ?? 0])
    }

    private func conflicts(
        _ db: Database,
        where condition: String,
        arguments: StatementArguments = []
    ) throws -> [Conflict] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT _id, entity, row, kind, time, decision, decidedBy FROM _tidemark_conflict \
                WHERE \(condition) ORDER BY _id
                """,
            arguments: arguments
        )
        return try rows.compactMap { row in
            guard let kind = Conflict.Kind(rawValue: row[3]) else { return nil }
            let entity = try store.layout.entity(row[1])
            let stored = try StoredVersions.of(row[0], db)
            return Conflict(
                id: row[0],
                row: RowReference(row[1], row[2]),
                kind: kind,
                time: Date(timeIntervalSince1970: row[4]),
                properties: StoredVersions.properties(stored, of: entity, in: store.layout),
                decision: (row[5] as String?).flatMap(Conflict.Decision.init),
                decidedBy: row[6],
                stored: stored
            )
        }
    }

    // MARK: Decisions

    /// The version of a row that a user chooses.
    public enum Choice: Sendable, Hashable {
        /// What was stored here.
        case local

        /// What the service had.
        case remote

        /// What the service had before either side changed it.
        case base

        /// Values of attributes, by name.
        ///
        /// Other properties of the conflict keep their local version, or get that of the service if
        /// the row was deleted here.
        case values([String: Value])
    }

    /// What a decision has done.
    public struct Resolution: Sendable, Hashable {
        /// The conflict, as it is recorded now.
        public let conflict: Conflict

        /// Whether nothing was decided, because the service has a newer value than the conflict
        /// shows.
        ///
        /// Show the newer conflict, or the row.
        public let isStale: Bool
    }

    /// Decides a conflict, whether it is open or a policy has decided it before.
    ///
    /// The row gets the chosen version, and the next push sends it if the service has another one.
    ///
    /// ```swift
    /// let open = try store.read { reader in
    ///     try Conflicts(store).list(reader.db, filter: .open)
    /// }
    /// try store.write { writer in
    ///     for conflict in open {
    ///         let resolution = try Conflicts(store)
    ///             .resolve(writer.db, conflict.id, taking: .local)
    ///         if resolution.isStale { print("\(conflict.row) was changed again.") }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - db: A connection, inside a write transaction.
    ///   - id: The number of the conflict.
    ///   - choice: The version to take.
    /// - Returns: The conflict as it is recorded now, and whether it was outdated.
    /// - Throws: `StoreError.Code.rowNotFound` if there is no such conflict, or nothing left that
    ///   it could be decided about; `StoreError.Code.invalidValue` if the model does not allow a
    ///   chosen value; `DatabaseError`.
    @discardableResult
    public func resolve(
        _ db: Database,
        _ id: Conflict.ID,
        taking choice: Choice
    ) throws -> Resolution {
        try Capture.of(db, store.layout)?.collect()
        // What the decision replaces is in the record.
        try ConflictedRow(db, conflict(db, id), in: store).recordLaterEdits()
        let conflict = try self.conflict(db, id)
        let row = try ConflictedRow(db, conflict, in: store)
        guard try row.take(choice) else { return Resolution(conflict: conflict, isStale: true) }
        return Resolution(conflict: try self.conflict(db, id), isStale: false)
    }
}
