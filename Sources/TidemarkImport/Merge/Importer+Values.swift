package import GRDB
import TidemarkJSON
package import TidemarkModel
package import TidemarkStore

extension Importer {
    /// Writes values and links that the service has sent into a row, or into a new one.
    ///
    /// They are merged as an object of a pull: conflicts with local changes that were not pushed
    /// are decided by the importer's policies, and nothing is pushed.
    ///
    /// - Parameters:
    ///   - db: A connection that writes to the importer's store, inside a transaction.
    ///   - values: The values by attribute.
    ///   - links: The rows to link to, by relationship.
    ///   - target: The row, or the entity of the object. Its row is found by the primary key.
    /// - Returns: The row, and the names of the attributes and relationships that have changed; all
    ///   that have a value if the row is new. Nil if the object was deleted locally and stays so.
    /// - Throws: `StoreError` such as `StoreError.Code.invalidValue`; ``ImportError``;
    ///   `DatabaseError`.
    package func write(
        _ db: Database,
        values: [String: Value],
        links: [String: [RecordLocator]],
        to target: ServiceRow
    ) throws -> (reference: RowReference, changed: [String])? {
        try writing(db, from: .service) {
            var options = ImportOptions(operations: .upsert, invalid: .abort)
            options.origin = .service
            let run = try ImportRun(db, importer: self, options: options, retries: .disabled)
            let entity: EntityImport
            var context = ObjectContext(operations: options.permitted)
            switch target {
            case .row(let row):
                entity = try run.entity(named: row.entity)
                context.row = .number(row.number)
            case .object(let name):
                entity = try run.entity(named: name)
            }
            let written = try JSONDocument(Array("{}".utf8)).withRoot { root in
                let object = ObjectImport(root, of: entity, context: context, in: run)
                return try object.write(values, links)
            }
            // An interrupted session has requested its list before.
            try run.markSeenInOtherSessions(than: nil, from: entity)
            try run.writer.finish()
            return written
        }
    }
}

/// The row into which ``Importer/write(_:values:links:to:)`` writes.
package enum ServiceRow: Sendable, Hashable {
    case row(RowReference)

    /// The row of an object of the entity, found by its primary key.
    case object(of: String)
}

extension ObjectImport {
    /// Writes values and links instead of those of an object.
    fileprivate func write(
        _ values: [String: Value],
        _ links: [String: [RecordLocator]]
    ) throws -> (reference: RowReference, changed: [String])? {
        try set(values)
        let parents = try setParents(links)
        if case .byKey = context.row, !entity.plan.key.allSatisfy({ frame.isGiven[$0] }) {
            context.row = .new
        }
        let before = try stored()
        guard let number = try write()?.number else { return nil }
        recordSeen(number, isCounted: true)
        let reference = RowReference(before?.reference.entity ?? entity.name, number)
        // The links of the key are written with the row.
        let others = links.filter { !parents.contains($0.key) }
        try run.writer.update(RecordLocator(reference), values: [:], links: others)
        let after = try run.reader.record(RecordLocator(reference))
        return (after.reference, after.properties(differingFrom: before))
    }

    private func set(_ values: [String: Value]) throws {
        let layout = entity.plan.entity
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let attribute = layout.attribute(name),
                let slot = entity.plan.slots.firstIndex(where: { $0.column == attribute.column })
            else {
                throw StoreError(.unknownAttribute, "\(layout.name) has no attribute \(name).")
            }
            let checked = try run.writer.checked(value, for: attribute, of: layout)
            frame.set(run.arena.stored(checked.databaseValue), slot: slot)
        }
    }

    /// Sets the references that belong to the primary key, and returns the names of their
    /// relationships.
    private func setParents(_ links: [String: [RecordLocator]]) throws -> Set<String> {
        var parents: Set<String> = []
        for index in entity.plan.keyRelationships {
            let relationship = entity.relationships[index]
            let name = relationship.layout.relationship.name
            guard let slot = relationship.slot, let parent = links[name]?.first else { continue }
            let number = try run.reader.record(parent).reference.number
            frame.set(.integer(number), slot: slot)
            parents.insert(name)
        }
        return parents
    }

    /// Returns the row as it is before the object is written; nil for a new one.
    private func stored() throws -> StoredRecord? {
        let number: Int64? =
            switch context.row {
            case .byKey: try entity.rows.compare(byKey: frame, isTyped: false)?.number
            case .number(let number), .atPosition(let number), .candidate(let number): number
            case .new: nil
            }
        return try number.flatMap { try run.reader.record($0, of: entity.plan.entity) }
    }
}

extension StoredRecord {
    /// Returns the names of the attributes and relationships that differ, sorted.
    fileprivate func properties(differingFrom other: StoredRecord?) -> [String] {
        let attributes = values.filter { $0.value != other?[$0.key] ?? .null }.keys
        let relationships = links.filter { $0.value != other?.links[$0.key] ?? [] }.keys
        return attributes.sorted() + relationships.sorted()
    }
}
