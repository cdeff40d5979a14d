import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The export of relationships, in the format that the options specify.
extension Exporter {
    /// Adds the objects that a row is linked to.
    func add(
        _ relationship: ExportNames.RelationshipName,
        _ objects: [ExportTree],
        to members: inout ExportTree.Members
    ) {
        guard let key = relationship.key else { return }
        guard relationship.relationship.isToMany else {
            if let object = objects.first { members.add(key, object) }
            return
        }
        guard options.relationships == .nestedAttributes else {
            return members.add(key, .array(objects))
        }
        var places = ExportTree.Members()
        for (place, object) in objects.enumerated() { places.add(String(place), object) }
        members.add(key, .object(places))
    }

    /// Adds null for a to-one relationship without a linked row, which is otherwise omitted.
    func addNothing(
        _ relationship: ExportNames.RelationshipName,
        to members: inout ExportTree.Members
    ) {
        guard !relationship.relationship.isToMany else { return }
        let names: [String]
        switch options.relationships {
        case .none: names = []
        case .ids: names = relationship.references ?? []
        case .objects, .nestedAttributes: names = relationship.plainKey.map { [$0] } ?? []
        }
        for name in names { members.add(name, .value { $0.null() }) }
    }

    // MARK: Keys

    /// The primary key of a linked row.
    private struct LinkedKey {
        let names: ExportNames
        /// The entity of the row; nil for a row that is not stored.
        let entity: String?
        let parts: [ExportTree]
    }

    /// Adds the keys of the rows that a row is linked to, and those of unresolved references.
    ///
    /// Nothing is added if one of the rows has no key yet: an import would unlink the row for a
    /// null, and for a list without it.
    func addKeys(
        _ relationship: ExportNames.RelationshipName,
        of record: StoredRecord,
        _ held: [UnresolvedKey],
        _ reader: StoreReader,
        to members: inout ExportTree.Members
    ) throws {
        let links = record.links[relationship.relationship.name] ?? []
        var keys = try links.compactMap { try key(of: $0, reader) }
        guard keys.count == links.count else { return }
        for held in held {
            guard let key = try key(held, relationship, of: record) else { continue }
            keys.insert(key, at: min(held.position ?? keys.count, keys.count))
        }
        if relationship.relationship.isToMany {
            try addList(keys, relationship, to: &members)
        } else if let key = keys.first {
            if let names = relationship.references {
                for (name, part) in zip(names, key.parts) { members.add(name, part) }
            } else if let name = relationship.key {
                members.add(name, object(key))
            }
        }
    }

    /// Returns a row that is not stored as an element of a list of objects: its key, which an
    /// import reads as a reference.
    ///
    /// Nil if the list can only contain objects.
    func reference(
        to held: UnresolvedKey,
        _ relationship: ExportNames.RelationshipName,
        of record: StoredRecord
    ) throws -> ExportTree? {
        guard options.relationships == .objects,
            let key = try key(held, relationship, of: record)
        else { return nil }
        return key.parts.count == 1 ? key.parts[0] : object(key)
    }

    /// Returns the key of a row as an element of a list of objects, which an import reads as a
    /// reference; nil if the row has no complete key.
    ///
    /// Nested attributes of Rails cannot contain references: there, it is an object with only a
    /// key.
    func reference(to link: RowReference, _ reader: StoreReader) throws -> ExportTree? {
        guard let key = try key(of: link, reader) else { return nil }
        return key.parts.count == 1 && options.relationships == .objects
            ? key.parts[0] : object(key)
    }

    /// Returns whether a row has a value for all parts of its primary key.
    func hasKey(_ record: StoredRecord, _ names: ExportNames) -> Bool {
        !names.key.isEmpty
            && names.key.indices.allSatisfy { place in
                if let parent = names.keyParents[place] {
                    return record.links[parent]?.isEmpty == false
                }
                return record[names.key[place].attribute.name] != .null
            }
    }

    /// Adds a list of keys.
    ///
    /// A key of several parts is an object of these parts.
    private func addList(
        _ keys: [LinkedKey],
        _ relationship: ExportNames.RelationshipName,
        to members: inout ExportTree.Members
    ) throws {
        let destination = try names(relationship.relationship.destination)
        switch destination.key.count {
        case 0:
            return
        case 1:
            guard let name = relationship.references?.first else { return }
            members.add(name, .array(keys.compactMap(\.parts.first)))
        default:
            guard let name = relationship.key else { return }
            members.add(name, .array(keys.map(object)))
        }
    }

    /// Returns a key as an object that contains nothing else.
    private func object(_ key: LinkedKey) -> ExportTree {
        var members = ExportTree.Members()
        for (attribute, part) in zip(key.names.key, key.parts) { members.add(attribute.key, part) }
        if let entity = key.entity { addEntity(entity, key.names, to: &members) }
        return .object(members)
    }

    /// Adds the name of an object's entity, if the model has a discriminator.
    func addEntity(_ entity: String, _ names: ExportNames, to members: inout ExportTree.Members) {
        // An attribute with the same name is already exported.
        guard let path = names.mapping.discriminator, !members.hasValue(at: path) else { return }
        members.add(path, .value { $0.string(entity) })
    }

    /// Adds the keys of the parents within which the key of a row is unique: an import needs them
    /// to find the row if the parent does not contain it.
    func addParentKeys(
        of record: StoredRecord,
        _ names: ExportNames,
        _ reader: StoreReader,
        to members: inout ExportTree.Members
    ) throws {
        guard options.relationships != .ids, names.keyParents.contains(where: { $0 != nil }),
            let key = try key(of: record.reference, reader)
        else { return }
        for (place, part) in key.parts.enumerated() where names.keyParents[place] != nil {
            members.add(names.key[place].key, part)
        }
    }

    /// Returns the key of a row; nil if it has no complete key.
    private func key(of link: RowReference, _ reader: StoreReader) throws -> LinkedKey? {
        let entity = try reader.layout.entity(link.entity)
        guard let key = try reader.key(of: link.number, entity) else { return nil }
        return try self.key(key.parts, names(link.entity), of: link, entity: link.entity)
    }

    /// Returns the key of a row that is not stored.
    private func key(
        _ held: UnresolvedKey,
        _ relationship: ExportNames.RelationshipName,
        of owner: StoredRecord
    ) throws -> LinkedKey? {
        let names = try names(relationship.relationship.destination)
        return try key(held.parts, names, of: owner.reference, entity: nil)
    }

    private func key(
        _ values: [Value],
        _ names: ExportNames,
        of row: RowReference,
        entity: String?
    ) throws -> LinkedKey? {
        let parts = try zip(names.key, values).compactMap { name, part -> ExportTree? in
            guard part != .null else { return nil }
            let values = [name.attribute.name: part]
            return try value(of: name, in: StoredRecord(reference: row, values: values, links: [:]))
        }
        guard !parts.isEmpty, parts.count == names.key.count else { return nil }
        return LinkedKey(names: names, entity: entity, parts: parts)
    }
}
