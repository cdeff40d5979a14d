import GRDB
package import TidemarkJSON
import TidemarkModel
package import TidemarkStore

/// Merges objects of the service into rows with local changes: any number in one transaction.
///
/// The caller's transaction must not record what it writes: see `Capture.applyingRemote`.
package final class ObjectMerge {
    private let importer: Importer
    private let shared: SharedImport

    /// Creates the merge of a transaction.
    ///
    /// - Parameters:
    ///   - importer: The importer, whose policies decide conflicts.
    ///   - reader: A reader of the transaction, whose prepared statements are used.
    package init(_ importer: Importer, in reader: StoreReader) {
        self.importer = importer
        shared = SharedImport(reader, limits: importer.limits)
    }

    /// Merges an object of the service into a row.
    ///
    /// The row gets the values of the object, such as its primary key and those that the service
    /// has computed, except for properties that were changed locally: see ``MergedObject``. To-many
    /// lists of a response are ignored, because a new parent comes back without the children that
    /// are sent after it. Nothing is merged into a row that does not exist any more.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - row: The row.
    ///   - source: Where the object comes from.
    /// - Throws: ``ImportError`` if a value of the object breaks a rule of the model;
    ///   `DatabaseError`.
    package func merge(
        _ object: JSONNode,
        into row: RowReference,
        as source: MergedObject
    ) throws {
        let run = try run(merging: row, as: source)
        run.log.beginItem()
        let entity = try run.entity(named: row.entity)
        // Another program has replaced the row while a request was sent: the row that has the key
        // now has changes of its own.
        guard try run.reader.exists(row.number, of: entity.plan.entity) else { return }
        if case .response(.create) = source,
            let other = try run.duplicate(of: row, object, entity)
        {
            try run.deduplicate(other, into: row, entity)
        }
        var context = ObjectContext(operations: run.options.operations)
        context.row = .number(row.number)
        context.isWhole = run.options.omitsNulls
        if case .response = source { context.ignoresLists = true }
        _ = try ItemImport(run).importObject(object, into: entity, context: context)
        // An interrupted session cannot find the new row in its list, which it has requested
        // before.
        if case .response = source, try shared.hasSessions.get() {
            try run.markSeenInOtherSessions(than: nil, from: entity)
        }
        try run.writer.finish()
    }

    /// Merges an object that was read with the deletion of its row, which was not pushed yet.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - deletion: The deletion.
    ///   - omitsNulls: Whether the object leaves out what is null.
    /// - Returns: Whether the object has not changed since. Otherwise the row exists again, with
    ///   the values of the object.
    /// - Throws: `DatabaseError`.
    package func mergeDeletion(
        _ object: JSONNode,
        _ deletion: CapturedChange,
        omittingNulls omitsNulls: Bool
    ) throws -> Bool {
        try comparing(object, with: deletion, omittingNulls: omitsNulls) { read, resolver in
            guard try read.restoresRow(of: deletion, resolver) else { return true }
            let row = deletion.row.number
            guard var found = try read.entity.rows.compare(row, with: read.frame, isTyped: false)
            else { return false }
            try read.merge(&found, by: resolver)
            try read.update(found)
            return false
        } ?? true
    }

    /// Returns whether an object that was read has all values that a creation of unknown outcome
    /// has sent: it is the object of the row then.
    package func hasSentValues(
        _ object: JSONNode,
        _ creation: CapturedChange,
        omittingNulls omitsNulls: Bool
    ) throws -> Bool {
        try comparing(object, with: creation, omittingNulls: omitsNulls) { read, resolver in
            try read.likeness(toSentValuesOf: creation.row.number, resolver) == .equal
        } ?? false
    }

    /// Returns the columns in which an object that was read has certain values.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - change: The change whose base values are compared.
    ///   - omitsNulls: Whether the object leaves out what is null.
    /// - Returns: The names of the columns.
    /// - Throws: `DatabaseError`.
    package func columns(
        of object: JSONNode,
        equalToBaseOf change: CapturedChange,
        omittingNulls omitsNulls: Bool
    ) throws -> Set<String> {
        try comparing(object, with: change, omittingNulls: omitsNulls) { read, resolver in
            try read.columns(equalToBaseOf: change, resolver)
        } ?? []
    }

    /// Records the key of a row that was deleted before the response to its creation came.
    ///
    /// - Parameters:
    ///   - object: The object in the response.
    ///   - deletion: The deletion.
    /// - Returns: Whether the object has a key.
    /// - Throws: `DatabaseError`.
    package func name(_ object: JSONNode, _ deletion: CapturedChange) throws -> Bool {
        try comparing(object, with: deletion, omittingNulls: false) { read, resolver in
            guard read.entity.plan.key.allSatisfy({ read.frame.isGiven[$0] }) else { return false }
            try read.name(deletion.number, resolver)
            return true
        } ?? false
    }

    /// Reads the values of an object without importing it, and passes it to `body`.
    ///
    /// - Returns: The value that `body` returns.
    private func comparing<Value>(
        _ object: JSONNode,
        with change: CapturedChange,
        omittingNulls omitsNulls: Bool,
        _ body: (ObjectImport, ConflictResolver) throws -> Value
    ) throws -> Value? {
        let run = try run(merging: change.row, as: .reading(omitsNulls: omitsNulls))
        guard let resolver = run.resolver else { return nil }
        let read = try run.read(object, run.entity(named: change.row.entity))
        try read.readValues()
        return try body(read, resolver)
    }

    private func run(merging row: RowReference, as source: MergedObject) throws -> ImportRun {
        var options = ImportOptions(operations: .upsert)
        options.origin = .service
        options.omitsNulls = source.omitsNulls
        var acknowledged: ConflictResolver.MergedRow?
        if case .response = source {
            let table = try importer.store.layout.entity(row.entity).table
            acknowledged = ConflictResolver.MergedRow(table: table, number: row.number)
        }
        return try ImportRun(
            shared.reader.db,
            importer: importer,
            options: options,
            retries: .disabled,
            sharing: shared,
            acknowledging: acknowledged
        )
    }
}

/// Where an object that is merged into a row comes from.
package enum MergedObject: Sendable {
    /// It is the response to a change of this kind, which is removed already: what was changed
    /// since is newer.
    case response(CapturedChange.Kind)

    /// It was read. A local change that was not pushed may contradict it.
    case reading(omitsNulls: Bool)

    /// Whether the object leaves out what is null.
    ///
    /// A response may contain only what the service has computed.
    fileprivate var omitsNulls: Bool {
        switch self {
        case .response: false
        case .reading(let omitsNulls): omitsNulls
        }
    }
}

extension ImportRun {
    /// Returns an object whose key was read without importing it.
    fileprivate func read(_ object: JSONNode, _ entity: EntityImport) throws -> ObjectImport {
        var context = ObjectContext(operations: options.operations)
        context.isWhole = options.omitsNulls
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
    func isDeletedLocally(
        _ item: JSONNode,
        _ entity: EntityImport,
        in context: ObjectContext
    ) throws -> Bool {
        guard item.kind == .object, try hasLocalDeletions(of: entity) else { return false }
        defer { log.takeBackItem() }
        let object = try reader(of: item, in: entity, context: context)
        object.readMembers()
        return try localDeletion(ofKey: object.documentKey() ?? [], entity) != nil
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
