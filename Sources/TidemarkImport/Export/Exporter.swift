import Foundation
public import GRDB
public import TidemarkModel
public import TidemarkStore

/// Turns rows into the service's JSON: the way back of an import.
///
/// ```swift
/// var json = JSONWriter()
/// try store.writer.read { db in
///     try Exporter(store).write(db, RowName("User:6"), into: &json)
/// }
/// ```
///
/// A null attribute is written as null, an empty to-one relationship is left out. An embedded row
/// that is being written already is not written again.
///
/// A part of a row, such as a PATCH wants, is written of the properties it is given:
///
/// ```swift
/// try Exporter(store).write(db, RowName("User:6"), only: ["name", "company"], into: &json)
/// ```
public struct Exporter: Sendable {
    let store: Store
    let options: ExportOptions
    private let limits: Limits
    private let mappings: [String: EntityMapping]
    let transformers: [String: AttributeTransformer]

    /// Creates an exporter.
    ///
    /// - Parameters:
    ///   - store: the store that the rows are in.
    ///   - options: in which shape they are written.
    ///   - naming: how the model's names are written in JSON.
    ///   - transformers: what the model calls `valueTransformer`, by name.
    ///   - limits: the bounds on what one row may lead to.
    public init(
        _ store: Store,
        options: ExportOptions = ExportOptions(),
        naming: NamingConvention = .default,
        transformers: [String: AttributeTransformer] = [:],
        limits: Limits = Limits()
    ) {
        self.store = store
        self.limits = limits
        self.options = options
        self.transformers = transformers
        mappings = Dictionary(
            store.model.entities.map {
                ($0.name, EntityMapping(entity: $0, in: store.model, naming: naming))
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Writes one row as an object.
    ///
    /// - Parameters:
    ///   - db: a connection to the store.
    ///   - name: the row.
    ///   - properties: the attributes and relationships that are written, by their names in the
    ///     model, null where there is nothing; nil for all. What is embedded is written whole.
    ///   - writer: where the object goes.
    /// - Throws: `StoreError` when there is no such row or property, ``ImportError`` when the row
    ///   leads to too many others.
    public func write(
        _ db: Database,
        _ name: RowName,
        only properties: Set<String>? = nil,
        into writer: inout JSONWriter
    ) throws {
        let reader = try StoreReader(db, store)
        try tree(reader.record(name), reader, properties).write(into: &writer)
    }

    /// Writes the rows that a request asks for as a list.
    ///
    /// - Parameters:
    ///   - db: a connection to the store.
    ///   - request: which rows, in which order.
    ///   - properties: what is written of each, as for one row; nil for all.
    ///   - writer: where the list goes.
    ///   - flush: called after each row, so that the writer need not hold them all.
    /// - Throws: as for one row, and whatever `flush` does.
    public func write(
        _ db: Database,
        _ request: RecordRequest,
        only properties: Set<String>? = nil,
        into writer: inout JSONWriter,
        flush: (inout JSONWriter) throws -> Void = { _ in }
    ) throws {
        let reader = try StoreReader(db, store)
        writer.beginArray()
        try store.forEachRecord(db, request) { record in
            try tree(record, reader, properties).write(into: &writer)
            try flush(&writer)
        }
        writer.endArray()
        try flush(&writer)
    }

    /// A row with what is embedded in it.
    private func tree(
        _ record: StoredRecord,
        _ reader: StoreReader,
        _ properties: Set<String>?
    ) throws -> ExportTree {
        let mapping = try mapping(record.reference.entity)
        if let properties { try mapping.check(properties) }
        var count = 0
        return try object(record, mapping, properties, reader, [], &count)
    }

    /// A row with what is embedded in it.
    ///
    /// - Parameters:
    ///   - record: the row.
    ///   - mapping: how its entity's names are written.
    ///   - properties: what is written of it; nil for all.
    ///   - reader: what reads the rows linked to it.
    ///   - containers: the rows that contain it, the outermost first.
    ///   - count: how many objects the outermost one has so far. Where everything is linked with
    ///     everything, the ways through the rows are endless in all but name.
    /// - Returns: the object, or the tree of objects.
    /// - Throws: ``ImportError/Code/tooManyObjects``, `StoreError` when the model lacks an entity,
    ///   `DatabaseError`.
    func object(
        _ record: StoredRecord,
        _ mapping: EntityMapping,
        _ properties: Set<String>?,
        _ reader: StoreReader,
        _ containers: [RowReference],
        _ count: inout Int
    ) throws -> ExportTree {
        count += 1
        guard count <= limits.exportedObjects else {
            throw ImportError(
                .tooManyObjects,
                "\(containers.first ?? record.reference) leads to more than "
                    + "\(limits.exportedObjects) embedded objects.",
                hint: "Export the keys of linked rows instead, or leave relationships out."
            )
        }
        var members = ExportTree.Members()
        for attribute in mapping.attributes
        where attribute.attribute.isExportable && properties?.contains(attribute.name) != false {
            if let value = try value(record[attribute.name], attribute.attribute) {
                members.add(key(attribute), value)
            }
        }
        if let path = mapping.discriminator, properties == nil, !members.hasValue(at: path) {
            members.add(path, .value { $0.string(record.reference.entity) })
        }
        for relationship in mapping.relationships where relationship.relationship.isExportable {
            guard properties?.contains(relationship.name) != false else { continue }
            try add(relationship, of: record, reader, containers, &count, to: &members)
            if properties != nil, record.links[relationship.name]?.isEmpty != false {
                addNothing(relationship, to: &members)
            }
        }
        return .object(members)
    }

    func mapping(_ entity: String) throws -> EntityMapping {
        guard let mapping = mappings[entity] else {
            _ = try store.layout.entity(entity)
            throw ModelError(.invalid, "The model has no entity \(entity).")
        }
        return mapping
    }
}

extension EntityMapping {
    /// Throws where a name is none of the entity's properties.
    fileprivate func check(_ properties: Set<String>) throws {
        let known = Set(attributes.map(\.name) + relationships.map(\.name))
        guard let name = properties.subtracting(known).min() else { return }
        throw StoreError(
            .invalidValue,
            "\(entity) has no attribute or relationship \(name).",
            hint: "It has \(known.sorted().joined(separator: ", "))."
        )
    }
}
