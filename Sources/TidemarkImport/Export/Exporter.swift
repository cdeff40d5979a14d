import Foundation
public import GRDB
public import TidemarkJSON
public import TidemarkModel
public import TidemarkStore

/// Exports rows as the service's JSON: the inverse of an import.
///
/// Use it for the body of a POST, PUT or PATCH request that an app sends itself, and to hand rows
/// to other programs.
///
/// ```swift
/// var json = JSONWriter()
/// try store.writer.read { db in
///     try Exporter(store).write(db, RecordLocator("User:6"), into: &json)
/// }
/// print(String(decoding: json.bytes, as: UTF8.self))  // {"id":6,"first_name":"Ada","notes":[…]}
/// ```
///
/// The exporter uses names that an import maps to the same properties, so that importing an export
/// changes nothing:
///
/// - A null attribute is written as null. An empty to-one relationship is omitted, and so is the
///   relationship back to the object that contains a row.
/// - A row that is linked more than once is written in full where it is nested least, and elsewhere
///   with its attributes only. An item of an exported list is written in the list, and elsewhere as
///   its key.
/// - A list of linked rows is complete or omitted. With ``ExportOptions/Relationships/ids``, a link
///   to a row without a primary key is omitted, and so is a list that contains such a row.
///
/// For a partial update, such as a PATCH request, specify the properties to write:
///
/// ```swift
/// try Exporter(store).write(db, RecordLocator("User:6"), only: ["name", "company"], into: &json)
/// ```
public struct Exporter: Sendable {
    let store: Store
    let options: ExportOptions
    let limits: Limits

    /// How requests are written; nil for an export.
    let change: ChangeFormat?

    private var names: [String: ExportNames]
    let transformers: [String: AttributeTransformer]

    /// Creates an exporter, which can write any number of rows.
    ///
    /// Pass the naming and the transformers of the ``Importer``, so that an import maps each
    /// exported name to the property that it came from. Transformers are applied in reverse.
    ///
    /// ```swift
    /// let exporter = Exporter(store, options: ExportOptions(keys: .camel, relationships: .ids))
    /// ```
    ///
    /// - Parameters:
    ///   - store: The store that contains the rows.
    ///   - options: The format of the export.
    ///   - naming: How the model's names are written in JSON.
    ///   - transformers: The transformers that attributes refer to by `valueTransformer`, by name.
    ///   - limits: The limits on depth and number of embedded objects.
    public init(
        _ store: Store,
        options: ExportOptions = ExportOptions(),
        naming: NamingConvention = .default,
        transformers: [String: AttributeTransformer] = [:],
        limits: Limits = Limits()
    ) {
        self.init(
            store,
            options: options,
            change: nil,
            naming: naming,
            transformers: transformers,
            limits: limits
        )
    }

    /// Creates an exporter that writes the objects of requests; see ``changedObject``.
    package init(
        _ store: Store,
        options: ExportOptions,
        change: ChangeFormat?,
        naming: NamingConvention,
        transformers: [String: AttributeTransformer],
        limits: Limits
    ) {
        self.store = store
        self.change = change
        self.limits = limits
        self.options = options
        self.transformers = transformers
        names = Dictionary(
            store.model.entities.map { entity in
                let mapping = EntityMapping(entity: entity, in: store.model, naming: naming)
                return (entity.name, ExportNames(mapping, options: options, change: change))
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Writes one row as an object.
    ///
    /// Linked rows are embedded as the options specify. If it throws, the writer is unchanged,
    /// because the row is read completely before it is written.
    ///
    /// ```swift
    /// try store.writer.read { db in
    ///     let ada = try RecordLocator("User:6")
    ///     try Exporter(store).write(db, ada, only: ["firstName"], into: &json)
    /// }
    /// // {"first_name":"Ada"}
    /// ```
    ///
    /// - Parameters:
    ///   - db: A connection to the store.
    ///   - name: The row.
    ///   - properties: The names of the attributes and relationships to write, with null for those
    ///     without a value; nil for all. Embedded rows are always written with all properties.
    ///   - writer: The writer that receives the object.
    /// - Throws: `StoreError` if the row or a property does not exist, ``ImportError`` if the row
    ///   leads to too many embedded objects, is nested too deeply, or has a value that JSON cannot
    ///   represent.
    public func write(
        _ db: Database,
        _ name: RecordLocator,
        only properties: Set<String>? = nil,
        into writer: inout JSONWriter
    ) throws {
        let reader = try StoreReader.prepare(db, in: store)
        try tree(of: reader.record(name), reader: reader, only: properties).write(into: &writer)
    }

    /// Writes the rows of a request as an array.
    ///
    /// Wherever an item of the array is linked, its key is written. Any other row is embedded in
    /// full in one item, and in others with its attributes only, so that the size grows linearly
    /// with the number of rows and links. Rows that would be nested deeper than `Limits.json.depth`
    /// are written as keys, too.
    ///
    /// ```swift
    /// try store.writer.read { db in
    ///     let adults = try RecordRequest("User", where: RecordPredicate("age >= 18"))
    ///     try Exporter(store).write(db, adults, into: &json)
    /// }
    /// // [{"id":6,"first_name":"Ada"},{"id":9,"first_name":"Alan"}]
    /// ```
    ///
    /// - Parameters:
    ///   - db: A connection to the store.
    ///   - request: The rows and their order.
    ///   - properties: The properties to write of each row, as for one row; nil for all.
    ///   - writer: The writer that receives the array.
    ///   - flush: Called after each row, so that the output need not be held in memory.
    /// - Throws: The errors of writing one row, and any error of `flush`.
    public func write(
        _ db: Database,
        _ request: RecordRequest,
        only properties: Set<String>? = nil,
        into writer: inout JSONWriter,
        flush: (inout JSONWriter) throws -> Void = { _ in }
    ) throws {
        let reader = try StoreReader.prepare(db, in: store)
        var request = request
        request.links = .all
        // All items have to be known in advance, because an item may be linked by an earlier one.
        let rows = try ExportedRows(
            reader.rows(request),
            of: store.layout.entity(request.entity),
            in: store.layout
        )
        writer.beginArray()
        try reader.forEach(request) { record in
            let item = try item(record, reader: reader, only: properties, among: rows)
            item.write(into: &writer)
            try flush(&writer)
        }
        writer.endArray()
        try flush(&writer)
    }

    /// Returns an item of a list.
    private func item(
        _ record: StoredRecord,
        reader: StoreReader,
        only properties: Set<String>?,
        among rows: ExportedRows
    ) throws -> ExportTree {
        do {
            return try tree(
                of: record,
                reader: reader,
                only: properties,
                among: rows,
                deepest: limits.json.depth
            )
        } catch let error as ImportError where error.code == .tooDeep {
            // A value of an embedded row is nested, too. Items before this one may already have
            // been written, so the item is written without embedded rows rather than failing the
            // export.
            return try tree(
                of: record,
                reader: reader,
                only: properties,
                among: rows,
                deepest: 2
            )
        }
    }

    /// Returns a row with the rows that are embedded in it.
    private func tree(
        of record: StoredRecord,
        reader: StoreReader,
        only properties: Set<String>?,
        among rows: ExportedRows? = nil,
        deepest: Int = .max
    ) throws -> ExportTree {
        if let properties { try names(record.reference.entity).mapping.check(properties) }
        var traversal = ExportTraversal(self, reader: reader, rows: rows, deepest: deepest)
        return try traversal.tree(of: record, only: properties, depth: rows == nil ? 0 : 1)
    }

    /// Returns an exporter with other names of one entity.
    func with(_ names: ExportNames, of entity: String) -> Exporter {
        var exporter = self
        exporter.names[entity] = names
        return exporter
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
    /// Throws if the entity does not have one of the properties.
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
