import TidemarkModel
import TidemarkStore

/// Relationships, in the shape that the options ask for.
extension Exporter {
    /// Adds what a row is linked to.
    func add(
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
                let record = try reader.record(RowName(link.description))
                let mapping = try mapping(link.entity)
                return try object(record, mapping, nil, reader, inside, &count)
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

    /// Says that a to-one relationship leads nowhere, which is else left out.
    func addNothing(
        _ relationship: RelationshipMapping,
        to members: inout ExportTree.Members
    ) {
        guard !relationship.relationship.isToMany else { return }
        switch options.relationships {
        case .none:
            return
        case .ids:
            for name in relationship.referenceExportKeys {
                members.add(spelled(name), .value { $0.null() })
            }
        case .objects, .nestedAttributes:
            members.add(spelled(relationship.exportKeys), .value { $0.null() })
        }
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
