import TidemarkJSON
import TidemarkModel
import TidemarkStore

extension ImportRun {
    /// Reads the members of an object into a frame: the token of the value of each slot and
    /// relationship.
    func readMembers(_ node: JSONNode, _ entity: EntityImport, _ frame: ObjectFrame) {
        readings &+= 1
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
            noteUnknown(name, at: position, entity, frame, node)
            return
        }
        guard target.nested >= 0 else { return assign(target, value, node, entity, frame) }
        readPassage(target, name, value, node, entity, frame)
    }

    /// Reads a member that key paths lead through.
    ///
    /// Rare, and not inlined: its accesses would be checked for exclusivity for every object,
    /// including those without such a member.
    @inline(never)
    private func readPassage(
        _ target: NameTable.Target,
        _ name: UnsafeRawBufferPointer,
        _ value: Int,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) {
        let inner = entity.reading.table.nested[Int(target.nested)]
        let path = target.isPassage ? [String(decoding: name, as: UTF8.self)] : nil
        readPassage(target, inner, path, node.node(at: value), node.index, node, entity, frame)
    }

    private func readPassage(
        _ target: NameTable.Target,
        _ table: NameTable,
        _ path: [String]?,
        _ value: JSONNode,
        _ object: Int,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) {
        if frame.beginNested(table, in: object), target.isPassage {
            noteRepeatedMember(path?.joined(separator: "."), entity, frame, node)
        }
        let isPassed = value.kind == .object || value.kind == .array && table.hasIndexes
        if !target.leadsToItself || !isPassed {
            assign(target, value.index, node, entity, frame)
        }
        switch value.kind {
        case .object: readNested(table, path, value, node, entity, frame)
        case .array: readElements(table, path, value, node, entity, frame)
        case .null: frame.clear(table, by: value.index)
        case .string, .number, .true, .false: break
        }
    }

    /// Reads the members of an object that key paths lead through.
    ///
    /// If the object is only an intermediate step, `path` is its path, and members that are not in
    /// the table are reported.
    private func readNested(
        _ table: NameTable,
        _ path: [String]?,
        _ value: JSONNode,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) {
        for (name, inner) in value.members {
            var text = name.string
            let place = text.withUTF8 { table.place(of: UnsafeRawBufferPointer($0)) }
            let path = path.map { $0 + [text] }
            guard let target = place.map({ table.targets[$0] }) else {
                // Parse specifies the type of such a value with this member.
                if text == "__type" { continue }
                var unknown = path?.joined(separator: ".")
                unknown?.withUTF8 {
                    noteUnknown(UnsafeRawBufferPointer($0), at: nil, entity, frame, node)
                }
                continue
            }
            readNested(target, in: table, path, inner, value.index, node, entity, frame)
        }
    }

    /// Reads the elements of an array that key paths refer to by index, from 0.
    ///
    /// Elements that the array does not have are null.
    private func readElements(
        _ table: NameTable,
        _ path: [String]?,
        _ value: JSONNode,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) {
        guard table.hasIndexes else { return }
        var count = 0
        for element in value.elements {
            var text = String(count)
            let place = text.withUTF8 { table.place(of: UnsafeRawBufferPointer($0)) }
            if let target = place.map({ table.targets[$0] }) {
                let path = path.map { $0 + [text] }
                readNested(target, in: table, path, element, value.index, node, entity, frame)
            }
            count += 1
        }
        frame.clearElements(of: table, from: count)
    }

    private func readNested(
        _ target: NameTable.Target,
        in table: NameTable,
        _ path: [String]?,
        _ value: JSONNode,
        _ object: Int,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) {
        guard target.nested >= 0 else { return assign(target, value.index, node, entity, frame) }
        let inner = table.nested[Int(target.nested)]
        let path = target.isPassage ? path : nil
        readPassage(target, inner, path, value, object, node, entity, frame)
    }

    /// Stores the token of a value.
    ///
    /// Of several names for one target the one with the best rank wins; of repeated members with
    /// the same name, the last.
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
            if frame.tokens[slot] >= 0 { noteSecondValue(target, entity, frame, node) }
            if target.slotRank <= frame.ranks[slot] {
                frame.tokens[slot] = value
                frame.ranks[slot] = target.slotRank
            }
        }
        if target.relationship >= 0 {
            assign(target, value, node, entity, frame)
        }
    }

    @inline(never)
    private func assign(
        _ target: NameTable.Target,
        _ value: Int32,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) {
        let place = Int(target.relationship)
        if target.part < 0 {
            if frame.links[place].objects >= 0,
                frame.links[place].objectsRank == target.relationshipRank
            {
                noteRepeatedLink(place, entity, frame, node)
            }
            guard target.relationshipRank <= frame.links[place].objectsRank else { return }
            frame.links[place].objects = value
            frame.links[place].objectsRank = target.relationshipRank
        } else if target.relationshipRank <= frame.links[place].referenceRank {
            let part = entity.plan.relationships[place].firstPart + Int(target.part)
            if frame.references[part] >= 0,
                frame.links[place].referenceRank == target.relationshipRank
            {
                noteRepeatedLink(place, entity, frame, node)
            }
            frame.references[part] = value
            frame.links[place].referenceRank = target.relationshipRank
        }
    }

    // MARK: Diagnostics

    // Not inlined: its accesses would be checked for exclusivity for every object.
    @inline(never)
    private func noteUnknown(
        _ name: UnsafeRawBufferPointer,
        at position: Int?,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ node: JSONNode
    ) {
        guard !entity.plan.ignoresUnknownNames, !isTypeName(name, node) else { return }
        // The log truncates names. A copy of a name of many megabytes would only cost time.
        func shownName() -> String { String(decoding: name.prefix(4096), as: UTF8.self) }
        let isRepeated = entity.reading.countUnknown(name, at: position, in: readings, log) {
            log.note(
                entity.plan.entity.name,
                shownName(),
                "The model has no attribute or relationship for this key."
            ) { (keyText(node, entity, frame), nil) }
        }
        if isRepeated {
            noteRepeatedMember(shownName(), entity, frame, node)
        }
    }

    /// Returns whether a member specifies the type of its object instead of a property: Parse's
    /// `__type`, and the `className` of the same object.
    private func isTypeName(_ name: UnsafeRawBufferPointer, _ node: JSONNode) -> Bool {
        switch name.count {
        case 6: name.elementsEqual("__type".utf8)
        case 9: name.elementsEqual("className".utf8) && node.member("__type") != nil
        default: false
        }
    }

    /// Logs a second value for a slot, under another name or under the same name.
    @inline(never)
    private func noteSecondValue(
        _ target: NameTable.Target,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ node: JSONNode
    ) {
        let slot = Int(target.slot)
        guard frame.ranks[slot] != ObjectFrame.clearedRank else { return }
        guard frame.ranks[slot] != target.slotRank else {
            // Which of two keys is meant is unknown, so that the object may be any row.
            if entity.plan.isKey(slot) { noteNameless(entity) }
            let path = self.path(slot, node, entity, frame)
            return noteRepeatedMember(path, entity, frame, node)
        }
        log.note(
            entity.plan.entity.name,
            entity.plan.slots[slot].path,
            "The object has this value under two names."
        ) { (keyText(node, entity, frame), nil) }
    }

    /// Logs a relationship that is given twice.
    ///
    /// Which of the two values is meant is unknown, so neither proves that a row was deleted.
    private func noteRepeatedLink(
        _ place: Int,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ node: JSONNode
    ) {
        frame.links[place].isRepeated = true
        let path = path(entity.relationships[place], node, entity, frame)
        noteRepeatedMember(path, entity, frame, node)
    }

    private func noteRepeatedMember(
        _ path: String?,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ node: JSONNode
    ) {
        log.note(
            entity.plan.entity.name,
            path,
            "The object has this member twice: the last one is used."
        ) { (keyText(node, entity, frame), nil) }
    }
}
