package import GRDB
import TidemarkJSON
import TidemarkModel
package import TidemarkStore

/// Decisions about objects without a key, which are recorded as JSON.
extension Importer {
    /// Returns the objects that a relationship of a row contains, as the service knows them.
    ///
    /// - Parameters:
    ///   - db: A connection that writes to the importer's store, inside a transaction.
    ///   - relationship: A relationship to an entity without a primary key.
    ///   - row: The row.
    ///   - change: The change of the row that was not pushed; nil without one.
    /// - Returns: An object with the relationship alone, as JSON.
    /// - Throws: ``ImportError`` if a value cannot be written as JSON; `DatabaseError`.
    package func knownParts(
        _ db: Database,
        _ relationship: RelationshipLayout,
        of row: RowReference,
        before change: CapturedChange?
    ) throws -> String {
        let writer = try StoreWriter.prepare(db, in: store)
        guard let change, change.kind == .update else {
            return try text(of: relationship, row, writer)
        }
        return try writer.knownParts(relationship, before: change, in: store) { reader in
            try text(of: relationship, row, reader)
        }
        .value
    }

    /// Returns the objects that a row contains, as the service has known them before a change, by
    /// relationship; only of relationships that the change may have changed.
    ///
    /// - Parameters:
    ///   - change: The change, which is still in the outbox.
    ///   - later: The change with the edits since its request was stored; nil without any.
    ///   - reader: A reader of the transaction.
    /// - Returns: Objects with the relationship alone, as JSON.
    /// - Throws: ``ImportError`` if a value cannot be written as JSON; `DatabaseError`.
    func formerParts(
        of change: CapturedChange,
        before later: CapturedChange?,
        _ reader: StoreReader
    ) throws -> [AcknowledgedChange.Property: [DatabaseValue]] {
        guard change.kind == .update else { return [:] }
        var formers: [AcknowledgedChange.Property: [DatabaseValue]] = [:]
        let entity = try reader.layout.entity(change.row.entity)
        for relationship in entity.relationships
        where reader.changesParts(change, of: relationship) {
            // Nothing is confirmed of a row that was deleted meanwhile.
            guard later?.kind != .delete else { return [:] }
            func text() throws -> String {
                try knownParts(reader.db, relationship, of: change.row, before: change)
            }
            let former =
                try later.map { later in
                    try StoreWriter.prepare(reader.db, in: store)
                        .knownParts(relationship, before: later, in: store) { _ in try text() }
                        .value
                } ?? text()
            formers[.init(relationship.identifier)] = [former.databaseValue]
        }
        return formers
    }

    /// Replaces the objects that a relationship of a row contains, as a local change.
    ///
    /// - Parameters:
    ///   - db: A connection that writes to the importer's store, inside a transaction.
    ///   - relationship: A relationship to an entity without a primary key.
    ///   - row: The row.
    ///   - chosen: The objects, as ``knownParts(_:_:of:before:)`` returns them.
    ///   - remote: What the service has; nil if the change of the row says so.
    ///   - change: The change of the row that was not pushed; nil without one.
    /// - Throws: ``ImportError`` if a value breaks a rule of the model; `DatabaseError`.
    package func replaceParts(
        _ db: Database,
        _ relationship: RelationshipLayout,
        of row: RowReference,
        with chosen: String,
        insteadOf remote: String?,
        in change: CapturedChange?
    ) throws {
        if let remote, let change, change.kind == .update,
            let unpushed = try UnpushedRows.read(db, store.layout)
        {
            let writer = try StoreWriter.prepare(db, in: store)
            let known = try writer.knownParts(relationship, before: change, in: store) { _ in }
            let local = try writer.parts(relationship, of: row.number)
            try Capture.of(db, store.layout)?.suppressed {
                try replaceParts(db, of: row, with: remote)
            }
            let present = try writer.parts(relationship, of: row.number)
            try unpushed.dropParts(
                relationship,
                in: change.number,
                of: [known.parts, local, present]
            )
        }
        try replaceParts(db, of: row, with: chosen)
    }

    private func replaceParts(_ db: Database, of row: RowReference, with json: String) throws {
        let run = try ImportRun(
            db,
            importer: self,
            options: ImportOptions(),
            retries: .disabled
        )
        let entity = try run.entity(named: row.entity)
        var context = ObjectContext(operations: run.options.permitted)
        context.row = .number(row.number)
        try JSONDocument(Array(json.utf8), limits: limits.json).withRoot { object in
            _ = try ItemImport(run).importObject(object, into: entity, context: context)
        }
        try run.writer.finish()
    }

    /// Returns the objects of a relationship as the JSON of a request.
    func text(
        of relationship: RelationshipLayout,
        _ row: RowReference,
        _ reader: StoreReader
    ) throws -> String {
        let object = try exporter(keys: .snake, change: ChangeFormat()).changedObject(
            reader.record(RecordLocator(row)),
            only: [relationship.relationship.name],
            reader: reader
        )
        return String(decoding: object.json(), as: UTF8.self)
    }
}
