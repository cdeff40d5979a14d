import GRDB
import TidemarkModel

import struct Foundation.Data

/// Local changes that are undone.
extension StoreWriter {
    /// Restores the rows of local changes as the service knows them, and forgets the changes.
    ///
    /// Rows that were created are deleted, with other creations that the delete rules of the model
    /// delete with them. Rows that were deleted are inserted again under their numbers. Values that
    /// are not recorded, such as those of attributes that are not exportable, stay as they are.
    ///
    /// - Parameter discarded: The changes.
    /// - Returns: The numbers of deleted rows by entity, those deleted by a cascade included.
    /// - Throws: ``StoreError/Code/dependentChange`` if a restored reference leads to a row that is
    ///   not stored; `DatabaseError`, also if a row whose change is kept has a unique value that is
    ///   to be restored.
    @discardableResult
    package func discard(_ discarded: [CapturedChange]) throws -> [String: Int] {
        guard let capture = try Capture.of(db, layout) else { return [:] }
        // The changes that are discarded do not protect the links that they have removed.
        let conflicts = linkConflicts
        linkConflicts = nil
        defer { linkConflicts = conflicts }
        return try capture.suppressed {
            try capture.forgetReplaced()
            let left = Set(try capturedChanges(discarded.map(\.number)).map(\.number))
            let discarded = discarded.filter { left.contains($0.number) }
            let updates = discarded.filter { $0.kind == .update }
            let deletions = discarded.filter { $0.kind == .delete }
            // References first: a created row must not take rows with it that belong to others.
            if discarded.count > 1 {
                for change in discarded where change.kind != .delete { try releaseUnique(change) }
            }
            for change in updates { try restoreColumns(of: change, references: true) }
            let deleted = try removeCreated(discarded.filter { $0.kind == .create })
            for change in deletions { try reinsert(change) }
            for change in updates { try restoreColumns(of: change, references: false) }
            try restoreParts(of: updates + deletions)
            for change in updates + deletions { try restoreLinks(of: change) }
            for change in updates + deletions { try expectReferences(of: change) }
            for change in discarded { try forget(change) }
            return deleted
        }
    }

    // MARK: Creations

    /// Deletes rows that were created locally, with creations that a delete rule deletes with them.
    ///
    /// The delete rules do not apply to other rows: nothing is deleted at the service.
    private func removeCreated(_ created: [CapturedChange]) throws -> [String: Int] {
        var parts: [TableRow] = []
        for change in created {
            try releaseReferences(to: change)
            parts += try unlinkOthers(change)
        }
        let rows = Dictionary(grouping: created, by: \.table).mapValues { $0.map(\.row.number) }
        var deleted: [String: Int] = [:]
        while true {
            let outcome = try delete(rows, isRemembered: false)
            deleted.merge(outcome.deleted, uniquingKeysWith: +)
            guard !outcome.denials.isEmpty else { break }
            for denial in outcome.denials {
                guard let relationship = layout.relationships[denial.relationship] else { continue }
                for other in try linked(relationship, of: denial.row) {
                    try removeLink(relationship, of: denial.row, to: other)
                }
            }
        }
        for part in parts where try exists(part.number, in: part.table) && !isContained(part) {
            let outcome = try delete([part.table: [part.number]], isRemembered: false)
            deleted.merge(outcome.deleted, uniquingKeysWith: +)
        }
        return deleted
    }

    /// Removes the links of a created row to rows that were not created, and returns the rows that
    /// it contains.
    private func unlinkOthers(_ change: CapturedChange) throws -> [TableRow] {
        var parts: [TableRow] = []
        // Another program may have set a column that the row's own entity does not have.
        for relationship in layout.relationships.values where relationship.table == change.table {
            let destination = layout.entities[relationship.destination]
            for other in try linked(relationship, of: change.row.number) {
                let row = TableRow(table: destination.table, number: other)
                if destination.key.isEmpty {
                    parts.append(row)
                } else if try !isCreated(row) {
                    try removeLink(relationship, of: change.row.number, to: other)
                }
            }
        }
        return parts
    }

    private func isCreated(_ row: TableRow) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT 1 FROM _tidemark_change \
                    WHERE tree = ? AND row = ? AND frozen = 0 AND kind = 'create'
                    """
            ),
            arguments: [layout.tables[row.table].name, row.number]
        ) != nil
    }

    /// Restores the references of updated rows to a created one: the cascade of its deletion must
    /// not follow them.
    private func releaseReferences(to change: CapturedChange) throws {
        let name = layout.tables[change.table].name
        for (table, source) in layout.tables.enumerated() {
            for column in source.columns {
                guard case .reference(let reference) = column.content, reference.table == name
                else { continue }
                let found = try Row.fetchAll(
                    db.cachedStatement(
                        sql: """
                            SELECT c._id, c.row, b.value FROM \(self.name(of: table)) t \
                            JOIN _tidemark_change c ON c.tree = ?1 AND c.row = t._id \
                            AND c.kind = 'update' JOIN _tidemark_base b ON b.change = c._id \
                            AND b.property = ?2 AND b.member = 0 \
                            WHERE t.\(column.name.quotedDatabaseIdentifier) = ?3
                            """
                    ),
                    arguments: [source.name, column.name, change.row.number]
                )
                for row in found {
                    try assign([(column.name, row[2])], to: row[1], in: table)
                    try db.cachedStatement(
                        sql: "DELETE FROM _tidemark_base WHERE change = ? AND property = ?"
                    )
                    .execute(arguments: [row[0] as Int64, column.name])
                }
            }
        }
    }

    private func forget(_ change: CapturedChange) throws {
        for (table, column) in [("_tidemark_base", "change"), ("_tidemark_change", "_id")] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE \(column) = ?")
                .execute(arguments: [change.number])
        }
    }

    // MARK: Columns

    /// Replaces the unique values of a row that are to be restored: rows may have exchanged them.
    private func releaseUnique(_ change: CapturedChange) throws {
        let table = layout.tables[change.table]
        let unique = Set((table.keys + table.uniques).joined())
        let names = Set(change.columns.map(\.name))
        let released = table.columns.enumerated().filter { index, column in
            (unique.contains(index) || column.isUniqueReference)
                && (change.kind == .create || names.contains(column.name))
        }
        try assign(
            released.map { ($1.name, $1.placeholder(for: change.row.number)) },
            to: change.row.number,
            in: change.table
        )
    }

    private func restoreColumns(of change: CapturedChange, references: Bool) throws {
        let table = layout.tables[change.table]
        let values = change.columns.filter { value in
            (table.column(named: value.name)?.isReference ?? false) == references
        }
        try assign(values, to: change.row.number, in: change.table)
        recordRestored(change)
    }

    func assign(
        _ values: [(name: String, value: DatabaseValue)],
        to row: Int64,
        in table: Int
    ) throws {
        guard !values.isEmpty else { return }
        let list = values.map { "\($0.name.quotedDatabaseIdentifier) = ?" }
        try db.cachedStatement(
            sql: """
                UPDATE \(name(of: table)) SET \(list.joined(separator: ", ")) WHERE _id = ?
                """
        )
        .execute(arguments: StatementArguments(values.map(\.value) + [row.databaseValue]))
    }

    /// Inserts a deleted row again.
    private func reinsert(_ change: CapturedChange) throws {
        try insert(change.columns, as: change.row.number, in: change.table)
        changes(in: change.table).inserted.insert(change.row.number)
    }

    func insert(
        _ values: [(name: String, value: DatabaseValue)],
        as row: Int64,
        in table: Int
    ) throws {
        let columns = values.map { ", \($0.name.quotedDatabaseIdentifier)" }.joined()
        let marks = String(repeating: ", ?", count: values.count)
        try db.cachedStatement(
            sql: "INSERT INTO \(name(of: table)) (_id\(columns)) VALUES (?\(marks))"
        )
        .execute(arguments: StatementArguments([row.databaseValue] + values.map(\.value)))
    }

    /// Records that a row has other values, so that unresolved references find a key that it has
    /// again.
    private func recordRestored(_ change: CapturedChange) {
        let table = layout.tables[change.table]
        let restored = Set(change.columns.map(\.name))
        let keys = Set(table.keys.joined()).map { table.columns[$0].name }
        if !restored.isDisjoint(with: keys) {
            recordKeyChange(of: change.row.number, in: change.table)
        }
    }

    /// Checks that the restored references of a row lead to stored rows.
    ///
    /// One to a row that another program has replaced without a trace becomes null.
    private func expectReferences(of change: CapturedChange) throws {
        let table = layout.tables[change.table]
        for (name, value) in change.columns {
            guard let column = table.column(named: name),
                case .reference(let reference) = column.content,
                let other = Int64.fromDatabaseValue(value),
                try !expectStored(
                    other,
                    in: reference.table,
                    for: change,
                    isNeeded: column.isRequired
                )
            else { continue }
            try assign([(name, .null)], to: change.row.number, in: change.table)
        }
    }

    /// Checks that a row is stored that a change has referred to.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - table: The name of its table.
    ///   - change: The change.
    ///   - isNeeded: Whether the reference can not be removed.
    /// - Returns: Whether the row is stored.
    /// - Throws: ``StoreError/Code/dependentChange`` if it was deleted by a change that is kept, or
    ///   is needed; `DatabaseError`.
    func expectStored(
        _ row: Int64,
        in table: String,
        for change: CapturedChange,
        isNeeded: Bool = false
    ) throws -> Bool {
        if try isStored(row, in: table) { return true }
        if try isDeleted(row, in: table) {
            throw StoreError(
                .dependentChange,
                "\(change.row) referred to \(table)#\(row), which was deleted locally.",
                hint: "Discard the change of \(table)#\(row) first."
            )
        }
        guard isNeeded else { return false }
        throw StoreError(
            .dependentChange,
            "\(change.row) referred to \(table)#\(row), which another program has replaced.",
            hint: "Let it refer to another row, and push it instead."
        )
    }

    private func isStored(_ row: Int64, in table: String) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT 1 FROM \(table.quotedDatabaseIdentifier) WHERE _id = ?"
            ),
            arguments: [row]
        ) != nil
    }

    /// Replaces references to rows that are not stored: a contained row may have been moved to a
    /// row that was created and discarded.
    func clearingDangling(
        _ values: [(name: String, value: DatabaseValue)],
        in table: Int
    ) throws -> [(name: String, value: DatabaseValue)] {
        try values.map { name, value in
            guard
                case .reference(let reference)? = layout.tables[table].column(named: name)?
                    .content,
                let row = Int64.fromDatabaseValue(value),
                try !isStored(row, in: reference.table)
            else { return (name, value) }
            return (name, .null)
        }
    }
}

extension CapturedChange {
    /// The base values of the row's columns.
    fileprivate var columns: [(name: String, value: DatabaseValue)] {
        base.compactMap { base in
            guard case .column(let name) = base.property else { return nil }
            return (name, base.value)
        }
    }
}

extension TableLayout {
    /// Returns the column with a name.
    func column(named name: String) -> Column? { columns.first { $0.name == name } }
}

extension TableLayout.Column {
    fileprivate var isReference: Bool {
        if case .reference = content { true } else { false }
    }

    fileprivate var isUniqueReference: Bool {
        if case .reference(let reference) = content { reference.isUnique } else { false }
    }

    /// Returns a value that no other row has, until the row gets its own.
    fileprivate func placeholder(for row: Int64) -> DatabaseValue {
        guard isRequired, case .attribute(let type) = content else { return .null }
        return switch type.storageClass {
        case "INTEGER": (Int64.min + row).databaseValue
        case "REAL": (-Double(row) * 1e280).databaseValue
        case "BLOB": Data("tidemark \(row)".utf8).databaseValue
        default: "tidemark \(row)".databaseValue
        }
    }
}
