public import TidemarkJSON
public import TidemarkStore

extension ImportHooks {
    /// Adds callbacks for the records of a type, after those that the hooks have already.
    ///
    /// ```swift
    /// var hooks = ImportHooks()
    /// hooks.on(
    ///     User.self,
    ///     didImport: { writer, user, _ in
    ///         if user.age == nil { try writer.update(user.rowID) { $0.age = 0 } }
    ///     }
    /// )
    /// ```
    ///
    /// Rows of entities that inherit from that of the type are records of it, too.
    ///
    /// - Parameters:
    ///   - type: The type of the records.
    ///   - willImport: Called for each item of a list of the entity, or of one that inherits from
    ///     it, before it is imported, as ``ImportHooks/willImport``; decides whether it is. For a
    ///     list of a parent entity whose items name their own, add the callback for the parent. An
    ///     item that an earlier callback has skipped or replaced is not passed on. Defaults to nil,
    ///     which keeps every item.
    ///   - didImport: Called once for each row that was inserted or updated, as
    ///     ``ImportHooks/didImport``, with the record without its lists, which costs one statement
    ///     a row. A row that the type cannot represent throws `StoreError.Code.invalidValue`, which
    ///     ends the import. Defaults to nil.
    public mutating func on<Record: EntityRecord>(
        _ type: Record.Type,
        willImport: (@Sendable (StoreReader, JSONNode) throws -> Decision)? = nil,
        didImport: (@Sendable (StoreWriter, Record, RowChange.Kind) throws -> Void)? = nil
    ) {
        if let willImport {
            let earlier = self.willImport
            self.willImport = { reader, item, entity in
                let decision = try earlier?(reader, item, entity) ?? .keep
                guard case .keep = decision, try reader.isEntity(entity, of: type) else {
                    return decision
                }
                return try willImport(reader, item)
            }
        }
        if let didImport {
            let earlier = self.didImport
            self.didImport = { writer, row, change in
                try earlier?(writer, row, change)
                guard try writer.isEntity(row.entity, of: type),
                    let record = try writer.fetch(RowID<Record>(row.number))
                else { return }
                try didImport(writer, record, change)
            }
        }
    }
}
