import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The members of an object.
extension ObjectImport {
    /// Reads the members into the frame: the token of the value of each slot and relationship.
    func readMembers() {
        entity.names.beginObject()
        var position = 0
        var index = node.firstChild
        let end = node.next
        while index < end {
            let name = node.node(at: index)
            let value = name.next
            if name.isComplex {
                readEscaped(name, value: value, at: position)
            } else {
                read(name.text, value: value, at: position)
            }
            position += 1
            index = node.node(at: value).next
        }
    }

    private func readEscaped(_ name: JSONNode, value: Int, at position: Int) {
        var text = name.string
        text.withUTF8 { read(UnsafeRawBufferPointer($0), value: value, at: position) }
    }

    @inline(__always)
    private func read(_ name: UnsafeRawBufferPointer, value: Int, at position: Int) {
        guard let target = entity.names.target(name, at: position) else {
            return reportUnknown(name, at: position)
        }
        guard target.nested >= 0 else { return assign(value, to: target) }
        readPassage(name, target: target, value: node.node(at: value))
    }

    /// Stores the token of a value.
    ///
    /// Of several names for one target the one with the best rank wins; of repeated members with
    /// the same name, the last.
    @inline(__always)
    private func assign(_ value: Int, to target: NameTable.Target) {
        let value = Int32(truncatingIfNeeded: value)
        if target.slot >= 0 {
            let slot = Int(target.slot)
            if frame.tokens[slot] >= 0 { reportSecondValue(target) }
            if target.slotRank <= frame.ranks[slot] {
                frame.tokens[slot] = value
                frame.ranks[slot] = target.slotRank
            }
        }
        if target.relationship >= 0 { assignLink(value, to: target) }
    }

    @inline(never)
    private func assignLink(_ value: Int32, to target: NameTable.Target) {
        let index = Int(target.relationship)
        if target.part < 0 {
            entity.names.sample.observe(node.node(at: Int(value)), ofRelationship: index)
            if frame.links[index].objects >= 0,
                frame.links[index].objectsRank == target.relationshipRank
            {
                reportRepeatedLink(index)
            }
            guard target.relationshipRank <= frame.links[index].objectsRank else { return }
            frame.links[index].objects = value
            frame.links[index].objectsRank = target.relationshipRank
        } else if target.relationshipRank <= frame.links[index].referenceRank {
            let part = entity.plan.relationships[index].firstPart + Int(target.part)
            if frame.references[part] >= 0,
                frame.links[index].referenceRank == target.relationshipRank
            {
                reportRepeatedLink(index)
            }
            entity.names.sample.observe(
                node.node(at: Int(value)),
                ofRelationship: index,
                part: part
            )
            frame.references[part] = value
            frame.links[index].referenceRank = target.relationshipRank
        }
    }

    // MARK: Key paths

    /// A value that key paths lead through.
    private struct Passage {
        /// The names inside the value.
        let table: NameTable

        /// The path of the value, if it is only an intermediate step: its members that are not in
        /// the table are reported.
        let path: [String]?

        /// The index of the table of the outermost value, a member of the object.
        let root: Int

        let value: JSONNode

        /// Returns the path of a member; nil if unknown members are not reported.
        func path(of name: String) -> [String]? { path.map { $0 + [name] } }
    }

    /// Reads a member that key paths lead through.
    ///
    /// Rare, and not inlined: its accesses would be checked for exclusivity for every object,
    /// including those without such a member.
    @inline(never)
    private func readPassage(
        _ name: UnsafeRawBufferPointer,
        target: NameTable.Target,
        value: JSONNode
    ) {
        let passage = Passage(
            table: entity.names.table.nested[Int(target.nested)],
            path: target.isPassage ? [String(decoding: name, as: UTF8.self)] : nil,
            root: Int(target.nested),
            value: value
        )
        read(passage, target: target, in: node.index)
    }

    /// Reads a value that key paths lead through.
    ///
    /// - Parameters:
    ///   - passage: The value.
    ///   - target: The target of its name.
    ///   - object: The token of the object that contains it.
    private func read(_ passage: Passage, target: NameTable.Target, in object: Int) {
        let (table, value) = (passage.table, passage.value)
        if frame.beginNested(table, in: object), target.isPassage {
            reportRepeatedMember(passage.path.map { JSONPath($0).description })
        }
        let isPassed = value.kind == .object || value.kind == .array && table.hasIndexes
        if !target.leadsToItself || !isPassed { assign(value.index, to: target) }
        switch value.kind {
        case .object: readMembers(of: passage)
        case .array: readElements(of: passage)
        case .null: frame.clear(below: table, by: value.index)
        case .string, .number, .true, .false: break
        }
    }

    private func readMembers(of passage: Passage) {
        entity.names.sample.record(.mapped, in: passage.root)
        for (name, value) in passage.value.members {
            var text = name.string
            let index = text.withUTF8 { passage.table.index(of: UnsafeRawBufferPointer($0)) }
            if let target = index.map({ passage.table.targets[$0] }) {
                if !target.isMapped { entity.names.sample.record(.unmapped, in: passage.root) }
                read(value, named: text, target: target, in: passage)
            } else if text != "__type" {
                entity.names.sample.record(.unmapped, in: passage.root)
                // Parse specifies the type of such a value with `__type`.
                var unknown = passage.path(of: text).map { JSONPath($0).description }
                unknown?.withUTF8 {
                    reportUnknown(UnsafeRawBufferPointer($0), at: nil, isPath: true)
                }
            }
        }
    }

    /// Reads the elements of an array that key paths refer to by index, from 0.
    ///
    /// Elements that the array does not have are null.
    private func readElements(of passage: Passage) {
        guard passage.table.hasIndexes else { return }
        // Other objects may have more elements.
        entity.names.sample.record(.unmapped, in: passage.root)
        var count = 0
        for element in passage.value.elements {
            var text = String(count)
            let index = text.withUTF8 { passage.table.index(of: UnsafeRawBufferPointer($0)) }
            if let target = index.map({ passage.table.targets[$0] }) {
                read(element, named: text, target: target, in: passage)
            }
            count += 1
        }
        frame.clearElements(of: passage.table, from: count)
    }

    private func read(
        _ value: JSONNode,
        named name: String,
        target: NameTable.Target,
        in passage: Passage
    ) {
        guard target.nested >= 0 else { return assign(value.index, to: target) }
        let inner = Passage(
            table: passage.table.nested[Int(target.nested)],
            path: target.isPassage ? passage.path(of: name) : nil,
            root: passage.root,
            value: value
        )
        read(inner, target: target, in: passage.value.index)
    }

    // MARK: Diagnostics

    // Not inlined: its accesses would be checked for exclusivity for every object.
    @inline(never)
    private func reportUnknown(
        _ name: UnsafeRawBufferPointer,
        at position: Int?,
        isPath: Bool = false
    ) {
        guard !entity.plan.ignoresUnknownNames, !isTypeName(name) else { return }
        // The log truncates names. A copy of a name of many megabytes would only cost time.
        func shownName() -> String {
            let text = String(decoding: name.prefix(4096), as: UTF8.self)
            return isPath ? text : JSONPath.text(of: text)
        }
        let isRepeated = entity.names.countUnknown(name, at: position, log: run.log) {
            record("The model has no attribute or relationship for this key.", path: shownName())
        }
        if isRepeated { reportRepeatedMember(shownName()) }
    }

    /// Returns whether a member specifies the type of its object instead of a property: Parse's
    /// `__type`, and the `className` of the same object.
    private func isTypeName(_ name: UnsafeRawBufferPointer) -> Bool {
        switch name.count {
        case 6: name.elementsEqual("__type".utf8)
        case 9: name.elementsEqual("className".utf8) && node.member("__type") != nil
        default: false
        }
    }

    /// Reports a second value for a slot, under another name or under the same name.
    @inline(never)
    private func reportSecondValue(_ target: NameTable.Target) {
        let slot = Int(target.slot)
        guard frame.ranks[slot] != ObjectFrame.clearedRank else { return }
        guard frame.ranks[slot] != target.slotRank else {
            // Which of two keys is meant is unknown, so that the object may be any row.
            if entity.plan.isKey(slot) { recordUnidentified() }
            return reportRepeatedMember(path(ofSlot: slot))
        }
        record("The object has this value under two names.", path: entity.plan.slots[slot].path)
    }

    /// Reports a relationship that is given twice.
    ///
    /// Which of the two values is meant is unknown, so neither proves that a row was deleted.
    private func reportRepeatedLink(_ index: Int) {
        frame.links[index].isRepeated = true
        reportRepeatedMember(path(of: entity.relationships[index]))
    }

    private func reportRepeatedMember(_ path: String?) {
        record("The object has this member twice: the last one is used.", path: path)
    }
}
