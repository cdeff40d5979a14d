public import GRDB
public import TidemarkModel
public import TidemarkStore

/// The whole state of a store as one JSON document, for comparing and for keeping.
///
/// Every concrete entity is a key and every row stands under its own entity, by row number, with
/// all its attributes and relationships: typed values are tagged (`{"$date":…}`), linked rows are
/// written `Entity#N`.
public struct StoreDump {
    private let store: Store

    /// Creates a dump of a store.
    public init(_ store: Store) {
        self.store = store
    }

    /// Writes the rows of every entity, or of one.
    ///
    /// - Parameters:
    ///   - db: the transaction to read in.
    ///   - name: the entity, or nil for all.
    ///   - writer: what the document is written to.
    ///   - flush: is handed the writer between rows, to take what was written so far: a dump needs
    ///     no more memory than a row.
    /// - Throws: `StoreError` when there is no such entity, and at the end when a value was to be
    ///   JSON and is not; what `flush` throws.
    public func write(
        _ db: Database,
        entity name: String? = nil,
        into writer: inout JSONWriter,
        flush: (inout JSONWriter) throws -> Void = { _ in }
    ) throws {
        var problem: StoreError?
        writer.beginObject()
        for entity in try entities(name) {
            writer.key(entity.name)
            writer.beginArray()
            try store.forEachRecord(db, RecordRequest(entity.name)) { record in
                guard record.reference.entity == entity.name else { return }
                let invalid = row(record, entity, into: &writer)
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
    /// - Throws: `StoreError` when a value of it was to be JSON and is not.
    public func write(_ db: Database, _ record: StoredRecord, into writer: inout JSONWriter) throws
    {
        let entity = try store.layout.entity(record.reference.entity)
        if let problem = row(record, entity, into: &writer) { throw problem }
    }

    private func entities(_ name: String?) throws -> [EntityLayout] {
        guard let name else { return store.layout.entities.filter { !$0.isAbstract } }
        return [try store.layout.entity(name)]
    }

    /// Writes a row, and returns what is wrong with it.
    private func row(
        _ record: StoredRecord,
        _ entity: EntityLayout,
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
            write(record.links[name] ?? [], relationship.relationship.isToMany, into: &writer)
        }
        writer.endObject()
        return invalid.map { StoreError.notJSON($0, of: record.reference) }
    }

    private func write(
        _ links: [RowReference],
        _ isToMany: Bool,
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
