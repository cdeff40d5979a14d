public import GRDB
public import TidemarkModel
public import TidemarkStore

extension Importer {
    /// Gives a row the attributes of one remote object, as an import would.
    ///
    /// The object's key need not be the row's: it may change it. Relationships are left alone.
    ///
    /// - Returns: The names of the attributes that differ from before, and what was wrong with the
    ///   object, such as members that the model lacks.
    /// - Throws: `StoreError` when there is no such row, ``ImportError`` when a value of the object
    ///   does not convert or breaks a rule.
    public func fill(
        _ db: Database,
        _ name: RecordLocator,
        with document: JSONDocument
    ) throws -> FilledRow {
        let run = try ImportRun(
            db,
            self,
            ImportOptions(invalid: .abort),
            postponing: RetryQueue(after: 0, limit: 0)
        )
        let record = try run.reader.record(name)
        let changed = try document.withRoot { root in
            try run.fill(record.reference, with: root)
        }
        try run.writer.finish()
        let report = try run.report()
        return FilledRow(changed: changed, diagnostics: report.diagnostics)
    }
}

/// What ``Importer/fill(_:_:with:)`` did to a row.
public struct FilledRow: Sendable, Hashable {
    /// The names of the attributes that differ from before, sorted.
    public var changed: [String]

    /// What was wrong with the object.
    public var diagnostics: [Diagnostic]
}

extension ImportRun {
    /// Gives a row the attributes of an object.
    fileprivate func fill(_ reference: RowReference, with node: JSONNode) throws -> [String] {
        guard node.kind == .object, let index = layout.index(of: reference.entity) else {
            throw ImportError(
                .invalidRow,
                "\(reference) can only be filled with one object.",
                hint: "Give a JSON object."
            )
        }
        let entity = try entity(index)
        let frame = entity.takeFrame()
        defer { entity.giveBack(frame) }
        try readAttributes(node, entity, frame)
        let context = ObjectContext(operations: .all)
        guard let found = try entity.compare(reference.number, with: frame, context) else {
            return []
        }
        try update(found, node, entity, frame, context)
        return entity.plan.slots.indices.filter(found.differing.contains).compactMap { slot in
            entity.plan.entity.attributes.first { $0.column == entity.plan.slots[slot].column }?
                .attribute.name
        }
        .sorted()
    }
}
