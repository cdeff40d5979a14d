package import GRDB
import TidemarkModel

/// The keys under which the service knows rows whose keys were changed here.
///
/// It has such an object under the former key until it has taken the change: that is the base value
/// of a change that was not sent. Once the change was sent, the object may have either key, until
/// an object of the service shows one.
///
/// The rows are read once, when an import needs them. The response to a change does only if it
/// refers to a row that is not stored.
package final class ServiceKeys {
    private let unpushed: UnpushedRows
    private var formers: [KeyColumns: Formers] = [:]

    /// The formers that were used last: all objects of a list have the same key.
    private var last: (columns: KeyColumns, formers: Formers)?

    /// The columns of a key, and the index of their table.
    package struct KeyColumns: Hashable, Sendable {
        let columns: [Int]
        let table: Int

        package init(_ columns: [Int], of table: Int) {
            self.columns = columns
            self.table = table
        }
    }

    /// A row that had a key.
    private struct Former {
        let row: Int64

        /// Whether the service was sent another key.
        let isReplaced: Bool
    }

    /// The rows whose keys were changed, also by the keys that they had.
    private struct Formers {
        var rows: Set<Int64> = []
        var byKey: [[DatabaseValue]: Former] = [:]
    }

    package init(_ unpushed: UnpushedRows) {
        self.unpushed = unpushed
    }

    /// Returns the row of the object that the service has under a key.
    ///
    /// - Parameters:
    ///   - key: The values of the key.
    ///   - columns: Its columns.
    ///   - stored: The row that has the key in the store; nil without one.
    /// - Returns: The row; nil if the object is not stored, although a row may have its key.
    /// - Throws: `DatabaseError`.
    package func row(
        withKey key: @autoclosure () -> [DatabaseValue],
        in columns: KeyColumns,
        storedAs stored: Int64?
    ) throws -> Int64? {
        guard let stored else {
            // Most objects of a list need no key that can be compared.
            guard try !formers(in: columns).byKey.isEmpty else { return nil }
            return try former(key(), in: columns)?.row
        }
        guard let changes = try unpushed.changes(of: stored, in: columns.table) else {
            return stored
        }
        let isNew = changes.isCreation && changes.sentCreation == nil
        let isRenamed = try hasUnsentKey(stored, in: columns)
        guard isNew || isRenamed else { return stored }
        return try former(key(), in: columns)?.row ?? (isRenamed ? nil : stored)
    }

    /// Returns whether a row had a key, and the service was sent another one for its object.
    package func isReplaced(_ key: [DatabaseValue], in columns: KeyColumns) throws -> Bool {
        try former(key, in: columns)?.isReplaced == true
    }

    /// Returns whether the service has accepted a new key of a row, and shown no object with it.
    package func hasUnconfirmedKey(_ row: Int64, in columns: KeyColumns) throws -> Bool {
        guard try formers(in: columns).rows.contains(row),
            let change = try unpushed.acknowledged(row, in: columns.table),
            change.kind != .delete
        else { return false }
        return names(of: columns).contains { change.formers[.init($0)] != nil }
    }

    /// Returns whether a list has shown the object of a row under its former key, although the
    /// service has accepted a new one.
    package func showsFormerKey(_ row: Int64, in columns: KeyColumns) throws -> Bool {
        let shown = try AcknowledgedChanges(unpushed.db, unpushed.layout)
            .shownFormers(of: row, in: columns.table)
        return names(of: columns).contains { shown[.init($0)] != nil }
    }

    /// Returns whether the service knows a row by another key, and was not sent the present one.
    private func hasUnsentKey(_ row: Int64, in columns: KeyColumns) throws -> Bool {
        guard let open = try unpushed.changes(of: row, in: columns.table)?.open else {
            return false
        }
        let base = try unpushed.columns(of: open)
        let known = names(of: columns).compactMap { name in base[name].map { (name, $0) } }
        guard !known.isEmpty, let stored = try unpushed.storedRow(row, in: columns.table) else {
            return false
        }
        // A row that was deleted and inserted again has all its base values.
        return known.contains { name, value in
            !value.isNull && value != (stored[name] as DatabaseValue)
        }
    }

    private func former(_ key: [DatabaseValue], in columns: KeyColumns) throws -> Former? {
        guard let found = try formers(in: columns).byKey[key] else { return nil }
        // It may have been confirmed, or decided about, since it was read.
        guard found.isReplaced else {
            return try hasUnsentKey(found.row, in: columns) ? found : nil
        }
        let isOpen =
            try unpushed.changes(of: found.row, in: columns.table)?.frozen != nil
            || hasUnconfirmedKey(found.row, in: columns)
        return isOpen ? found : nil
    }

    private func names(of columns: KeyColumns) -> [String] {
        columns.columns.map { unpushed.name(ofColumn: $0, in: columns.table) }
    }

    // MARK: Reading

    /// The values that a row had in the columns of its key, by column.
    private typealias Values = [String: [DatabaseValue]]

    private func formers(in columns: KeyColumns) throws -> Formers {
        if let last, last.columns == columns { return last.formers }
        let found = try formers[columns] ?? readFormers(in: columns)
        formers[columns] = found
        last = (columns, found)
        return found
    }

    private func readFormers(in columns: KeyColumns) throws -> Formers {
        let names = names(of: columns)
        var found = Formers()
        for (row, steps) in try changedKeys(names, of: columns.table)
            .sorted(by: { $0.key < $1.key })
        {
            guard let stored = try unpushed.storedRow(row, in: columns.table) else { continue }
            found.rows.insert(row)
            let current = names.map { stored[$0] as DatabaseValue }
            var key = current
            // From the last change to the first.
            for (step, values) in steps.sorted(by: { $0.key < $1.key }) {
                let known = key
                for index in 0..<(values.values.map(\.count).max() ?? 0) {
                    key = names.indices.map { part in
                        values[names[part]].map { $0[min(index, $0.count - 1)] } ?? known[part]
                    }
                    let isReplaced = step > 0
                    guard key != current, !key.contains(where: \.isNull),
                        found.byKey[key].map({ $0.isReplaced && !isReplaced }) ?? true
                    else { continue }
                    found.byKey[key] = Former(row: row, isReplaced: isReplaced)
                }
            }
        }
        return found
    }

    /// Returns the former values of keys, by row: those before the open change (0), before the one
    /// that was sent (1), and before those that the service has accepted (2).
    private func changedKeys(_ names: [String], of table: Int) throws -> [Int64: [Int: Values]] {
        let marks = databaseQuestionMarks(count: names.count)
        let arguments = StatementArguments([unpushed.name(of: table)] + names)
        // CROSS JOIN: the base values of other changes are not looked at.
        let values = try Row.fetchCursor(
            unpushed.db,
            sql: """
                SELECT c.row, c.frozen, b.property, b.value FROM _tidemark_change c \
                CROSS JOIN _tidemark_base b ON b.change = c._id WHERE c.tree = ? \
                AND c.kind = 'update' AND b.property IN (\(marks)) AND b.member = 0 \
                UNION ALL \
                SELECT a.row, 2, f.property, f.value FROM _tidemark_acknowledged a \
                CROSS JOIN _tidemark_former f ON f.change = a._id WHERE a.tree = ? \
                AND f.property IN (\(marks)) AND f.member = 0 AND a.waits AND a.kind <> 'delete'
                """,
            arguments: arguments + arguments
        )
        var changed: [Int64: [Int: Values]] = [:]
        while let value = try values.next() {
            let (row, step, property): (Int64, Int, String) = (value[0], value[1], value[2])
            changed[row, default: [:]][step, default: [:]][property, default: []].append(value[3])
        }
        return changed
    }
}
