import Foundation
public import GRDB
public import TidemarkModel
public import TidemarkStore

/// Turns rows into the service's JSON: the way back of an import.
///
/// ```swift
/// var json = JSONWriter()
/// try store.writer.read { db in
///     try Exporter(store).write(db, RecordLocator("User:6"), into: &json)
/// }
/// ```
///
/// A null attribute is written as null, an empty to-one relationship is left out. The relationship
/// that leads back to the object around a row is left out too. A row that is linked more than once
/// is written in full where it is nested least, and elsewhere with its attributes alone; an item of
/// an exported list is written in the list, and elsewhere as its key. A list is complete or left
/// out. Names are those that an import reads as the same property, so importing
/// an export changes nothing. Of keys alone, a link to a row that has none yet is left out, and so
/// is a list with such a row: what an import does not read, it leaves as it is.
///
/// A part of a row, such as a PATCH wants, is written of the properties it is given:
///
/// ```swift
/// try Exporter(store).write(db, RecordLocator("User:6"), only: ["name", "company"], into: &json)
/// ```
public struct Exporter: Sendable {
    let store: Store
    let options: ExportOptions
    let limits: Limits
    private let names: [String: ExportNames]
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
        names = Dictionary(
            store.model.entities.map { entity in
                let mapping = EntityMapping(entity: entity, in: store.model, naming: naming)
                return (entity.name, ExportNames(mapping, options))
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
    ///   leads to too many others, or too deep, or has a value that JSON cannot say.
    public func write(
        _ db: Database,
        _ name: RecordLocator,
        only properties: Set<String>? = nil,
        into writer: inout JSONWriter
    ) throws {
        let reader = try StoreReader(db, store)
        try tree(reader.record(name), reader, properties).write(into: &writer)
    }

    /// Writes the rows that a request asks for as a list.
    ///
    /// Wherever a row of the list is linked, its key is written; another row is embedded in full in
    /// one item, and in others with its attributes alone. So the size grows with rows and links.
    /// Rows that would be nested deeper than `Limits.jsonDepth` are written as keys too.
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
        let rows = try ExportedRows(store.layout.entity(request.entity), store.rows(db, request))
        writer.beginArray()
        try store.forEachRecord(db, request) { record in
            try item(record, reader, properties, rows).write(into: &writer)
            try flush(&writer)
        }
        writer.endArray()
        try flush(&writer)
    }

    /// An item of a list.
    private func item(
        _ record: StoredRecord,
        _ reader: StoreReader,
        _ properties: Set<String>?,
        _ rows: ExportedRows
    ) throws -> ExportTree {
        do {
            return try tree(record, reader, properties, rows, deepest: limits.jsonDepth)
        } catch let error as ImportError where error.code == .tooDeep {
            // A value of an embedded row is nested too. Items before this one may be printed
            // already, so it is written without embedded rows before the export fails.
            return try tree(record, reader, properties, rows, deepest: 2)
        }
    }

    /// A row with what is embedded in it.
    private func tree(
        _ record: StoredRecord,
        _ reader: StoreReader,
        _ properties: Set<String>?,
        _ rows: ExportedRows? = nil,
        deepest: Int = .max
    ) throws -> ExportTree {
        if let properties { try names(record.reference.entity).mapping.check(properties) }
        var walk = ExportWalk(self, reader, rows, deepest: deepest)
        return try walk.tree(of: record, properties, depth: rows == nil ? 0 : 1)
    }

    func names(_ entity: String) throws -> ExportNames {
        guard let names = names[entity] else {
            _ = try store.layout.entity(entity)
            throw ModelError(.invalid, "The model has no entity \(entity).")
        }
        return names
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
