import GRDB
package import TidemarkJSON
package import TidemarkModel
package import TidemarkStore

/// Objects that a user has recognized as those of rows that were created here.
extension ObjectMerge {
    /// Returns whether an object has a primary key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - object: The object.
    ///   - entity: The name of its entity.
    /// - Returns: Whether the object contains the key.
    /// - Throws: `StoreError`, `DatabaseError`.
    package func isKey(_ key: RecordKey, of object: JSONNode, in entity: String) throws -> Bool {
        try self.key(of: object, in: entity) == key
    }

    /// Returns the primary key that an object has; nil if it shows none.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - entity: The name of its entity.
    /// - Returns: The key.
    /// - Throws: `StoreError`, `DatabaseError`.
    package func key(of object: JSONNode, in entity: String) throws -> RecordKey? {
        guard object.kind == .object else { return nil }
        let run = try keyReader.get()
        defer { run.arena.reset() }
        let entity = try run.entity(named: entity)
        let parts = entity.plan.entity.keyParts
        let context = ObjectContext(operations: run.options.permitted)
        let read = try run.reader(of: object, in: entity, context: context)
        read.readMembers()
        guard let found = try read.documentKey(), found.count == parts.count else { return nil }
        return RecordKey(
            zip(found, parts).map { value, part in
                Value(value.databaseValue, type: part.attribute.type)
            }
        )
    }

    /// Merges an object into the row whose creation it replaces, which was certainly not applied.
    ///
    /// Both sides have made the object by themselves, as two clients do that create an object with
    /// the same key: policies decide about values that differ, and what they keep of the row is an
    /// update of the object.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - creation: The creation, which is in the outbox.
    ///   - known: The highest number of a row that cannot be the same object. A later one with the
    ///     key of the object is.
    ///   - omitsNulls: Whether the object leaves out what is null.
    /// - Returns: What was merged; nothing if another row has the object, and has to stay.
    /// - Throws: ``ImportError`` if a value of the object breaks a rule of the model;
    ///   `DatabaseError`.
    package func adopt(
        _ object: JSONNode,
        insteadOf creation: CapturedChange,
        rowsBefore known: Int64,
        omittingNulls omitsNulls: Bool
    ) throws -> Acknowledgement {
        let (row, table) = (creation.row, creation.table)
        let run = try run(from: .object, omittingNulls: omitsNulls)
        let entity = try run.entity(named: row.entity)
        guard let resolver = run.resolver else { return .confirmed }
        if let other = try run.duplicate(of: row, object, entity) {
            // Of two local values of one property, one would be lost.
            guard other > known, try resolver.unpushed.changes(of: other, in: table) == nil else {
                return .duplicate(other)
            }
            let stored = try resolver.unpushed.storedRow(row.number, in: table)
            let local = stored?.filter { !$0.1.isNull }.map(\.0) ?? []
            try run.deduplicate(other, into: row, entity, keeping: Set(local))
        }
        // As a list does: rows that are nested in the object are merged, too.
        let lists = Set(entity.relationships.map(\.index))
        try merge(object, into: row, lists: lists, in: run)
        return .confirmed
    }
}
