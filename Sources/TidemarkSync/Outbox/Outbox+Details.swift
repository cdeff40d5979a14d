public import GRDB
import TidemarkModel
public import TidemarkStore

import struct Foundation.Data
import struct Foundation.Date

extension Outbox {
    /// Returns all that is known about the changes of a row.
    ///
    /// A row has two changes if it was edited after a request whose outcome is not known yet.
    ///
    /// ```swift
    /// let changes = try store.read { reader in
    ///     try Outbox(store).details(reader.db, of: RecordLocator("Note#12"))
    /// }
    /// for change in changes { print(change.request?.body ?? "It was not sent yet.") }
    /// ```
    ///
    /// - Parameters:
    ///   - db: A connection, which may be read-only.
    ///   - row: The row, by its number if it was deleted.
    /// - Returns: The changes, in the order in which they are sent.
    /// - Throws: `StoreError.Code.rowNotFound` if the row has no change; `DatabaseError`.
    public func details(
        _ db: Database,
        of row: RecordLocator
    ) throws -> [LocalChange.Details] {
        let reader = try StoreReader.prepare(db, in: store)
        let all = try reader.capturedChanges() + reader.uncollectedCreations()
        let own = try reader.changes(of: row, among: all)
        let blocked = try blocked(among: all, reader: reader)
        return try own.enumerated().map { index, change in
            let later = index + 1 < own.count ? own[index + 1] : nil
            return LocalChange.Details(
                change: try LocalChange(
                    change,
                    StoredAttempts.all(db, of: change.number)[change.number],
                    blockedBy: blocked[change.number],
                    reader: reader
                ),
                properties: try ChangedProperties.read(change, before: later, reader).all(),
                request: try LocalChange.Request.of(change.number, db)
            )
        }
    }
}

/// The properties that a change of a row is about.
private struct ChangedProperties {
    let change: CapturedChange
    let reader: StoreReader
    let entity: EntityLayout

    /// The values of columns that the service knows.
    let base: [String: DatabaseValue]

    /// The values of columns that a later change has replaced.
    let replaced: [String: DatabaseValue]

    /// The links that a later change has added or removed.
    let relinked: [BaseValue]

    let row: Row?
    let record: StoredRecord?

    /// Reads the row of a change.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - later: The change of the same row that came after its request; nil without one.
    ///   - reader: Reads the row.
    /// - Returns: The properties.
    /// - Throws: `StoreError` if the model lacks the entity; `DatabaseError`.
    static func read(
        _ change: CapturedChange,
        before later: CapturedChange?,
        _ reader: StoreReader
    ) throws -> ChangedProperties {
        let entity = try reader.layout.entity(change.row.entity)
        let table = reader.layout.tables[change.table].name
        return ChangedProperties(
            change: change,
            reader: reader,
            entity: entity,
            base: change.base.columns,
            replaced: later?.base.columns ?? [:],
            relinked: later?.base ?? [],
            row: try Row.fetchOne(
                reader.db,
                sql: "SELECT * FROM \(table.quotedDatabaseIdentifier) WHERE _id = ?",
                arguments: [change.row.number]
            ),
            record: try reader.record(change.row.number, of: entity)
        )
    }

    func all() throws -> [LocalChange.Property] {
        let changed = try change.kind == .update ? reader.changedProperties(of: change) : []
        return try attributes(changed) + relationships(changed)
    }

    // MARK: Attributes

    private func attributes(_ changed: Set<String>) -> [LocalChange.Property] {
        let columns = reader.layout.tables[change.table].columns
        return entity.attributes.compactMap { attribute in
            guard attribute.attribute.json.isExportable || change.kind == .delete else {
                return nil
            }
            let name = attribute.attribute.name
            return property(name, columns[attribute.column].name, changed) { value in
                .value(Value(value, type: attribute.attribute.type))
            }
        }
    }

    /// Returns a property that a column stores; nil if the change is not about it.
    private func property(
        _ name: String,
        _ column: String,
        _ changed: Set<String>,
        _ version: (DatabaseValue) -> Conflict.Version
    ) -> LocalChange.Property? {
        let local = replaced[column] ?? row?[column] as DatabaseValue? ?? .null
        switch change.kind {
        case .create:
            guard !local.isNull else { return nil }
            return LocalChange.Property(name: name, base: nil, local: version(local))
        case .update:
            // A later edit may have restored the value that the service knows.
            let isSent = base[column].map { $0 != local } ?? false
            guard changed.contains(name) || isSent else { return nil }
            let base = base[column] ?? local
            return LocalChange.Property(name: name, base: version(base), local: version(local))
        case .delete:
            guard let base = base[column], !base.isNull else { return nil }
            return LocalChange.Property(name: name, base: version(base), local: nil)
        }
    }

    // MARK: Relationships

    private func relationships(_ changed: Set<String>) throws -> [LocalChange.Property] {
        let columns = reader.layout.tables[change.table].columns
        let sides = try LinkSides.read(reader.db)
        let omitted = reader.layout.relationshipsNotPushed(of: entity, sides: sides)
        return try entity.relationships.compactMap { relationship in
            let name = relationship.relationship.name
            guard !omitted.contains(name) else { return nil }
            if case .column(let column) = relationship.storage {
                let destination = relationship.destination
                return property(name, columns[column].name, changed) { value in
                    .row(reference(value, to: destination))
                }
            }
            return try list(relationship, changed)
        }
    }

    private func reference(_ value: DatabaseValue, to destination: Int) -> RowReference? {
        Int64.fromDatabaseValue(value).map {
            RowReference(reader.layout.entities[destination].name, $0)
        }
    }

    private func list(
        _ relationship: RelationshipLayout,
        _ changed: Set<String>
    ) throws -> LocalChange.Property? {
        let name = relationship.relationship.name
        let stored = record?.links[name] ?? []
        let local = applying(relinked, of: relationship, to: stored)
        switch change.kind {
        case .create:
            guard !local.isEmpty else { return nil }
            return LocalChange.Property(name: name, base: nil, local: .rows(local))
        case .update:
            guard changed.contains(name) else { return nil }
            let base = applying(change.base, of: relationship, to: local)
            return LocalChange.Property(name: name, base: .rows(base), local: .rows(local))
        case .delete:
            let base = applying(change.base, of: relationship, to: [])
            guard !base.isEmpty else { return nil }
            return LocalChange.Property(name: name, base: .rows(base), local: nil)
        }
    }

    /// Returns the links before a change: those that it has added are removed, and the others
    /// added.
    private func applying(
        _ base: [BaseValue],
        of relationship: RelationshipLayout,
        to links: [RowReference]
    ) -> [RowReference] {
        let own = base.filter {
            $0.property == .links(relationship.identifier) && $0.member > 0
        }
        let destination = reader.layout.entities[relationship.destination].name
        let linked = own.filter { $0.value == 1.databaseValue }.map(\.member)
        let others = Set(own.map(\.member)).subtracting(linked)
        let known = Set(links.map(\.number))
        return links.filter { !others.contains($0.number) }
            + linked.filter { !known.contains($0) }.map { RowReference(destination, $0) }
    }
}

extension [BaseValue] {
    /// The base values of the row's columns, by the name of the column.
    fileprivate var columns: [String: DatabaseValue] {
        reduce(into: [:]) { columns, base in
            if case .column(let name) = base.property { columns[name] = base.value }
        }
    }
}

extension LocalChange.Request {
    /// Reads the last request of a change; nil without one.
    fileprivate static func of(_ change: Int64, _ db: Database) throws -> Self? {
        let row = try Row.fetchOne(
            db,
            sql: "SELECT * FROM _tidemark_request WHERE change = ?",
            arguments: [change]
        )
        guard let row, let stored = StoredRequest(row) else { return nil }
        return Self(
            method: stored.method,
            path: stored.path,
            idempotencyKey: stored.idempotencyKey,
            body: stored.body.map { String(decoding: $0, as: UTF8.self) },
            firstAttempt: (row["firstAttempt"] as Double?).map(Date.init(timeIntervalSince1970:)),
            lastAttempt: (row["lastAttempt"] as Double?).map(Date.init(timeIntervalSince1970:))
        )
    }
}
