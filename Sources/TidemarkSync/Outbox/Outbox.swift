public import GRDB
public import TidemarkModel
public import TidemarkStore

/// The local changes of a store that its service does not have yet.
///
/// Every change is in exactly one state until the service has it: see ``LocalChange/State``. Use
/// the outbox to show what is not pushed, and to decide about changes that the service has
/// rejected.
///
/// ```swift
/// let outbox = Outbox(store)
/// let rejected = try store.read { reader in try outbox.changes(reader.db, in: .rejected) }
/// for change in rejected { print(change.row, change.attempts.reason ?? "") }
/// ```
public struct Outbox: Sendable {
    let store: Store
    let environment: SystemEnvironment

    /// Creates the outbox of a store.
    ///
    /// Nothing is read yet.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - environment: Supplies the time. Tests pass that of a manual clock.
    public init(_ store: Store, environment: SystemEnvironment = .live) {
        self.store = store
        self.environment = environment
    }

    // MARK: Listing

    /// Returns the changes that are left, in the order in which they were first made.
    ///
    /// ```swift
    /// let left = try store.read { reader in try Outbox(store).changes(reader.db, of: "Note") }
    /// print(left.map { "\($0.row) \($0.state)" })
    /// ```
    ///
    /// - Parameters:
    ///   - db: A connection, which may be read-only.
    ///   - entity: The entity of the rows; nil for all.
    ///   - state: The state; nil for all.
    /// - Returns: The changes; none if the store records no local changes.
    /// - Throws: `StoreError.Code.unknownEntity`; `DatabaseError`.
    public func changes(
        _ db: Database,
        of entity: String? = nil,
        in state: LocalChange.State? = nil
    ) throws -> [LocalChange] {
        let family = try store.layout.family(of: entity)
        return try changes(db) { change in
            family?.contains(change.row.entity) != false && (state ?? change.state) == change.state
        }
    }

    /// Returns the changes of a row, in the order in which they are sent.
    ///
    /// There are at most two: one whose request was sent, and one with the edits after it. The
    /// outbox is read for that: for many rows, call ``changes(_:of:in:)`` once.
    ///
    /// ```swift
    /// let changes = try store.read { reader in
    ///     try Outbox(store).changes(reader.db, ofRow: RecordLocator("Note:7"))
    /// }
    /// let badge = changes.contains { $0.state == .rejected } ? "!" : ""
    /// ```
    ///
    /// - Parameters:
    ///   - db: A connection, which may be read-only.
    ///   - row: The row, by its number if it was deleted.
    /// - Returns: The changes; none if the service has everything of the row.
    /// - Throws: `StoreError.Code.unknownEntity`; `DatabaseError`.
    public func changes(_ db: Database, ofRow row: RecordLocator) throws -> [LocalChange] {
        let reader = try StoreReader.prepare(db, in: store)
        let table = try store.layout.entity(row.entity).table
        let number = try reader.number(of: row)
        return try changes(db) { $0.table == table && $0.row.number == number }
    }

    func changes(
        _ db: Database,
        where isIncluded: (CapturedChange) -> Bool
    ) throws -> [LocalChange] {
        let reader = try StoreReader.prepare(db, in: store)
        let attempts = try StoredAttempts.all(db)
        let all = try reader.capturedChanges() + reader.uncollectedCreations()
        let blocked = try blocked(among: all, reader: reader)
        return try all.filter(isIncluded).map { change in
            try LocalChange(
                change,
                attempts[change.number],
                blockedBy: blocked[change.number],
                reader: reader
            )
        }
    }

    /// Returns a change by its number; nil if it is not left.
    func change(_ db: Database, numbered number: Int64) throws -> LocalChange? {
        let reader = try StoreReader.prepare(db, in: store)
        let attempts = try StoredAttempts.all(db, of: number)[number]
        return try reader.capturedChanges([number]).first.map {
            try LocalChange($0, attempts, reader: reader)
        }
    }

    /// Returns the numbers of local drafts by entity: rows without a key that were created before
    /// local changes were recorded, and are not pushed by themselves.
    ///
    /// They may be the rows of objects that a service has embedded without a key. If they are an
    /// app's own, ``add(_:draftsOf:)`` lets them be pushed.
    ///
    /// - Parameter db: A connection, which may be read-only.
    /// - Returns: The numbers; empty without any.
    /// - Throws: `DatabaseError`.
    public func drafts(_ db: Database) throws -> [String: Int] {
        let rows = try StoreReader.prepare(db, in: store).localDrafts()
        return Dictionary(grouping: rows, by: \.entity).mapValues(\.count)
    }

    // MARK: Decisions of the user

    /// Which changes a decision may be about.
    public enum DecisionMode: Sendable, Hashable {
        /// Those that the service has certainly not applied.
        case certainOnly
        /// Also those whose requests were sent and whose outcomes are unknown: the service may have
        /// applied them.
        case includingUncertain
    }

    /// Lets rejected and postponed changes be sent by the next push.
    ///
    /// A rejected change is also sent again when its row is edited, without a call of this. A
    /// change in conflict is skipped: see ``Conflicts/resolve(_:_:taking:)``. So is a deletion that
    /// awaits approval: see ``approveDeletions(_:of:)``.
    ///
    /// ```swift
    /// try store.write { writer in _ = try Outbox(store).retry(writer.db) }
    /// ```
    ///
    /// - Parameters:
    ///   - db: A connection, inside a write transaction.
    ///   - rows: The rows; nil for all.
    ///   - mode: Whether changes are sent again that the service may have applied, so that an
    ///     object may exist twice afterwards. Defaults to no.
    /// - Returns: The number of changes that the next push may send.
    /// - Throws: `StoreError.Code.rowNotFound` if a row has no change; `DatabaseError`.
    public func retry(
        _ db: Database,
        _ rows: [RecordLocator]? = nil,
        mode: DecisionMode = .certainOnly
    ) throws -> Int {
        var count = 0
        let attempts = try StoredAttempts.read(db)
        for change in try changes(of: rows, db) where !attempts.awaitsApproval(change.number) {
            switch change.state {
            case .rejected, .pending: break
            case .uncertain where mode == .includingUncertain:
                try reopen(change, db, because: "sent again by its user")
            case .uncertain, .inFlight, .conflicted: continue
            }
            try db.execute(
                sql: "UPDATE _tidemark_change SET state = 'pending' WHERE _id = ?",
                arguments: [change.number]
            )
            // A change that waits for its next attempt is pending, but not due.
            try db.execute(
                sql: "UPDATE _tidemark_request SET nextAttempt = NULL WHERE change = ?",
                arguments: [change.number]
            )
            count += 1
        }
        return count
    }

    /// Discards the change of a row: it is again as the service knows it.
    ///
    /// A row that was created is deleted, and one that was deleted is there again under its number.
    ///
    /// ```swift
    /// try store.write { writer in
    ///     try Outbox(store).discard(writer.db, RecordLocator("Note:7"))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - db: A connection, inside a write transaction.
    ///   - row: The row, by its number if it was deleted.
    ///   - mode: Which changes may be discarded. Defaults to those that were certainly not applied.
    /// - Returns: The change.
    /// - Throws: `StoreError.Code.rowNotFound` if the row has no change;
    ///   `StoreError.Code.unpushedChanges` if its outcome is unknown, or a push is sending it;
    ///   `StoreError.Code.dependentChange` if another change has to be discarded first;
    ///   `DatabaseError`.
    @discardableResult
    public func discard(
        _ db: Database,
        _ row: RecordLocator,
        mode: DecisionMode = .certainOnly
    ) throws -> LocalChange {
        let found = try changes(of: [row], db)
        guard let last = found.last else { throw StoreError.unchanged(row) }
        let reader = try StoreReader.prepare(db, in: store)
        let attempts = try StoredAttempts.all(db, of: last.number)[last.number]
        let shown = try LocalChange(last, attempts, reader: reader)
        if let sent = found.first(where: \.state.isSent) {
            guard mode == .includingUncertain else { throw StoreError.uncertain(row) }
            // Otherwise the process that has sent it was killed.
            if sent.state == .inFlight, try Lease.holder(db, environment) != nil {
                throw StoreError.inFlight(row)
            }
            try reopen(sent, db, because: "discarded")
        }
        try takeRemote(of: last, db)
        // A creation that was deleted since may have left nothing.
        let left = try reader.capturedChanges().filter {
            $0.table == last.table && $0.row == last.row
        }
        _ = try store.write(in: db) { writer in try writer.discard(left) }
        return shown
    }

    /// Discards all changes, whatever their states are: all rows are as the service knows them.
    ///
    /// - Parameter db: A connection to a copy of the store, inside a write transaction.
    /// - Throws: `DatabaseError`.
    func discardAll(_ db: Database) throws {
        for change in try changes(of: nil, db) where change.state.isSent {
            try reopen(change, db, because: "discarded")
        }
        let left = try changes(of: nil, db)
        for change in left { try takeRemote(of: change, db) }
        _ = try store.write(in: db) { writer in
            // Read again: the decisions have changed base values.
            try writer.discard(writer.capturedChanges())
        }
    }

    /// Joins a change whose request was sent with the edits after it.
    private func reopen(
        _ sent: CapturedChange,
        _ db: Database,
        because reason: String
    ) throws {
        try OutboxWriter(db: db, environment: environment)
            .reopen(sent.number, as: .pending(after: nil), because: .init(reason: reason))
    }

    /// Decides the open conflicts of a row whose change is discarded.
    ///
    /// Their base is what the service had before it made its own change: a discard to that would
    /// leave a value that neither side has.
    func takeRemote(of change: CapturedChange, _ db: Database) throws {
        let tree = store.layout.tables[change.table].name
        let open =
            "c.tree = ?1 AND c.row = ?2 AND c.decision IS NULL AND c.kind <> 'deletedRemotely'"
        try db.execute(
            sql: """
                UPDATE _tidemark_base SET value = v.remote FROM _tidemark_conflict c, \
                _tidemark_conflict_value v, _tidemark_change o WHERE \(open) AND v.conflict = c._id \
                AND o.tree = ?1 AND o.row = ?2 AND o.frozen = 0 AND _tidemark_base.change = o._id \
                AND _tidemark_base.property = v.property AND _tidemark_base.member = v.member
                """,
            arguments: [tree, change.row.number]
        )
        try db.execute(
            sql: """
                UPDATE _tidemark_conflict AS c SET decision = 'remote', decidedBy = 'user' \
                WHERE \(open)
                """,
            arguments: [tree, change.row.number]
        )
    }

    /// Adds local drafts to the outbox, so that the next push creates their objects.
    ///
    /// See ``drafts(_:)``.
    ///
    /// - Parameters:
    ///   - db: A connection, inside a write transaction.
    ///   - entity: The entity of the rows; nil for all.
    /// - Returns: The number of rows that were added.
    /// - Throws: `StoreError.Code.unknownEntity`; `DatabaseError`.
    public func add(_ db: Database, draftsOf entity: String? = nil) throws -> Int {
        let family = try store.layout.family(of: entity)
        let drafts = try StoreReader.prepare(db, in: store).localDrafts()
            .filter { family?.contains($0.entity) != false }
        for draft in drafts {
            let table = try store.layout.entity(draft.entity).table
            try db.execute(
                sql: """
                    INSERT INTO _tidemark_change (tree, row, entity, kind) \
                    VALUES (?, ?, ?, 'create')
                    """,
                arguments: [store.layout.tables[table].name, draft.number, draft.entity]
            )
        }
        return drafts.count
    }

    /// Returns the changes of rows, of each row in the order in which they are sent.
    private func changes(of rows: [RecordLocator]?, _ db: Database) throws -> [CapturedChange] {
        try Capture.of(db, store.layout)?.collect()
        let reader = try StoreReader.prepare(db, in: store)
        let all = try reader.capturedChanges()
        guard let rows else { return all }
        return try rows.flatMap { row in try reader.changes(of: row, among: all) }
    }
}

extension StoreReader {
    /// Returns the changes of a row, in the order in which they are sent.
    ///
    /// - Parameters:
    ///   - row: The row, by its number if it was deleted.
    ///   - all: All changes.
    /// - Returns: The changes; at least one.
    /// - Throws: `StoreError.Code.rowNotFound` if the row has no change; `DatabaseError`.
    func changes(of row: RecordLocator, among all: [CapturedChange]) throws -> [CapturedChange] {
        let table = try layout.entity(row.entity).table
        let number = try number(of: row)
        let own = all.filter { $0.table == table && $0.row.number == number }
        guard !own.isEmpty else { throw StoreError.unchanged(row) }
        return own
    }

    /// Returns the number of a row; nil if no row has the key.
    func number(of row: RecordLocator) throws -> Int64? {
        // A row that was deleted is found by its number alone.
        if case .number(let number) = row.identifier { return number }
        return try rowReference(for: row)?.number
    }
}

extension StoreLayout {
    /// Returns the names of an entity and of those that inherit from it; nil without an entity.
    fileprivate func family(of name: String?) throws -> Set<String>? {
        guard let name else { return nil }
        _ = try entity(name)
        return model[name].map { Set(model.family(of: $0).map(\.name)) }
    }
}

extension StoreError {
    static func unchanged(_ row: RecordLocator) -> StoreError {
        StoreError(
            .rowNotFound,
            "\(row) has no local change.",
            hint: "A row that was deleted is named by its number."
        )
    }

    fileprivate static func uncertain(_ row: RecordLocator) -> StoreError {
        StoreError(
            .unpushedChanges,
            "The service may have applied the change of \(row).",
            hint: "Sync, which determines this, or discard it with .includingUncertain "
                + "(tidemark outbox discard --force)."
        )
    }

    fileprivate static func inFlight(_ row: RecordLocator) -> StoreError {
        StoreError(
            .unpushedChanges,
            "The change of \(row) is being sent.",
            hint: "Wait for the end of the push."
        )
    }
}
