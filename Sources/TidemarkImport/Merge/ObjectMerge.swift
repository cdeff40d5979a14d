import GRDB
package import TidemarkJSON
import TidemarkModel
package import TidemarkStore

/// Merges objects of the service into rows with local changes: any number in one transaction.
///
/// The caller's transaction must not record what it writes: see `Capture.applyingRemote`.
package final class ObjectMerge {
    let importer: Importer
    let shared: SharedImport

    /// Reads the keys of objects, and writes nothing: one for all objects of the transaction.
    private(set) lazy var keyReader = Result { try run(from: .object, omittingNulls: false) }

    /// Creates the merge of a transaction.
    ///
    /// - Parameters:
    ///   - importer: The importer, whose policies decide conflicts.
    ///   - reader: A reader of the transaction, whose prepared statements are used.
    package init(_ importer: Importer, in reader: StoreReader) {
        self.importer = importer
        shared = SharedImport(reader, limits: importer.limits)
    }

    /// Merges an object that was read by its key into a row.
    ///
    /// The row gets the values of the object, such as those that the service has computed, except
    /// for properties that were changed locally. Nothing is merged into a row that does not exist
    /// any more.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - row: The row.
    ///   - omitsNulls: Whether the object leaves out what is null.
    /// - Returns: What the object shows not to have been taken; nil if it shows nothing of that.
    /// - Throws: ``ImportError`` if a value of the object breaks a rule of the model;
    ///   `DatabaseError`.
    @discardableResult
    package func merge(
        _ object: JSONNode,
        into row: RowReference,
        omittingNulls omitsNulls: Bool
    ) throws -> NotTakenChange? {
        let run = try run(from: .object, omittingNulls: omitsNulls)
        try merge(object, into: row, lists: nil, in: run)
        try run.resolver?.recordNotTaken()
        return run.resolver?.notTaken.first { $0.row.number == row.number }
    }

    func merge(
        _ object: JSONNode,
        into row: RowReference,
        lists: Set<Int>?,
        in run: ImportRun
    ) throws {
        // Another program has replaced the row while a request was sent: the row that has the key
        // now has changes of its own.
        guard try run.reader.exists(row.number, of: run.layout.entity(row.entity)) else { return }
        try mergeStored(object, into: row, lists: lists, in: run)
    }

    /// Merges an object into a row that exists.
    func mergeStored(
        _ object: JSONNode,
        into row: RowReference,
        lists: Set<Int>?,
        in run: ImportRun
    ) throws {
        run.log.beginItem()
        let entity = try run.entity(named: row.entity)
        var context = ObjectContext(operations: run.options.permitted)
        context.row = .number(row.number)
        context.isWhole = run.options.omitsNulls
        context.hasChosenLists = lists != nil
        run.chosenLists = lists ?? []
        _ = try ItemImport(run).importObject(object, into: entity, context: context)
        // An interrupted session cannot find the new row in its list, which it has requested
        // before.
        if lists != nil, try shared.hasSessions.get() {
            try run.markSeenInOtherSessions(than: nil, from: entity)
        }
        // Rows without a key that the object does not contain any more.
        try run.delete(run.writer.takeAbandoned())
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
            try read.readLinks()
            return try read.likeness(toSentValuesOf: creation.row.number, by: resolver) == .equal
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

    /// Returns whether an object that was read has all values that an update has sent.
    package func showsSentValues(_ object: JSONNode, of update: CapturedChange) throws -> Bool {
        guard update.kind == .update else { return update.kind == .create }
        return try comparing(object, with: update, omittingNulls: false) { read, resolver in
            try read.readLinks()
            return try read.likeness(toUpdate: update, by: resolver) == .sent
        } ?? false
    }

    /// Returns whether an object that was read has a value that the service had before an update.
    package func showsFormerValues(_ object: JSONNode, before update: CapturedChange) throws -> Bool
    {
        guard update.kind == .update else { return false }
        return try comparing(object, with: update, omittingNulls: false) { read, resolver in
            try read.readLinks()
            return try read.likeness(toUpdate: update, by: resolver) == .former
        } ?? false
    }

    /// Records that the service has answered the creation of a row with the object of another one.
    ///
    /// - Parameters:
    ///   - creation: The creation.
    ///   - other: The number of the other row.
    /// - Throws: `DatabaseError`.
    package func recordDuplicate(of creation: CapturedChange, in other: Int64) throws {
        let run = try run(from: .object, omittingNulls: false)
        guard let resolver = run.resolver,
            let local = try resolver.unpushed.storedRow(creation.row.number, in: creation.table),
            let remote = try resolver.unpushed.storedRow(other, in: creation.table)
        else { return }
        let versions = local.compactMap { column, value -> ConflictLog.Versions? in
            guard column != "_id", !value.isNull else { return nil }
            return ConflictLog.Versions(
                property: column,
                base: .null,
                local: value,
                remote: remote[column],
                kept: value
            )
        }
        try resolver.record(
            .duplicateCreate,
            of: creation.row.number,
            in: creation.table,
            versions,
            decision: ConflictDecision(.local, by: ConflictPolicy.localWins)
        )
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
        let run = try run(from: .object, omittingNulls: omitsNulls)
        guard let resolver = run.resolver else { return nil }
        let read = try run.read(object, run.entity(named: change.row.entity))
        try read.readValues()
        let value = try body(read, resolver)
        try resolver.recordNotTaken()
        return value
    }

    func run(from source: ObjectSource, omittingNulls: Bool) throws -> ImportRun {
        var options = ImportOptions(operations: .upsert)
        options.origin = .service
        options.omitsNulls = omittingNulls
        return try ImportRun(
            shared.reader.db,
            importer: importer,
            options: options,
            retries: .disabled,
            sharing: shared,
            from: source
        )
    }
}

extension ImportRun {
    /// Returns an object whose key was read without importing it.
    func read(_ object: JSONNode, _ entity: EntityImport) throws -> ObjectImport {
        var context = ObjectContext(operations: options.permitted)
        context.isWhole = options.omitsNulls
        let read = try reader(of: object, in: entity, context: context)
        read.readMembers()
        _ = try read.readKey()
        return read
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
