package import GRDB
import TidemarkModel
import TidemarkStore

extension Conflicts {
    /// The version of a row that a user chooses.
    package enum Side: String, Sendable, Hashable, CaseIterable {
        /// What was stored here.
        case local
        /// What the service had.
        case remote
        /// What the service had before either side changed it.
        case base
    }

    /// What a decision has done.
    package struct Resolution: Sendable, Hashable {
        /// The conflict, as it is recorded now.
        package let conflict: Conflict

        /// Whether nothing was written, because the service has a newer value than the conflict
        /// shows.
        package let isStale: Bool
    }

    /// Decides a conflict, whether it is open or a policy has decided it before.
    ///
    /// The row gets the chosen version, and the next push sends it if the service has another one.
    ///
    /// - Parameters:
    ///   - db: A connection, inside a write transaction.
    ///   - id: The number of the conflict.
    ///   - side: The version to take.
    /// - Returns: The conflict as it is recorded now.
    /// - Throws: ``StoreError/Code/rowNotFound`` if there is no such conflict, or nothing left that
    ///   it could be decided about; `DatabaseError`.
    @discardableResult
    package func resolve(
        _ db: Database,
        _ id: Conflict.ID,
        taking side: Side
    ) throws -> Resolution {
        try Capture.of(db, store.layout)?.collect()
        guard let conflict = try conflicts(db, where: "_id = ?", arguments: [id]).first,
            let resolver = try ConflictedRow(db, conflict, in: store)
        else {
            throw StoreError(
                .rowNotFound,
                "There is no conflict \(id).",
                hint: "List the conflicts to see their numbers."
            )
        }
        guard try resolver.take(side) else {
            return Resolution(conflict: conflict, isStale: true)
        }
        try db.execute(
            sql: "UPDATE _tidemark_conflict SET decision = ?, decidedBy = 'user' WHERE _id = ?",
            arguments: [side.rawValue, id]
        )
        try db.execute(
            sql: "UPDATE _tidemark_conflict_value SET kept = \(side.rawValue) WHERE conflict = ?",
            arguments: [id]
        )
        try resolver.continueIfDecided()
        let decided = try conflicts(db, where: "_id = ?", arguments: [id]).first
        return Resolution(conflict: decided ?? conflict, isStale: false)
    }
}

/// The row of a conflict that is being decided.
private struct ConflictedRow {
    private let db: Database
    private let store: Store
    private let conflict: Conflict
    private let table: Int

    /// The open change of the row; nil if it has none.
    private let change: CapturedChange?
    private let unpushed: UnpushedRows?

    init?(_ db: Database, _ conflict: Conflict, in store: Store) throws {
        self.db = db
        self.store = store
        self.conflict = conflict
        table = try store.layout.entity(conflict.row.entity).table
        unpushed = try UnpushedRows.read(db, store.layout)
        let open = unpushed?.changes(of: conflict.row.number, in: table)?.open
        change = try open.flatMap {
            try StoreReader.prepare(db, in: store).capturedChanges([$0]).first
        }
    }

    private var row: Int64 { conflict.row.number }
    private var name: String { store.layout.tables[table].name }
    private var isOpen: Bool { conflict.decision == nil }

    /// The values of columns; links of a row are not decided about.
    private var values: [Conflict.Versions] { conflict.values.filter { $0.member == 0 } }

    /// Gives the row a version; false if the service has a newer one.
    func take(_ side: Conflicts.Side) throws -> Bool {
        switch conflict.kind {
        case .edit, .duplicateCreate:
            guard let stored = try stored() else { throw StoreError.undecidable(conflict) }
            guard try isPresent(stored) else { return false }
            try takeValues(side)
        case .deletedRemotely: try takeAfterRemoteDeletion(side)
        case .deletedLocally: try takeAfterLocalDeletion(side)
        }
        return true
    }

    /// Lets the change be pushed, unless another conflict of the row is open.
    func continueIfDecided() throws {
        try db.execute(
            sql: """
                UPDATE _tidemark_change SET state = 'pending' \
                WHERE tree = ?1 AND row = ?2 AND state = 'conflicted' AND NOT EXISTS \
                (SELECT 1 FROM _tidemark_conflict c WHERE c.tree = ?1 AND c.row = ?2 \
                AND c.decision IS NULL)
                """,
            arguments: [name, row]
        )
    }

    // MARK: Edits

    private func stored() throws -> Row? {
        try Row.fetchOne(
            db,
            sql: "SELECT * FROM \(name.quotedDatabaseIdentifier) WHERE _id = ?",
            arguments: [row]
        )
    }

    /// Returns whether the service still has what the conflict shows.
    private func isPresent(_ stored: Row) throws -> Bool {
        let base = try change.flatMap { try unpushed?.columns(of: $0.number) } ?? [:]
        return values.allSatisfy { value in
            let known = base[value.property] ?? stored[value.property] as DatabaseValue? ?? .null
            return known == value.remote || known == (isOpen ? value.base : value.kept)
        }
    }

    private func takeValues(_ side: Conflicts.Side) throws {
        guard isOpen, let change, change.kind == .update else {
            // An edit like any other, which is captured.
            return try write(side)
        }
        // The row has the local version, or a newer one. Suppressed, because the row has a change
        // already, whose base is set below.
        if side != .local { try suppressed { try write(side) } }
        for value in values {
            if value[side] == value.remote {
                try unpushed?.dropBase(of: value.property, in: change.number)
            } else {
                try unpushed?.setBase(value.remote, of: value.property, in: change.number)
            }
        }
        try unpushed?.removeIfEmpty(change.number, of: row, in: table)
    }

    private func write(_ side: Conflicts.Side) throws {
        let known = store.layout.tables[table].columns.map(\.name)
        let written = values.filter { known.contains($0.property) }
        guard !written.isEmpty else { return }
        let list = written.map { "\($0.property.quotedDatabaseIdentifier) = ?" }
        try db.execute(
            sql: """
                UPDATE \(name.quotedDatabaseIdentifier) SET \(list.joined(separator: ", ")) \
                WHERE _id = ?
                """,
            arguments: StatementArguments(written.map { $0[side] }) + [row]
        )
    }

    private func suppressed(_ body: () throws -> Void) throws {
        guard let capture = try Capture.of(db, store.layout) else { return try body() }
        try capture.suppressed(body)
    }

    // MARK: Deletions

    private func takeAfterRemoteDeletion(_ side: Conflicts.Side) throws {
        guard try stored() != nil else {
            if side != .remote { try createAgain(side) }
            return
        }
        switch (side, change?.kind) {
        case (.remote, .create?), (.remote, .update?):
            // The service does not have the object: nothing is to be pushed.
            // First, because the deletion would otherwise be recorded for it.
            if let change { try unpushed?.remove(change.number) }
            try suppressed { try delete(isRemembered: true) }
        case (.remote, _): try delete(isRemembered: false)
        case (_, .update?) where isOpen:
            if side == .base { try suppressed { try write(side) } }
            if let change {
                try unpushed?.becomeCreation(change.number, of: row, in: table)
                try suppressed { try clearKey() }
            }
        case (.base, _): try write(side)
        case (.local, _): break
        }
    }

    private func takeAfterLocalDeletion(_ side: Conflicts.Side) throws {
        guard let change, change.kind == .delete else {
            guard try stored() != nil else { throw StoreError.undecidable(conflict) }
            if side == .local { try delete(isRemembered: false) }
            if side == .base { try write(side) }
            return
        }
        guard side != .local else {
            for value in values {
                try unpushed?.setBase(value.remote, of: value.property, in: change.number)
            }
            return
        }
        _ = try store.write(in: db) { writer in try writer.discard([change]) }
        try suppressed { try write(.remote) }
        if side == .base { try write(side) }
    }

    private func delete(isRemembered: Bool) throws {
        _ = try store.write(in: db) { writer in
            try writer.delete([table: [row]], isRemembered: isRemembered)
        }
    }

    private func clearKey() throws {
        try store.write(in: db) { writer in
            try writer.clearKey(of: row, entity: conflict.row.entity)
        }
    }

    /// Inserts the row again under its number, as one that the service does not have.
    private func createAgain(_ side: Conflicts.Side) throws {
        let entity = try store.layout.entity(conflict.row.entity)
        let columns = store.layout.tables[table].columns
        let keys = entity.key.map { columns[$0].name }
        let known = columns.map(\.name) + ["_entity"]
        // Without its key, because the object that had it does not exist any more.
        let written = values.filter { known.contains($0.property) && !keys.contains($0.property) }
        let list = (["_id"] + written.map(\.property)).map(\.quotedDatabaseIdentifier)
        try suppressed {
            try db.execute(
                sql: """
                    INSERT INTO \(name.quotedDatabaseIdentifier) (\(list.joined(separator: ", "))) \
                    VALUES (\(list.map { _ in "?" }.joined(separator: ", ")))
                    """,
                arguments: [row] + StatementArguments(written.map { $0[side] })
            )
        }
        // The number is not above the watermark, so that the row is not found as a new one.
        try db.execute(
            sql: """
                INSERT INTO _tidemark_change (tree, row, entity, kind) VALUES (?, ?, ?, 'create') \
                ON CONFLICT (tree, row, frozen) DO UPDATE SET kind = 'create', state = 'pending'
                """,
            arguments: [name, row, conflict.row.entity]
        )
    }
}

extension Conflict.Versions {
    /// The value of a version.
    fileprivate subscript(side: Conflicts.Side) -> DatabaseValue {
        switch side {
        case .local: local
        case .remote: remote
        case .base: base
        }
    }
}

extension StoreError {
    fileprivate static func undecidable(_ conflict: Conflict) -> StoreError {
        StoreError(
            .rowNotFound,
            "\(conflict.row) does not exist any more: nothing is left to decide.",
            hint: "Its values are in the record of the conflict."
        )
    }
}
