import TidemarkModel
import TidemarkStore

extension ImportRun {
    /// Reads the members of an object into a frame: where the value of each slot and relationship
    /// stands.
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

    @inline(__always)
    private func read(
        _ name: UnsafeRawBufferPointer,
        _ value: Int,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ position: Int
    ) {
        guard let target = entity.reading.target(name, at: position) else {
            noteUnknown(name, entity, frame, node)
            return
        }
        assign(target, value, node, entity, frame)
        if target.nested >= 0 {
            let inner = entity.reading.table.nested[Int(target.nested)]
            let path = target.isPassage ? [String(decoding: name, as: UTF8.self)] : nil
            frame.beginNested(inner, in: node.index)
            readNested(inner, path, node.node(at: value), node, entity, frame)
        }
    }

    /// Reads the members of an object that stands where a key path leads through.
    ///
    /// When it is nothing but such a passage, `path` says where it stands, and members that are not
    /// in the table are told.
    private func readNested(
        _ table: NameTable,
        _ path: [String]?,
        _ value: JSONNode,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) {
        guard value.kind == .object else { return }
        for (name, inner) in value.members {
            var text = name.string
            let place = text.withUTF8 { table.place(of: UnsafeRawBufferPointer($0)) }
            let path = path.map { $0 + [text] }
            guard let target = place.map({ table.targets[$0] }) else {
                // Parse says so what kind of value this is.
                if text == "__type" { continue }
                var unknown = path?.joined(separator: ".")
                unknown?.withUTF8 { noteUnknown(UnsafeRawBufferPointer($0), entity, frame, node) }
                continue
            }
            assign(target, inner.index, node, entity, frame)
            if target.nested >= 0 {
                let table = table.nested[Int(target.nested)]
                let path = target.isPassage ? path : nil
                frame.beginNested(table, in: value.index)
                readNested(table, path, inner, node, entity, frame)
            }
        }
    }

    /// Notes where a value stands; of several names for one target the best wins, of the same name
    /// the last.
    @inline(__always)
    private func assign(
        _ target: NameTable.Target,
        _ value: Int,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) {
        let value = Int32(truncatingIfNeeded: value)
        if target.slot >= 0 {
            let slot = Int(target.slot)
            if frame.tokens[slot] >= 0, frame.ranks[slot] != target.slotRank {
                noteTwoSpellings(entity.plan.slots[slot].path, entity, frame, node)
            }
            if target.slotRank <= frame.ranks[slot] {
                frame.tokens[slot] = value
                frame.ranks[slot] = target.slotRank
            }
        }
        if target.relationship >= 0 {
            assign(target, value, entity, frame)
        }
    }

    private func assign(
        _ target: NameTable.Target,
        _ value: Int32,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) {
        let place = Int(target.relationship)
        if target.part < 0 {
            guard target.relationshipRank <= frame.links[place].objectsRank else { return }
            frame.links[place].objects = value
            frame.links[place].objectsRank = target.relationshipRank
        } else if target.relationshipRank <= frame.links[place].referenceRank {
            let first = entity.plan.relationships[place].firstPart
            frame.references[first + Int(target.part)] = value
            frame.links[place].referenceRank = target.relationshipRank
        }
    }

    // MARK: Diagnostics

    private func noteUnknown(
        _ name: UnsafeRawBufferPointer,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ node: JSONNode
    ) {
        // It says what kind of object this is, and is no property of it.
        guard name.count != 6 || !name.elementsEqual("__type".utf8) else { return }
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

    /// The primary key of an object as it is written, for diagnostics: the text of its value, of
    /// several parts a list.
    func keyText(_ node: JSONNode, _ entity: EntityImport, _ frame: ObjectFrame) -> String? {
        let parts = entity.plan.key.compactMap { slot -> String? in
            let token = Int(frame.tokens[slot])
            guard token >= 0 else { return nil }
            let value = node.node(at: token)
            guard value.kind != .null else { return nil }
            // In a list a text is quoted, where the key is one.
            let isQuoted = entity.plan.key.count > 1 && !entity.plan.isNumber(slot)
            return value.kind == .string && !isQuoted
                ? value.string : String(decoding: value.source, as: UTF8.self)
        }
        guard parts.count == entity.plan.key.count else { return nil }
        return parts.count > 1 ? "[\(parts.joined(separator: ","))]" : parts.first
    }
}
