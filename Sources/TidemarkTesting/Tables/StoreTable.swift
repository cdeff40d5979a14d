package import GRDB
import TidemarkModel
public import TidemarkStore

/// The rows of a store as text tables, in the format of ``table(of:_:)``.
package struct StoreTable {
    /// The identification of rows in a table.
    package enum Rows: Sendable, Hashable, CaseIterable {
        /// By row number, sorted by it.
        case numbered
        /// By their contents, sorted as text. Stores with the same rows in a different order have
        /// equal tables.
        case anonymous
    }

    private let store: Store
    private let rows: Rows

    /// Creates the tables of a store.
    ///
    /// Nothing is read until ``text(_:_:)`` is called.
    package init(_ store: Store, rows: Rows = .numbered) {
        self.store = store
        self.rows = rows
    }

    /// Returns the tables of some entities, or of all if none are given.
    ///
    /// The table of an entity includes the rows of the entities that inherit from it.
    ///
    /// - Throws: `StoreError` if the model has no such entity, `DatabaseError`.
    package func text(_ db: Database, _ entities: [String] = []) throws -> String {
        let names = entities.isEmpty ? store.layout.tables.map(\.name) : entities
        return try store.read(in: db) { reader in
            var cells = StoreCells(reader, rows: rows)
            var tables = try names.map { try table(of: store.layout.entity($0), cells: &cells) }
            if let unresolved = try unresolved(&cells) { tables.append(unresolved) }
            return tables.joined(separator: "\n\n")
        }
    }

    private func table(of entity: EntityLayout, cells: inout StoreCells) throws -> String {
        let records = try cells.reader.fetch(RecordRequest(entity.name, links: .all))
        guard !records.isEmpty else { return "\(entity.name): no rows" }
        let family = try self.family(entity).map(store.layout.entity)
        let attributes = union(family.map { $0.attributes.map(\.attribute.name) })
        let relationships = union(family.map { $0.relationships.map(\.relationship.name) })
        var lines = AlignedText(
            header: (rows == .numbered ? ["#"] : []) + (family.count > 1 ? ["entity"] : [])
                + attributes + relationships
        )
        for record in records {
            let own = try store.layout.entity(record.reference.entity)
            lines.add(
                (rows == .numbered ? ["\(record.reference.number)"] : [])
                    + (family.count > 1 ? [own.name] : [])
                    + attributes.map { name in
                        own.attribute(name).map { _ in cells.text(record[name]) } ?? ""
                    }
                    + (try relationships.map { name in
                        try own.relationship(name).map {
                            try cells.text(record.links[name] ?? [], of: $0.relationship)
                        } ?? ""
                    })
            )
        }
        return "\(entity.name)\n" + lines.text(isSorted: rows == .anonymous)
    }

    /// Returns the entity and those that inherit from it, in the order of the model.
    private func family(_ entity: EntityLayout) -> [String] {
        let members = entity.family ?? store.layout.tables[entity.table].entities
        return [entity.name] + members.filter { $0 != entity.name }
    }

    private func union(_ lists: [[String]]) -> [String] {
        var known: Set<String> = []
        return lists.joined().filter { known.insert($0).inserted }
    }

    private func unresolved(_ cells: inout StoreCells) throws -> String? {
        let references = try Row.fetchAll(
            cells.reader.db,
            sql: """
                SELECT relationship, owner, quote("key"), position FROM _tidemark_held \
                ORDER BY relationship, owner, position, quote("key")
                """
        )
        guard !references.isEmpty else { return nil }
        var lines = AlignedText(header: ["relationship", "owner", "key", "position"])
        for row in references {
            let position: Int64? = row[3]
            lines.add([
                row[0], try cells.owner(row[1], of: row[0]), row[2],
                position.map(String.init) ?? StoreCells.noValue,
            ])
        }
        return "Unresolved\n" + lines.text(isSorted: rows == .anonymous)
    }
}

/// Returns the rows of a store as text tables, for tests that compare whole states.
///
/// One comparison shows every row, value and link, so that a test also notices what it does not
/// expect. The tables are those of some entities, or of all if none are given; that of an entity
/// includes the rows of the entities that inherit from it.
///
/// ```swift
/// #expect(
///     try table(of: store, "User") == """
///         User
///         #  id  name  company
///         1  6   Ada   1
///         2  7   Bob   -
///         """
/// )
/// ```
///
/// A linked row is represented by its primary key, or by its number (`#3`) if it has no key; a
/// to-many relationship by a list in brackets. A missing value is `-`. Texts that are ambiguous are
/// quoted. Dates are written in ISO 8601, and bytes as `x'0aff'`. Unresolved references, if there
/// are any, are listed in a separate table `Unresolved`. The columns are those of the model, in its
/// order, after the row number.
///
/// - Parameters:
///   - store: The store. It is read in one transaction.
///   - entities: The names of the entities.
/// - Returns: The tables, separated by an empty line.
/// - Throws: `StoreError` if the model has no such entity, `DatabaseError`.
public func table(of store: Store, _ entities: String...) throws -> String {
    try store.writer.read { db in try StoreTable(store).text(db, entities) }
}
