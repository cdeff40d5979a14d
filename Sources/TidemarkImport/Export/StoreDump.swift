package import GRDB
package import TidemarkJSON
import TidemarkModel
package import TidemarkStore

/// A dump of all rows of a store as one JSON document, for comparisons and backups.
///
/// Each concrete entity is a key. Its value is an array of the entity's own rows, sorted by row
/// number, with all attributes and relationships. Typed values are tagged (`{"$date":…}`), and
/// linked rows are written as `Entity#N`.
package struct StoreDump {
    private let store: Store

    /// Creates a dump of a store.
    package init(_ store: Store) {
        self.store = store
    }

    /// Writes the rows of all entities, or of one.
    ///
    /// - Parameters:
    ///   - db: The transaction to read in.
    ///   - name: The entity; nil for all.
    ///   - writer: The writer that receives the document.
    ///   - flush: Called with the writer after each row, to take what was written so far. A dump
    ///     needs only as much memory as one row.
    /// - Throws: `StoreError` if the entity does not exist and, after the complete document was
    ///   written, if a value is not valid JSON. Any error of `flush`.
    package func write(
        _ db: Database,
        entity name: String? = nil,
        into writer: inout JSONWriter,
        flush: (inout JSONWriter) throws -> Void = { _ in }
    ) throws {
        var problem: StoreError?
        let reader = try StoreReader.prepare(db, in: store)
        writer.beginObject()
        for entity in try entities(name) {
            writer.key(entity.name)
            writer.beginArray()
            try reader.forEach(RecordRequest(entity.name, links: .all)) { record in
                // A request also returns rows of entities that inherit from this one.
                guard record.reference.entity == entity.name else { return }
                let invalid = write(record, of: entity, into: &writer)
                // The dump is completed first, so that its output is valid JSON.
                problem = problem ?? invalid
                try flush(&writer)
            }
            writer.endArray()
        }
        writer.endObject()
        try flush(&writer)
        if let problem { throw problem }
    }

    /// Writes one row.
    ///
    /// - Parameters:
    ///   - db: A connection to the store.
    ///   - record: The row.
    ///   - writer: The writer that receives the row.
    /// - Throws: `StoreError` if a value of the row is not valid JSON; the row was written with
    ///   null instead.
    package func write(_ db: Database, _ record: StoredRecord, into writer: inout JSONWriter) throws
    {
        let entity = try store.layout.entity(record.reference.entity)
        if let problem = write(record, of: entity, into: &writer) { throw problem }
    }

    private func entities(_ name: String?) throws -> [EntityLayout] {
        guard let name else { return store.layout.entities.filter { !$0.isAbstract } }
        return [try store.layout.entity(name)]
    }

    /// Writes a row, and returns the error about an invalid value of it.
    private func write(
        _ record: StoredRecord,
        of entity: EntityLayout,
        into writer: inout JSONWriter
    ) -> StoreError? {
        let (record, invalid) = record.checkingJSON()
        writer.beginObject()
        writer.key("$ref")
        writer.string(record.reference.description)
        for attribute in entity.attributes {
            writer.key(attribute.attribute.name)
            writer.tagged(record[attribute.attribute.name])
        }
        for relationship in entity.relationships {
            let name = relationship.relationship.name
            writer.key(name)
            let isToMany = relationship.relationship.isToMany
            write(record.links[name] ?? [], isToMany: isToMany, into: &writer)
        }
        writer.endObject()
        return invalid.map { StoreError.notJSON($0, of: record.reference) }
    }

    private func write(
        _ links: [RowReference],
        isToMany: Bool,
        into writer: inout JSONWriter
    ) {
        guard isToMany else {
            if let link = links.first {
                writer.string(link.description)
            } else {
                writer.null()
            }
            return
        }
        writer.beginArray()
        for link in links {
            writer.string(link.description)
        }
        writer.endArray()
    }
}
