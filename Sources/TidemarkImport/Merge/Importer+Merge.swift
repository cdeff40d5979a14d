package import GRDB
package import TidemarkJSON
import TidemarkModel
package import TidemarkStore

/// Where an object that is merged into a row comes from.
package enum MergedObject: Sendable {
    /// It is the response to a change of the row, which is removed already: what was changed since
    /// is newer.
    case response

    /// It was read. A local change that was not pushed may contradict it.
    case reading
}

extension Importer {
    /// Merges an object of the service into a row.
    ///
    /// The row gets the values of the object, such as its primary key and those that the service
    /// has computed, except for properties that were changed locally: see ``MergedObject``. To-many
    /// lists are ignored, because a new parent comes back without the children that are sent after
    /// it.
    ///
    /// - Parameters:
    ///   - db: A connection that writes to the importer's store, inside a transaction.
    ///   - object: The object.
    ///   - row: The row.
    ///   - source: Where the object comes from.
    /// - Throws: ``ImportError`` if a value of the object breaks a rule of the model;
    ///   `DatabaseError`.
    package func merge(
        _ db: Database,
        _ object: JSONNode,
        into row: RowReference,
        as source: MergedObject
    ) throws {
        try writing(db, from: .service) {
            let run = try run(db, merging: row, as: source)
            var context = ObjectContext(operations: run.options.operations)
            context.row = .number(row.number)
            context.ignoresLists = true
            _ = try ItemImport(run)
                .importObject(object, into: run.entity(named: row.entity), context: context)
            try run.writer.finish()
        }
    }

    /// Merges an object that was read with the deletion of its row, which was not pushed yet.
    ///
    /// - Parameters:
    ///   - db: A connection that writes to the importer's store, inside a transaction.
    ///   - object: The object.
    ///   - deletion: The deletion.
    /// - Returns: Whether the object has not changed since. Otherwise the row exists again, with
    ///   the values of the object.
    /// - Throws: `DatabaseError`.
    package func mergeDeletion(
        _ db: Database,
        _ object: JSONNode,
        _ deletion: CapturedChange
    ) throws -> Bool {
        try writing(db, from: .service) {
            let run = try run(db, merging: deletion.row, as: .reading)
            guard let resolver = run.resolver else { return true }
            let entity = try run.entity(named: deletion.row.entity)
            let read = ObjectImport(
                object,
                of: entity,
                context: ObjectContext(operations: run.options.operations),
                in: run
            )
            read.readMembers()
            _ = try read.readKey()
            try read.readValues()
            guard try read.hasChanged(since: deletion, resolver) else { return true }
            try read.restore(deletion, resolver)
            return false
        }
    }

    private func run(
        _ db: Database,
        merging row: RowReference,
        as source: MergedObject
    ) throws -> ImportRun {
        var options = ImportOptions(operations: .upsert)
        options.origin = .service
        let table = try store.layout.entity(row.entity).table
        return try ImportRun(
            db,
            importer: self,
            options: options,
            retries: .disabled,
            acknowledging: source == .response
                ? ConflictResolver.MergedRow(table: table, number: row.number) : nil
        )
    }
}
