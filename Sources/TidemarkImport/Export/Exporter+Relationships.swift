import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The export of relationships, in the format that the options specify.
extension Exporter {
    /// Adds the objects that a row is linked to.
    func add(
        _ objects: [ExportTree],
        of relationship: ExportNames.RelationshipName,
        to members: inout ExportTree.Members
    ) {
        guard let key = relationship.key else { return }
        guard relationship.relationship.isToMany else {
            if let object = objects.first {
                members.add(relationship.isPart ? object.asPart : object, at: key)
            }
            return
        }
        guard representation(of: relationship) == .nestedAttributes else {
            let elements = relationship.isPart ? objects.map(\.asPart) : objects
            return members.add(.array(elements), at: key)
        }
        var elements = ExportTree.Members()
        for (index, object) in objects.enumerated() { elements.add(object, at: String(index)) }
        members.add(.object(elements), at: key)
    }

    /// Adds null for a to-one relationship without a linked row, which is otherwise omitted.
    func addNothing(
        of relationship: ExportNames.RelationshipName,
        to members: inout ExportTree.Members
    ) {
        guard !relationship.relationship.isToMany else { return }
        let names: [String]
        switch representation(of: relationship) {
        case .none: names = []
        case .ids where change?.hasKeys ?? true && !relationship.form.isObject:
            names = relationship.references ?? []
        case .ids, .objects, .nestedAttributes: names = relationship.plainKey.map { [$0] } ?? []
        }
        let null = change.map(\.nullLink) ?? .null
        for name in names { members.add(null, at: name) }
    }

    /// Returns how linked rows are written.
    func representation(
        of relationship: ExportNames.RelationshipName
    ) -> ExportOptions.Relationships {
        guard let change, relationship.isPart else { return options.relationships }
        return change.embedding
    }

    // MARK: Keys

    /// The primary key of a linked row.
    private struct LinkedKey {
        let names: ExportNames
        /// The entity of the row; nil for a row that is not stored.
        let entity: String?
        let parts: [ExportTree]
        let values: [Value]

        /// Returns a part of the key as a reference.
        func part(_ index: Int, in form: ExportNames.ReferenceForm) -> ExportTree {
            guard case .keys(let forms) = form, index < forms.count, let form = forms[index] else {
                return parts[index]
            }
            switch (form, values[index]) {
            // The object itself may show its key as a text.
            case (.number, .integer(let number)): return .value { $0.integer(number) }
            default: return form.written(values[index]).map { ExportTree($0) } ?? parts[index]
            }
        }
    }

    /// Adds the keys of the rows that a row is linked to, and those of unresolved references.
    ///
    /// Nothing is added if one of the rows has no key yet: an import would unlink the row for a
    /// null, and for a list without it.
    ///
    /// - Returns: Whether all rows have a key.
    @discardableResult
    func addKeys(
        of relationship: ExportNames.RelationshipName,
        record: StoredRecord,
        unresolved: [UnresolvedKey],
        reader: StoreReader,
        to members: inout ExportTree.Members
    ) throws -> Bool {
        let links = record.links[relationship.relationship.name] ?? []
        var keys = try links.compactMap { try key(of: $0, reader: reader) }
        guard keys.count == links.count else { return false }
        for reference in unresolved {
            guard let key = try key(reference, by: relationship, of: record) else { continue }
            keys.insert(key, at: min(reference.position ?? keys.count, keys.count))
        }
        guard let change, !change.hasKeys || !relationship.form.isKeys else {
            try add(keys, of: relationship, to: &members)
            return true
        }
        return try addReferences(keys, of: relationship, in: change, to: &members)
    }

    /// Adds references that are more than a key.
    private func addReferences(
        _ keys: [LinkedKey],
        of relationship: ExportNames.RelationshipName,
        in change: ChangeFormat,
        to members: inout ExportTree.Members
    ) throws -> Bool {
        let references = try keys.compactMap { key in
            try reference(to: key, by: relationship, in: change)
        }
        guard references.count == keys.count else { return false }
        let isToMany = relationship.relationship.isToMany
        let name = relationship.form.isURL ? relationship.references?.first : relationship.key
        if let name, let value = change.links(references, isToMany: isToMany) {
            members.add(value, at: name)
        }
        return true
    }

    /// Returns a reference that is more than a key; nil if it cannot be written.
    private func reference(
        to key: LinkedKey,
        by relationship: ExportNames.RelationshipName,
        in change: ChangeFormat
    ) throws -> ExportTree? {
        let entity = key.entity ?? relationship.relationship.destination
        let texts = key.values.map(\.requestText)
        guard case .observed(let url) = change.references else {
            return try change.reference(to: entity, key: texts)
        }
        switch relationship.form {
        case .objects: return object(key)
        // The key, of an object that no list contains.
        case .url(let form):
            return try url(entity, texts).map { .string(form.written($0)) } ?? key.parts.first
        case .keys: return nil
        }
    }

    /// Returns a row that is not stored as an element of a list of objects: its key, which an
    /// import reads as a reference.
    ///
    /// Nil if the list can only contain objects.
    func reference(
        to unresolved: UnresolvedKey,
        by relationship: ExportNames.RelationshipName,
        of record: StoredRecord
    ) throws -> ExportTree? {
        guard options.relationships == .objects,
            let key = try key(unresolved, by: relationship, of: record)
        else { return nil }
        return key.parts.count == 1 ? key.parts[0] : object(key)
    }

    /// Returns the key of a row as an element of a list of objects, which an import reads as a
    /// reference; nil if the row has no complete key.
    ///
    /// Nested attributes of Rails cannot contain references: there, it is an object with only a
    /// key.
    func reference(to link: RowReference, reader: StoreReader) throws -> ExportTree? {
        guard let key = try key(of: link, reader: reader) else { return nil }
        return key.parts.count == 1 && options.relationships == .objects
            ? key.parts[0] : object(key)
    }

    /// Returns whether a row has a value for all parts of its primary key.
    func hasKey(_ record: StoredRecord, names: ExportNames) -> Bool {
        !names.key.isEmpty
            && zip(names.key, names.keyParents).allSatisfy { part, parent in
                if let parent { return record.links[parent]?.isEmpty == false }
                return record[part.attribute.name] != .null
            }
    }

    /// Adds the key of a to-one relationship, or a list of keys.
    ///
    /// In a list, a key of several parts is an object of these parts.
    private func add(
        _ keys: [LinkedKey],
        of relationship: ExportNames.RelationshipName,
        to members: inout ExportTree.Members
    ) throws {
        guard relationship.relationship.isToMany else {
            guard let key = keys.first else { return }
            if let names = relationship.references {
                for (index, name) in names.enumerated() where index < key.parts.count {
                    members.add(key.part(index, in: relationship.form), at: name)
                }
            } else if let name = relationship.key {
                members.add(object(key), at: name)
            }
            return
        }
        let destination = try names(relationship.relationship.destination)
        switch destination.key.count {
        case 0:
            return
        case 1:
            guard let name = relationship.references?.first else { return }
            members.add(.array(keys.map { $0.part(0, in: relationship.form) }), at: name)
        default:
            guard let name = relationship.key else { return }
            members.add(.array(keys.map(object)), at: name)
        }
    }

    /// Returns a key as an object that contains nothing else.
    private func object(_ key: LinkedKey) -> ExportTree {
        var members = ExportTree.Members()
        for (name, part) in zip(key.names.key, key.parts) { members.add(part, at: name.key) }
        if let entity = key.entity { addEntity(entity, names: key.names, to: &members) }
        return .object(members)
    }

    /// Adds the name of an object's entity, if the model has a discriminator.
    func addEntity(
        _ entity: String,
        names: ExportNames,
        to members: inout ExportTree.Members
    ) {
        // An attribute with the same name is already exported.
        guard let path = names.mapping.discriminator, !members.hasValue(at: path) else { return }
        members.add(.value { $0.string(entity) }, at: path)
    }

    /// Adds the keys of the parents within which the key of a row is unique: an import needs them
    /// to find the row if the parent does not contain it.
    func addParentKeys(
        of record: StoredRecord,
        names: ExportNames,
        reader: StoreReader,
        to members: inout ExportTree.Members
    ) throws {
        guard options.relationships != .ids, names.keyParents.contains(where: { $0 != nil }),
            let key = try key(of: record.reference, reader: reader)
        else { return }
        for (index, part) in key.parts.enumerated() where names.keyParents[index] != nil {
            members.add(part, at: names.key[index].key)
        }
    }

    /// Returns the key of a row; nil if it has no complete key.
    private func key(of link: RowReference, reader: StoreReader) throws -> LinkedKey? {
        let entity = try reader.layout.entity(link.entity)
        let names = try names(link.entity)
        guard let key = try reader.key(of: link.number, entity) else {
            guard let text = change?.unknownKey?(link), names.key.count == 1 else { return nil }
            return LinkedKey(
                names: names,
                entity: link.entity,
                parts: [.string(text)],
                values: [.string(text)]
            )
        }
        return try self.key(key.parts, names: names, of: link, entity: link.entity)
    }

    /// Returns the key of a row that is not stored.
    private func key(
        _ unresolved: UnresolvedKey,
        by relationship: ExportNames.RelationshipName,
        of owner: StoredRecord
    ) throws -> LinkedKey? {
        let names = try names(relationship.relationship.destination)
        return try key(unresolved.parts, names: names, of: owner.reference, entity: nil)
    }

    private func key(
        _ values: [Value],
        names: ExportNames,
        of row: RowReference,
        entity: String?
    ) throws -> LinkedKey? {
        let parts = try zip(names.key, values).compactMap { name, part -> ExportTree? in
            guard part != .null else { return nil }
            let values = [name.attribute.name: part]
            return try value(of: name, in: StoredRecord(reference: row, values: values, links: [:]))
        }
        guard !parts.isEmpty, parts.count == names.key.count else { return nil }
        return LinkedKey(names: names, entity: entity, parts: parts, values: values)
    }
}

extension ExportNames.ReferenceForm {
    var isKeys: Bool { if case .keys = self { true } else { false } }
    var isObject: Bool { if case .objects = self { true } else { false } }
    var isURL: Bool { if case .url = self { true } else { false } }
}

extension ExportTree {
    /// The object as a part of one of the service, of which the model may not know all members.
    fileprivate var asPart: ExportTree {
        guard case .object(var members) = self else { return self }
        members.isPart = true
        return .object(members)
    }
}

extension ValueForm.ReferenceURL {
    /// Returns a URL as the service writes it.
    fileprivate func written(_ url: String) -> String {
        let query = url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
        var path = url[..<query]
        // After the scheme and the host.
        if isPath, let scheme = path.firstRange(of: "://") {
            path = path[scheme.upperBound...].drop { $0 != "/" }
        }
        while path.hasSuffix("/") { path.removeLast() }
        return path + (hasSlash ? "/" : "") + url[query...]
    }
}
