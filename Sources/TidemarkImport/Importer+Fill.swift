package import GRDB
package import TidemarkJSON
package import TidemarkModel
package import TidemarkStore

extension Importer {
    /// Updates the attributes of a row with those of one remote object.
    ///
    /// Values are converted and validated as in an import, with the policy
    /// ``InvalidValuePolicy/abort``. The object's primary key may differ from the row's, and then
    /// replaces it. Relationships are left unchanged.
    ///
    /// - Parameters:
    ///   - db: A connection that writes to the importer's store, inside a transaction.
    ///   - name: The row.
    ///   - document: A document whose root is the object.
    ///   - origin: Where the object comes from. An object of the service is merged with local
    ///     changes of the row that were not pushed, and is not pushed itself.
    /// - Returns: The names of the changed attributes, and diagnostics about the object, such as
    ///   members that the model lacks.
    /// - Throws: `StoreError` when the row does not exist, ``ImportError`` when a value of the
    ///   object does not convert or breaks a rule.
    package func fill(
        _ db: Database,
        _ name: RecordLocator,
        with document: JSONDocument,
        from origin: ImportOrigin = .local
    ) throws -> FilledRow {
        try writing(db, from: origin) {
            var options = ImportOptions(invalid: .abort)
            options.origin = origin
            // No other item could resolve a conflict of unique values.
            let run = try ImportRun(db, importer: self, options: options, retries: .disabled)
            let record = try run.reader.record(name)
            let changed = try document.withRoot { root in
                try run.fill(record.reference, with: root)
            }
            try run.writer.finish()
            let report = try run.report()
            return FilledRow(changed: changed, diagnostics: report.diagnostics)
        }
    }
}

/// The result of ``Importer/fill(_:_:with:from:)``.
package struct FilledRow: Sendable, Hashable {
    /// The names of the attributes that have changed, sorted.
    package var changed: [String]

    /// Diagnostics about the object.
    package var diagnostics: [Diagnostic]
}

extension ImportRun {
    /// Updates the attributes of a row with those of an object, and returns the names of those that
    /// differed.
    fileprivate func fill(_ reference: RowReference, with node: JSONNode) throws -> [String] {
        guard node.kind == .object, let index = layout.index(of: reference.entity) else {
            throw ImportError(
                .invalidRow,
                "\(reference) can only be filled with one object.",
                hint: "Give a JSON object."
            )
        }
        let entity = try entity(index)
        let context = ObjectContext(operations: .all)
        let object = ObjectImport(node, of: entity, context: context, in: self)
        try object.readAttributes()
        let same = try entity.rows.compare(reference.number, with: object.frame, isTyped: false)
        guard var found = same else { return [] }
        if let resolver { try object.merge(&found, by: resolver) }
        guard found.isDifferent else { return [] }
        try object.update(found)
        let columns = entity.plan.slots.indices.filter(found.differing.contains)
            .map { entity.plan.slots[$0].column }
        return entity.plan.entity.attributes.filter { columns.contains($0.column) }
            .map(\.attribute.name).sorted()
    }
}
