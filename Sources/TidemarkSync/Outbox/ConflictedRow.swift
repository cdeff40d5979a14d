import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkStore

/// The row of a conflict that is being decided.
struct ConflictedRow {
    let db: Database
    let store: Store
    let conflict: Conflict
    private let entity: EntityLayout

    /// The open change of the row; nil if it has none.
    let change: CapturedChange?
    let unpushed: UnpushedRows?

    init(_ db: Database, _ conflict: Conflict, in store: Store) throws {
        self.db = db
        self.store = store
        self.conflict = conflict
        entity = try store.layout.entity(conflict.row.entity)
        unpushed = try Capture.isInstalled(db) ? .lookingUp(db, store.layout) : nil
        let open = try unpushed?.changes(of: conflict.row.number, in: entity.table)?.open
        change = try open.flatMap {
            try StoreReader.prepare(db, in: store).capturedChanges([$0]).first
        }
    }

    var row: Int64 { conflict.row.number }
    private var table: Int { entity.table }
    private var name: String { store.layout.tables[table].name }
    private var columns: [TableLayout.Column] { store.layout.tables[table].columns }

    /// A value that a column gets, the state of a link, or the order of a list.
    struct Chosen {
        let column: String
        var member: Int64 = 0
        let value: DatabaseValue
    }

    /// Gives the row a version, and records the decision.
    ///
    /// - Parameter choice: The version.
    /// - Returns: False if the service has a newer one: nothing was written then.
    /// - Throws: ``StoreError``; `DatabaseError`.
    func take(_ choice: Conflicts.Choice) throws -> Bool {
        let chosen = try chosen(choice)
        switch conflict.kind {
        case .deletedRemotely: try takeAfterRemoteDeletion(choice, chosen)
        case .notTaken where isOfDeletion, .deletedLocally:
            try takeAfterLocalDeletion(choice, chosen)
        case .edit, .duplicateCreate, .unrecorded, .notTaken:
            if let stored = try stored() {
                guard try isPresent(stored) else { return false }
                try takeValues(chosen, isLocal: choice == .local)
            } else if change?.kind == .delete {
                // The row was deleted here after the conflict, and that is not pushed yet.
                try takeAfterLocalDeletion(choice, chosen)
            } else if conflict.decision != nil {
                throw StoreError.undecidable(conflict)
            }
        }
        try record(chosen, as: choice.decision)
        try UnpushedRows.continueIfDecided(db, row, inTable: name)
        return true
    }

    /// Whether the service has not taken a deletion: its record contains the key.
    private var isOfDeletion: Bool {
        let key = Set(entity.key.map { columns[$0].name })
        return conflict.stored.contains { key.contains($0.column) }
    }

    private func chosen(_ choice: Conflicts.Choice) throws -> [Chosen] {
        guard case .values(let values) = choice else {
            return conflict.stored.map {
                Chosen(column: $0.column, member: $0.member, value: $0[choice])
            }
        }
        let given = try given(values)
        return conflict.stored.map { stored in
            let isDeletion = conflict.kind == .deletedLocally || isOfDeletion
            let other: Conflicts.Choice = isDeletion ? .remote : .local
            return Chosen(
                column: stored.column,
                member: stored.member,
                value: given[stored.column] ?? stored[other]
            )
        }
    }

    /// Returns the values that a user has given, by column.
    private func given(_ values: [String: Value]) throws -> [String: DatabaseValue] {
        var given: [String: DatabaseValue] = [:]
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            let column = entity.attribute(name).map { columns[$0.column].name }
            guard let attribute = entity.attribute(name), let column,
                conflict.stored.contains(where: { $0.column == column })
            else { throw StoreError.unrelated(name, to: conflict) }
            given[column] = try store.write(in: db) { writer in
                try writer.checked(value, for: attribute, of: entity).databaseValue
            }
        }
        return given
    }

    private func record(_ chosen: [Chosen], as decision: Conflict.Decision) throws {
        try db.execute(
            sql: "UPDATE _tidemark_conflict SET decision = ?, decidedBy = 'user' WHERE _id = ?",
            arguments: [decision.rawValue, conflict.id]
        )
        for chosen in chosen {
            try db.execute(
                sql: """
                    UPDATE _tidemark_conflict_value SET kept = ? \
                    WHERE conflict = ? AND property = ? AND member = ?
                    """,
                arguments: [chosen.value, conflict.id, chosen.column, chosen.member]
            )
        }
    }

    // MARK: Edits

    func stored() throws -> Row? {
        try Row.fetchOne(
            db,
            sql: "SELECT * FROM \(name.quotedDatabaseIdentifier) WHERE _id = ?",
            arguments: [row]
        )
    }

    /// Returns whether the service still has what the conflict shows.
    private func isPresent(_ stored: Row) throws -> Bool {
        let base = try change.flatMap { try unpushed?.columns(of: $0.number) } ?? [:]
        let isOpen = conflict.decision == nil
        return try conflict.stored.allSatisfy { value in
            guard !value.isLink else {
                let known = try knownLink(value)
                return known == value.remote || known == (isOpen ? value.base : value.kept)
            }
            guard !value.isOrder else {
                let orders = [value.remote, isOpen ? value.base : value.kept]
                let known = try knownOrder(value)
                return orders.compactMap { ListOrder($0) }
                    .contains { known?.agrees(with: $0) == true }
            }
            let objects = try parts(value.column).map { relationship in
                try Importer(store).knownParts(db, relationship, of: conflict.row, before: change)
            }
            let known =
                objects?.databaseValue ?? base[value.column]
                ?? stored[value.column] as DatabaseValue? ?? .null
            return known == value.remote || known == (isOpen ? value.base : value.kept)
        }
    }

    private func takeValues(_ chosen: [Chosen], isLocal: Bool) throws {
        guard conflict.decision == nil, let change, change.kind == .update else {
            // An edit like any other, which is captured.
            try write(chosen)
            try settleOrders(chosen)
            if let change { try unpushed?.removeIfEmpty(change.number, of: row, in: table) }
            return
        }
        // The row has the local version, or a newer one. Suppressed, because the row has a change
        // already, whose base is set below.
        if !isLocal {
            try suppressed {
                try writeColumns(chosen)
                try writeLinks(chosen)
            }
        }
        try writeParts(chosen)
        for (chosen, version) in zip(chosen, conflict.stored)
        where !version.isOrder && (version.isLink || parts(version.column) == nil) {
            let (property, member) = (chosen.column, chosen.member)
            if chosen.value == version.remote {
                try unpushed?.dropBase(of: property, member: member, in: change.number)
            } else {
                try unpushed?.setBase(
                    version.remote,
                    of: property,
                    member: member,
                    in: change.number
                )
            }
        }
        try settleOrders(chosen)
        try unpushed?.removeIfEmpty(change.number, of: row, in: table)
    }

    private func write(_ chosen: [Chosen]) throws {
        try writeColumns(chosen)
        try writeParts(chosen)
        try writeLinks(chosen)
    }

    /// Returns the relationship with a name, if its objects have no primary key.
    func parts(_ name: String) -> RelationshipLayout? { store.layout.relationships[name] }

    private func writeParts(_ chosen: [Chosen]) throws {
        for (chosen, version) in zip(chosen, conflict.stored) {
            guard chosen.member == 0, let relationship = parts(chosen.column),
                let objects = String.fromDatabaseValue(chosen.value)
            else { continue }
            try Importer(store).replaceParts(
                db,
                relationship,
                of: conflict.row,
                with: objects,
                insteadOf: conflict.decision == nil
                    ? String.fromDatabaseValue(version.remote) : nil,
                in: change
            )
        }
    }

    private func writeColumns(_ chosen: [Chosen]) throws {
        let known = Set(columns.map(\.name))
        let written = chosen.filter { known.contains($0.column) }
        guard !written.isEmpty else { return }
        let list = written.map {
            "\($0.column.quotedDatabaseIdentifier) = \(expression(for: $0.column))"
        }
        try db.execute(
            sql: """
                UPDATE \(name.quotedDatabaseIdentifier) SET \(list.joined(separator: ", ")) \
                WHERE _id = ?
                """,
            arguments: StatementArguments(written.map(\.value)) + [row]
        )
    }

    /// The expression with which a value is written: a reference to a row that does not exist any
    /// more is null.
    private func expression(for column: String) -> String {
        guard case .reference(let reference)? = columns.first(where: { $0.name == column })?.content
        else { return "?" }
        return "(SELECT _id FROM \(reference.table.quotedDatabaseIdentifier) WHERE _id = ?)"
    }

    private func suppressed(_ body: () throws -> Void) throws {
        guard let capture = try Capture.of(db, store.layout) else { return try body() }
        try capture.suppressed(body)
    }

    // MARK: Deletions

    private func takeAfterRemoteDeletion(
        _ choice: Conflicts.Choice,
        _ chosen: [Chosen]
    ) throws {
        guard try stored() != nil else {
            if choice != .remote { try createAgain(chosen) }
            return
        }
        switch (choice, change?.kind) {
        case (.remote, .create?), (.remote, .update?):
            // The service does not have the object: nothing is to be pushed.
            // First, because the deletion would otherwise be recorded for it.
            if let change { try unpushed?.remove(change.number) }
            try suppressed { try delete(isRemembered: true) }
        case (.remote, _): try delete(isRemembered: false)
        case (_, .update?) where conflict.decision == nil:
            if choice != .local { try suppressed { try write(chosen) } }
            if let change {
                try unpushed?.becomeCreation(change.number, of: row, in: table)
                try suppressed { try clearKey() }
            }
        case (.base, _), (.values, _): try write(chosen)
        case (.local, _): break
        }
    }

    private func takeAfterLocalDeletion(
        _ choice: Conflicts.Choice,
        _ chosen: [Chosen]
    ) throws {
        guard let change, change.kind == .delete else {
            guard try stored() != nil else {
                // The row was deleted meanwhile, and an open conflict ends with it.
                guard conflict.decision == nil else { throw StoreError.undecidable(conflict) }
                return
            }
            switch choice {
            case .local: try delete(isRemembered: false)
            case .remote: break
            case .base, .values: try write(chosen)
            }
            return
        }
        guard choice != .local else {
            for value in conflict.stored {
                try unpushed?.setBase(value.remote, of: value.column, in: change.number)
            }
            return
        }
        _ = try store.write(in: db) { writer in try writer.discard([change]) }
        // What the service has is not a change: the choice is recorded against it.
        let remote = conflict.stored.map { Chosen(column: $0.column, value: $0.remote) }
        try suppressed { try write(remote) }
        if choice != .remote { try write(chosen) }
    }

    private func delete(isRemembered: Bool) throws {
        _ = try store.write(in: db) { writer in
            try writer.delete([table: [row]], isRemembered: isRemembered)
        }
    }

    private func clearKey() throws {
        try store.write(in: db) { writer in
            try writer.clearKey(of: row, entity: entity.name)
        }
    }

    /// Inserts the row again under its number, as one that the service does not have.
    private func createAgain(_ chosen: [Chosen]) throws {
        let known = Set(columns.map(\.name) + ["_entity"])
        // The object that had the key does not exist any more: the service names the new one.
        let keepsKey = try Capture.of(db, store.layout)?.keepsKey(of: entity) ?? true
        let omitted = Set(keepsKey ? [] : entity.key.map { columns[$0].name })
        let written = chosen.filter { known.subtracting(omitted).contains($0.column) }
        let list = (["_id"] + written.map(\.column)).map(\.quotedDatabaseIdentifier)
        let expressions = ["?"] + written.map { expression(for: $0.column) }
        try suppressed {
            try db.execute(
                sql: """
                    INSERT INTO \(name.quotedDatabaseIdentifier) (\(list.joined(separator: ", "))) \
                    VALUES (\(expressions.joined(separator: ", ")))
                    """,
                arguments: [row] + StatementArguments(written.map(\.value))
            )
        }
        // The number is not above the watermark, so that the row is not found as a new one.
        try db.execute(
            sql: """
                INSERT INTO _tidemark_change (tree, row, entity, kind) VALUES (?, ?, ?, 'create') \
                ON CONFLICT (tree, row, frozen) DO UPDATE SET kind = 'create', state = 'pending'
                """,
            arguments: [name, row, entity.name]
        )
    }
}

extension Conflicts.Choice {
    fileprivate var decision: Conflict.Decision {
        switch self {
        case .local: .local
        case .remote: .remote
        case .base: .base
        case .values: .values
        }
    }
}

extension StoredVersions {
    /// The value of a version; the local one for given values.
    fileprivate subscript(choice: Conflicts.Choice) -> DatabaseValue {
        switch choice {
        case .local, .values: local
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

    fileprivate static func unrelated(_ name: String, to conflict: Conflict) -> StoreError {
        let known = conflict.properties.map(\.name).joined(separator: ", ")
        return StoreError(
            .invalidValue,
            "Conflict \(conflict.id) of \(conflict.row) is not about an attribute \(name).",
            hint: "It is about \(known)."
        )
    }
}
