import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The primary keys of objects: as a document contains them, and as references contain them.
extension ImportRun {
    /// Returns the values of an object's primary key as the object contains them, including its
    /// parent's; nil if one is missing.
    ///
    /// If the object is in the list of a parent that is part of its key, that parent's key is used,
    /// even if the object names another one.
    func writtenKey(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        within parent: ObjectContext.ParentLink? = nil
    ) throws -> [StoredValue]? {
        let parentKey = try parent.flatMap { try key(of: $0, entity) }
        var values: [StoredValue] = []
        for place in entity.plan.keyParts.indices {
            let part = entity.plan.keyParts[place]
            if let parentKey, part.relationship == parent?.relationship {
                values.append(parentKey.parts[part.place].stored(in: arena))
                continue
            }
            let value =
                try writtenPart(place, node, entity, frame)
                ?? embeddedPart(place, node, entity, frame)
            guard let value,
                case .value(let part) = entity.coerceKeyPart(place, value, into: arena),
                !part.isNull
            else { return nil }
            values.append(part)
        }
        return values.isEmpty ? nil : values
    }

    private func key(
        of parent: ObjectContext.ParentLink,
        _ entity: EntityImport
    ) throws -> RecordKey? {
        let destination = entity.relationships[parent.relationship].layout.destination
        return try parent.number.flatMap { try reader.key(of: $0, layout.entities[destination]) }
    }

    private func writtenPart(
        _ place: Int,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) -> JSONNode? {
        let part = entity.plan.keyParts[place]
        if let slot = part.slot {
            return frame.tokens[slot] >= 0 ? node.node(at: Int(frame.tokens[slot])) : nil
        }
        guard let relationship = part.relationship else { return nil }
        let plan = entity.relationships[relationship]
        let reference = Int(frame.references[plan.firstPart + part.place])
        if reference >= 0 { return node.node(at: reference) }
        guard frame.links[relationship].objects >= 0 else { return nil }
        let parent = node.node(at: Int(frame.links[relationship].objects))
        guard parent.kind == .object else { return plan.keyPartCount == 1 ? parent : nil }
        return parent.pointerKey
    }

    /// Returns a part of the key from the object that is embedded as the parent.
    private func embeddedPart(
        _ place: Int,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) throws -> JSONNode? {
        let part = entity.plan.keyParts[place]
        guard let relationship = part.relationship, frame.links[relationship].objects >= 0 else {
            return nil
        }
        let object = node.node(at: Int(frame.links[relationship].objects))
        let parent = try self.entity(entity.relationships[relationship].layout.destination)
        guard object.kind == .object, let slot = parent.plan.keyParts[part.place].slot else {
            return nil
        }
        return parent.reading.value(of: slot, in: object)
    }

    /// Returns the values of an object's primary key as references to it contain them; empty if the
    /// object has no key.
    func keyValues(_ entity: EntityImport, _ frame: ObjectFrame) throws -> [StoredValue] {
        let plan = entity.plan
        guard plan.key.allSatisfy({ frame.isGiven[$0] }) else { return [] }
        guard !plan.keyRelationships.isEmpty else { return plan.key.map { frame.values[$0] } }
        var values: [StoredValue] = []
        for part in plan.keyParts {
            if let slot = part.slot {
                values.append(frame.values[slot])
                continue
            }
            guard let place = part.relationship else { return [] }
            let relationship = plan.relationships[place]
            if let slot = relationship.slot, case .integer(let number) = frame.values[slot] {
                let parent = layout.entities[relationship.layout.destination]
                guard let key = try reader.key(of: number, parent) else { return [] }
                values.append(key.parts[part.place].stored(in: arena))
            } else {
                values.append(frame.missingKeys[relationship.firstPart + part.place])
            }
        }
        return values
    }

    /// Returns the primary key of an object for diagnostics: the text of its value, or a list of
    /// several values.
    func keyText(_ node: JSONNode, _ entity: EntityImport, _ frame: ObjectFrame) -> String? {
        let parts = entity.plan.keyParts.indices.compactMap { place -> String? in
            // The parent that contains the object is used, even if the object names another one.
            if let part = storedPart(place, entity, frame) { return part }
            guard let value = writtenPart(place, node, entity, frame) else { return nil }
            guard value.kind != .null else { return nil }
            // In a list, text is quoted, to distinguish it from a number.
            let isQuoted = entity.plan.keyParts.count > 1 && !entity.plan.keyParts[place].isNumber
            return value.kind == .string && !isQuoted
                ? value.string : String(decoding: value.source, as: UTF8.self)
        }
        guard parts.count == entity.plan.keyParts.count else { return nil }
        return parts.count > 1 ? "[\(parts.joined(separator: ","))]" : parts.first
    }

    /// Returns a part of the key from the stored row of the object's parent.
    private func storedPart(
        _ place: Int,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) -> String? {
        let part = entity.plan.keyParts[place]
        guard let relationship = part.relationship.map({ entity.relationships[$0] }),
            let slot = relationship.slot, frame.isGiven[slot],
            case .integer(let number) = frame.values[slot]
        else { return nil }
        let parent = layout.entities[relationship.layout.destination]
        switch Result(catching: { try reader.key(of: number, parent) }) {
        case .success(let key): return key?.parts[part.place].keyText
        // A diagnostic without a key is better than none.
        case .failure: return nil
        }
    }
}

extension Value {
    /// The value as a part of a key in a list.
    fileprivate var keyText: String? {
        switch self {
        case .null: nil
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .decimal(let text): text
        case .date(let seconds):
            DateFormat.microseconds(fromSeconds: seconds).map {
                "\"\(DateFormat.iso8601(.whenNeeded).string(from: $0))\""
            }
        case .string(let text), .uuid(let text), .uri(let text), .json(let text):
            Self.quoted(text)
        case .binary: nil
        }
    }

    private static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.string(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
