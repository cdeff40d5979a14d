import TidemarkModel

extension StoreWriter {
    /// Deletes a row and applies the delete rules of the model to the rows that are linked to it.
    ///
    /// ```swift
    /// try store.write { writer in
    ///     if let user = try writer.first(User.filter { $0.name == "Ada" }) {
    ///         try writer.delete(user.rowID)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter row: The identity of the row.
    /// - Returns: The numbers of deleted rows by entity, those deleted by a cascade included.
    /// - Throws: As ``delete(_:)-(RecordLocator)``.
    @discardableResult
    public func delete<Record: EntityRecord>(_ row: RowID<Record>) throws -> [String: Int] {
        try delete(RecordLocator(RowReference(Record.entityName, row.number)))
    }

    /// Deletes the rows that a request selects, and applies the delete rules of the model.
    ///
    /// ```swift
    /// try store.write { writer in try writer.delete(Note.filter { $0.isDone }) }
    /// ```
    ///
    /// Two rows that only prevent each other's deletion are deleted together.
    ///
    /// - Parameter request: The request. Its limit and offset apply.
    /// - Returns: The numbers of deleted rows by entity, those deleted by a cascade included.
    /// - Throws: ``StoreError/Code/deletionDenied`` if a delete rule prevents a deletion, in which
    ///   case nothing is deleted; ``RecordPredicateError``; `DatabaseError`.
    @discardableResult
    public func delete<Record>(_ request: EntityRequest<Record>) throws -> [String: Int] {
        let table = try layout.entity(request.record.entity).table
        let rows = try rowIDs(request).map(\.number)
        let graph = try DeleteGraph.resolve(
            deleting: [table: rows],
            withContents: false,
            with: self
        )
        if let denial = graph.denials.first {
            throw StoreError.denied("\(denial.table)#\(denial.row)", by: denial.relationship)
        }
        return try delete(graph, isRemembered: false).deleted
    }
}

extension StoreError {
    /// The error for a row that a delete rule keeps.
    static func denied(_ row: String, by relationship: String) -> StoreError {
        StoreError(
            .deletionDenied,
            "\(row) cannot be deleted: \(relationship) has the delete rule deny.",
            hint: "Unlink or delete the rows it is linked to first."
        )
    }
}
