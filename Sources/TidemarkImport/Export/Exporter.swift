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
public struct Exporter: Sendable {
    private let store: Store
    private let options: ExportOptions
    private let limits: Limits
    private let mappings: [String: EntityMapping]
    private let transformers: [String: AttributeTransformer]

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
    /// - Throws: `StoreError` when there is no such row.
    public func write(_ db: Database, _ name: RowName, into writer: inout JSONWriter) throws {
        let reader = StoreReader(db, store)
        try tree(reader.record(name), reader).write(into: &writer)
    }

    /// Writes the rows that a request asks for as a list.
    public func write(
        _ db: Database,
        _ request: RecordRequest,
        into writer: inout JSONWriter,
        flush: (inout JSONWriter) throws -> Void = { _ in }
    ) throws {
        let reader = StoreReader(db, store)
        writer.beginArray()
        try store.forEachRecord(db, request) { record in
            try tree(record, reader).write(into: &writer)
            try flush(&writer)
        }
        writer.endArray()
        try flush(&writer)
    }

    /// A row with what is embedded in it.
    private func tree(_ record: StoredRecord, _ reader: StoreReader) throws -> ExportTree {
        var count = 0
        return try object(record, reader, [], &count)
    }

    /// A row with what is embedded in it.
    ///
    /// - Parameters:
    ///   - record: the row.
    ///   - reader: what reads the rows linked to it.
    ///   - containers: the rows that contain it, the outermost first.
    ///   - count: how many objects the outermost one has so far. Where everything is linked with
    ///     everything, the ways through the rows are endless in all but name.
    /// - Returns: the object, or the tree of objects.
    /// - Throws: ``ImportError/Code/tooManyObjects``, `StoreError` when the model lacks an entity,
    ///   `DatabaseError`.
    private func object(
        _ record: StoredRecord,
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
        let mapping = try mapping(record.reference.entity)
        var members = ExportTree.Members()
        for attribute in mapping.attributes where attribute.attribute.isExportable {
            if let value = try value(record[attribute.name], attribute.attribute) {
                members.add(key(attribute), value)
            }
        }
        if let path = mapping.discriminator, !members.hasValue(at: path) {
            members.add(path, .value { $0.string(record.reference.entity) })
        }
        for relationship in mapping.relationships where relationship.relationship.isExportable {
            try add(relationship, of: record, reader, containers, &count, to: &members)
        }
        return .object(members)
    }

    private func mapping(_ entity: String) throws -> EntityMapping {
        guard let mapping = mappings[entity] else {
            _ = try store.layout.entity(entity)
            throw ModelError(.invalid, "The model has no entity \(entity).")
        }
        return mapping
    }

    // MARK: Attributes

    private func key(_ attribute: AttributeMapping) -> String {
        // Rails deletes a nested record whose `_destroy` is true.
        if options.relationships == .nestedAttributes, attribute.name == "destroy" {
            return "_destroy"
        }
        return spelled(attribute.exportKeys)
    }

    private func spelled(_ keys: ExportKeys) -> String {
        switch options.keys {
        case .snake: keys.snake
        case .camel: keys.camel
        }
    }

    /// A value as JSON; nil when only a transformer could write it.
    private func value(_ value: Value, _ attribute: Attribute) throws -> ExportTree? {
        if let transformer = attribute.valueTransformer.flatMap({ transformers[$0] }) {
            return tree(value == .null ? value : try transformer.writing(value), attribute)
        }
        return attribute.type == .transformable ? nil : tree(value, attribute)
    }

    private func tree(_ value: Value, _ attribute: Attribute) -> ExportTree {
        .value { writer in
            switch value {
            case .null: writer.null()
            case .integer(let number): writer.integer(number)
            case .double(let number): writer.double(number)
            case .boolean(let flag): writer.boolean(flag)
            case .decimal(let digits): writer.raw(digits)
            case .string(let text), .uuid(let text), .uri(let text): writer.string(text)
            case .date(let seconds): write(date: seconds, attribute, into: &writer)
            case .json(let text): writer.raw(text)
            case .binary(let bytes): Self.write(bytes, attribute, into: &writer)
            }
        }
    }

    private func write(
        date seconds: Double,
        _ attribute: Attribute,
        into writer: inout JSONWriter
    ) {
        guard let moment = DateFormat.microseconds(fromSeconds: seconds) else {
            return writer.null()
        }
        let zone = options.timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
        let format = options.dateFormat ?? .iso8601(.whenNeeded)
        format.write(moment, offset: zone, into: &writer)
    }

    private static func write(
        _ bytes: [UInt8],
        _ attribute: Attribute,
        into writer: inout JSONWriter
    ) {
        switch attribute.encoding {
        case .json: bytes.withUnsafeBytes { writer.raw($0) }
        case .base64: writer.string(Data(bytes).base64EncodedString())
        }
    }

    // MARK: Relationships

    private func add(
        _ relationship: RelationshipMapping,
        of record: StoredRecord,
        _ reader: StoreReader,
        _ containers: [RowReference],
        _ count: inout Int,
        to members: inout ExportTree.Members
    ) throws {
        let links = record.links[relationship.name] ?? []
        switch options.relationships {
        case .none:
            return
        case .ids:
            try addKeys(relationship, links, reader, to: &members)
        case .objects, .nestedAttributes:
            let inside = containers + [record.reference]
            let objects = try links.filter { !inside.contains($0) }.map { link in
                try object(reader.record(RowName(link.description)), reader, inside, &count)
            }
            add(relationship, objects, to: &members)
        }
    }

    private func add(
        _ relationship: RelationshipMapping,
        _ objects: [ExportTree],
        to members: inout ExportTree.Members
    ) {
        let isNested = options.relationships == .nestedAttributes
        let suffix = options.keys == .snake ? "_attributes" : "Attributes"
        let key = spelled(relationship.exportKeys) + (isNested ? suffix : "")
        guard relationship.relationship.isToMany else {
            if let object = objects.first { members.add(key, object) }
            return
        }
        guard isNested else { return members.add(key, .array(objects)) }
        var places = ExportTree.Members()
        for (place, object) in objects.enumerated() { places.add(String(place), object) }
        members.add(key, .object(places))
    }

    private func addKeys(
        _ relationship: RelationshipMapping,
        _ links: [RowReference],
        _ reader: StoreReader,
        to members: inout ExportTree.Members
    ) throws {
        let keys = try links.map { link in try keyParts(of: link, reader) }
        if relationship.relationship.isToMany {
            try addKeys(relationship, links, keys, reader, to: &members)
        } else if let key = keys.first {
            for (name, part) in zip(relationship.referenceExportKeys, key) {
                members.add(spelled(name), part)
            }
        }
    }

    /// Writes a list of keys; one whose parts are several stands as an object of them.
    private func addKeys(
        _ relationship: RelationshipMapping,
        _ links: [RowReference],
        _ keys: [[ExportTree]],
        _ reader: StoreReader,
        to members: inout ExportTree.Members
    ) throws {
        guard relationship.referenceExportKeys.count > 1 else {
            guard let name = relationship.referenceExportKeys.first else { return }
            return members.add(spelled(name), .array(keys.compactMap(\.first)))
        }
        let objects = try zip(links, keys).map { link, parts in
            let mapping = try mapping(link.entity)
            var object = ExportTree.Members()
            for (place, part) in zip(mapping.primaryKey, parts) {
                object.add(key(mapping.attributes[place]), part)
            }
            return ExportTree.object(object)
        }
        members.add(spelled(relationship.exportKeys), .array(objects))
    }

    private func keyParts(of link: RowReference, _ reader: StoreReader) throws -> [ExportTree] {
        let record = try reader.record(RowName(link.description))
        let mapping = try mapping(link.entity)
        return try mapping.primaryKey.compactMap { place in
            let attribute = mapping.attributes[place]
            return try value(record[attribute.name], attribute.attribute)
        }
    }
}
