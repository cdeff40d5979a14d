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
    /// lists of a response are ignored, because a new parent comes back without the children that
    /// are sent after it. Nothing is merged into a row that does not exist any more.
    ///
    /// - Parameters:
    ///   - db: A connection that writes to the importer's store, inside a transaction.
    ///   - object: The object.
    ///   - row: The row.
    ///   - source: Where the object comes from.
    ///   - reader: A reader of the transaction whose prepared statements are used, if the
    ///     transaction does not record what it writes; nil for none.
    /// - Throws: ``ImportError`` if a value of the object breaks a rule of the model;
    ///   `DatabaseError`.
    package func merge(
        _ db: Database,
        _ object: JSONNode,
        into row: RowReference,
        as source: MergedObject,
        sharing reader: StoreReader? = nil
    ) throws {
        try merging(db, sharing: reader) {
            let run = try run(db, merging: row, as: source, sharing: reader)
            let entity = try run.entity(named: row.entity)
            // Another program has replaced the row while a request was sent: the row that has the
            // key now has changes of its own.
            guard try run.reader.exists(row.number, of: entity.plan.entity) else { return }
            if source == .response, let other = try run.duplicate(of: row, object, entity) {
                try run.deduplicate(other, into: row, entity)
            }
            var context = ObjectContext(operations: run.options.operations)
            context.row = .number(row.number)
            context.ignoresLists = source == .response
            _ = try ItemImport(run).importObject(object, into: entity, context: context)
            // An interrupted session cannot find the new row in its list, which it has requested
            // before.
            if source == .response { try run.markSeenInOtherSessions(than: nil, from: entity) }
            try run.writer.finish()
        }
    }

    /// Merges an object that was read with the deletion of its row, which was not pushed yet.
    ///
    /// - Parameters:
    ///   - db: A connection that writes to the importer's store, inside a transaction.
    ///   - object: The object.
    ///   - deletion: The deletion.
    ///   - reader: A reader of the transaction whose prepared statements are used, if the
    ///     transaction does not record what it writes; nil for none.
    /// - Returns: Whether the object has not changed since. Otherwise the row exists again, with
    ///   the values of the object.
    /// - Throws: `DatabaseError`.
    package func mergeDeletion(
        _ db: Database,
        _ object: JSONNode,
        _ deletion: CapturedChange,
        sharing reader: StoreReader? = nil
    ) throws -> Bool {
        try comparing(object, with: deletion, db, sharing: reader) { read, resolver in
            try !read.restoresRow(of: deletion, resolver)
        } ?? true
    }

    /// Returns whether an object that was read has all values that a creation of unknown outcome
    /// has sent: it is the object of the row then.
    package func hasSentValues(
        _ db: Database,
        _ object: JSONNode,
        _ creation: CapturedChange
    ) throws -> Bool {
        try comparing(object, with: creation, db) { read, resolver in
            try read.hasSentValues(of: creation.row.number, resolver)
        } ?? false
    }

    /// Returns the columns in which an object that was read has certain values.
    ///
    /// - Parameters:
    ///   - db: A connection that writes to the importer's store, inside a transaction.
    ///   - object: The object.
    ///   - change: The change whose base values are compared.
    /// - Returns: The names of the columns.
    /// - Throws: `DatabaseError`.
    package func columns(
        _ db: Database,
        of object: JSONNode,
        equalToBaseOf change: CapturedChange
    ) throws -> Set<String> {
        try comparing(object, with: change, db) { read, resolver in
            try read.columns(equalToBaseOf: change, resolver)
        } ?? []
    }

    /// Records the key of a row that was deleted before the response to its creation came.
    ///
    /// - Parameters:
    ///   - db: A connection that writes to the importer's store, inside a transaction.
    ///   - object: The object in the response.
    ///   - deletion: The deletion.
    /// - Returns: Whether the object has a key.
    /// - Throws: `DatabaseError`.
    package func name(
        _ db: Database,
        _ object: JSONNode,
        _ deletion: CapturedChange
    ) throws -> Bool {
        try comparing(object, with: deletion, db) { read, resolver in
            guard read.entity.plan.key.allSatisfy({ read.frame.isGiven[$0] }) else { return false }
            try read.name(deletion.number, resolver)
            return true
        } ?? false
    }

    /// Reads the values of an object without importing it, and passes it to `body`.
    ///
    /// - Returns: The value that `body` returns; nil if no row has local changes.
    private func comparing<Value>(
        _ object: JSONNode,
        with change: CapturedChange,
        _ db: Database,
        sharing reader: StoreReader? = nil,
        _ body: (ObjectImport, ConflictResolver) throws -> Value
    ) throws -> Value? {
        try merging(db, sharing: reader) {
            let run = try run(db, merging: change.row, as: .reading, sharing: reader)
            guard let resolver = run.resolver else { return nil }
            let read = try run.read(object, run.entity(named: change.row.entity))
            try read.readValues()
            return try body(read, resolver)
        }
    }

    /// Runs a body whose writes are not recorded, as the service has sent them.
    private func merging<T>(
        _ db: Database,
        sharing reader: StoreReader?,
        _ body: () throws -> T
    ) throws -> T {
        // Checked once for all objects of the transaction.
        try reader == nil ? writing(db, from: .service, body) : body()
    }

    private func run(
        _ db: Database,
        merging row: RowReference,
        as source: MergedObject,
        sharing reader: StoreReader?
    ) throws -> ImportRun {
        var options = ImportOptions(operations: .upsert)
        options.origin = .service
        let table = try store.layout.entity(row.entity).table
        return try ImportRun(
            db,
            importer: self,
            options: options,
            retries: .disabled,
            loading: .asNeeded,
            sharing: reader,
            acknowledging: source == .response
                ? ConflictResolver.MergedRow(table: table, number: row.number) : nil
        )
    }
}

extension ImportRun {
    /// Returns an object whose key was read without importing it.
    fileprivate func read(_ object: JSONNode, _ entity: EntityImport) throws -> ObjectImport {
        let context = ObjectContext(operations: options.operations)
        let read = try reader(of: object, in: entity, context: context)
        read.readMembers()
        _ = try read.readKey()
        return read
    }

    /// Returns the row that has the key of an object, if the object's own row has none yet.
    fileprivate func duplicate(
        of row: RowReference,
        _ object: JSONNode,
        _ entity: EntityImport
    ) throws -> Int64? {
        guard try isDraft(row.number, of: entity) else { return nil }
        defer { log.takeBackItem() }
        let read = try read(object, entity)
        guard entity.plan.key.allSatisfy({ read.frame.isGiven[$0] }) else { return nil }
        let found = try entity.rows.compare(byKey: read.frame, isTyped: false)?.number
        return found == row.number ? nil : found
    }

    /// Makes one row of two: see `StoreWriter.deduplicate`.
    fileprivate func deduplicate(
        _ duplicate: Int64,
        into row: RowReference,
        _ entity: EntityImport
    ) throws {
        let table = entity.plan.entity.table
        let changed = try resolver?.adoptBase(of: duplicate, for: row.number, in: table) ?? []
        try writer.deduplicate(duplicate, into: row.number, in: table, keeping: changed)
        try resolver?.unpushed.move(from: duplicate, to: row.number, in: table)
    }

    /// Returns whether an item is the object of a row that was deleted locally.
    func isDeletedLocally(_ item: JSONNode, _ entity: EntityImport) throws -> Bool {
        guard let resolver, item.kind == .object else { return false }
        defer { log.takeBackItem() }
        return try read(item, entity).localDeletion(resolver) != nil
    }
}

extension ConflictResolver {
    /// Makes the values of a duplicate the base of what was changed in a row since its creation was
    /// sent, and returns the columns.
    fileprivate func adoptBase(
        of duplicate: Int64,
        for row: Int64,
        in table: Int
    ) throws -> Set<String> {
        guard let open = try unpushed.changes(of: row, in: table)?.open,
            let stored = try unpushed.storedRow(duplicate, in: table)
        else { return [] }
        let changed = try unpushed.columns(of: open).keys
        // The duplicate may have been changed, too.
        let other = try unpushed.changes(of: duplicate, in: table)?.open
        let known = try other.map(unpushed.columns) ?? [:]
        for column in changed {
            let value = known[column] ?? stored[column] as DatabaseValue
            try unpushed.setBase(value, of: column, in: open)
        }
        return Set(changed)
    }
}
