import TidemarkModel
import TidemarkStore

extension ImportRun {
    /// Reads the members of an object into a frame: where the value of each slot and relationship stands.
    func readMembers(_ node: JSONNode, _ entity: EntityImport, _ frame: ObjectFrame) {
        var position = 0
        var index = node.firstChild
        let end = node.next
        while index < end {
            let name = node.node(at: index)
            let value = name.next
            if name.isComplex {
                readEscaped(name, value, node, entity, frame, position)
            } else {
                read(name.text, value, node, entity, frame, position)
            }
            position += 1
            index = node.node(at: value).next
        }
    }

    private func readEscaped(
        _ name: JSONNode,
        _ value: Int,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ position: Int
    ) {
        var text = name.string
        text.withUTF8 {
            read(UnsafeRawBufferPointer($0), value, node, entity, frame, position)
        }
    }

    private func read(
        _ name: UnsafeRawBufferPointer,
        _ value: Int,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ position: Int
    ) {
        guard let place = entity.reading.entry(name, at: position) else {
            noteUnknown(name, entity, frame, node)
            return
        }
        assign(entity.reading.table.entries[place], value, node, entity, frame)
        if let nested = entity.reading.table.entries[place].nested {
            readNested(
                entity.reading.table.nested[nested],
                node.node(at: value),
                node,
                entity,
                frame
            )
        }
    }

    /// Reads the members of an object that stands where a key path leads through.
    private func readNested(
        _ table: NameTable,
        _ value: JSONNode,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) {
        guard value.kind == .object else { return }
        for (name, inner) in value.members {
            var text = name.string
            let place = text.withUTF8 { table.place(of: UnsafeRawBufferPointer($0)) }
            guard let place else { continue }
            assign(table.entries[place], inner.index, node, entity, frame)
            if let deeper = table.entries[place].nested {
                readNested(table.nested[deeper], inner, node, entity, frame)
            }
        }
    }

    /// Notes where a value stands.
    @inline(__always)
    private func assign(
        _ entry: NameTable.Entry,
        _ value: Int,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) {
        if let target = entry.attribute {
            assign(target, value, node, entity, frame)
        }
        if let target = entry.link {
            assign(target, value, entity, frame)
        }
    }

    /// Of several names for one slot the best wins, of the same name the last.
    private func assign(
        _ target: NameTable.AttributeTarget,
        _ value: Int,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) {
        let known = Int(frame.ranks[target.slot])
        if known != target.rank, frame.tokens[target.slot] >= 0 {
            noteTwoSpellings(entity.plan.slots[target.slot].path, entity, frame, node)
        }
        if target.rank <= known {
            frame.tokens[target.slot] = Int32(truncatingIfNeeded: value)
            frame.ranks[target.slot] = Int32(truncatingIfNeeded: target.rank)
        }
    }

    private func assign(
        _ target: NameTable.LinkTarget,
        _ value: Int,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) {
        let relationship = target.relationship
        guard let part = target.part else {
            if target.rank <= frame.links[relationship].objectsRank {
                frame.links[relationship].objects = value
                frame.links[relationship].objectsRank = target.rank
            }
            return
        }
        if target.rank <= frame.links[relationship].referenceRank {
            if frame.links[relationship].references.isEmpty {
                let parts = entity.plan.relationships[relationship].keyPartCount
                frame.links[relationship].references = Array(repeating: -1, count: parts)
            }
            frame.links[relationship].references[part] = value
            frame.links[relationship].referenceRank = target.rank
        }
    }

    // MARK: Diagnostics

    private func noteUnknown(
        _ name: UnsafeRawBufferPointer,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ node: JSONNode
    ) {
        entity.reading.countUnknown(name, &log) { log in
            let path = String(decoding: name, as: UTF8.self)
            return log.note(
                entity.plan.entity.name,
                path,
                "The model has no attribute or relationship for this key."
            ) { (keyText(node, entity, frame), nil) }
        }
    }

    private func noteTwoSpellings(
        _ path: String,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ node: JSONNode
    ) {
        log.note(
            entity.plan.entity.name,
            path,
            "The object has this value under two names."
        ) { (keyText(node, entity, frame), nil) }
    }

    /// The primary key of an object as text, for diagnostics.
    func keyText(_ node: JSONNode, _ entity: EntityImport, _ frame: ObjectFrame) -> String? {
        let parts = entity.plan.key.compactMap { slot -> String? in
            let token = Int(frame.tokens[slot])
            guard token >= 0 else { return nil }
            let value = node.node(at: token)
            return value.kind == .string
                ? value.string : String(decoding: value.text, as: UTF8.self)
        }
        guard !parts.isEmpty, parts.count == entity.plan.key.count else { return nil }
        return parts.joined(separator: ",")
    }
}
