import TidemarkJSON
import TidemarkModel
import TidemarkStore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Android)
import Android
#endif

/// Finds the targets of member names in an entity's objects.
///
/// Services send the members of objects in the same order, so that a name is first compared with
/// the one at the same position in the previous object. The hash table is used for all others.
final class MemberNames {
    private let plan: ImportPlan

    /// The names of the plan, and other spellings of them in the document.
    private(set) var table: NameTable

    /// For each position among the members of an object: the most recent name there.
    private let expected: UnsafeMutablePointer<Expected>

    /// The unknown names, and the index of each.
    private var unknown: [Unknown] = []
    private var unknownIndexes: [[UInt8]: Int] = [:]

    /// The number of the current object.
    private var objectNumber = 0

    /// The number of other spellings of known names in the document.
    private var spellingCount = 0

    /// An unknown name.
    private struct Unknown {
        /// The index of its diagnostic; nil if it was omitted.
        let diagnostic: Int?
        /// The number of the last object that contained the name.
        var object: Int
    }

    /// A name and its target.
    private struct Expected {
        var name: UnsafeMutablePointer<UInt8>?
        var count = 0
        var target = NameTable.Target()
        /// Its index among the unknown names; negative for a known name.
        var unknown = -1
    }

    /// The maximum number of unknown names, and of other spellings of known ones, that are
    /// remembered.
    ///
    /// A service with more of them generates names.
    private static let unknownLimit = 1_000

    /// The maximum length of a name whose spelling is searched for and which is remembered, because
    /// a document may have any number of names of any length.
    private static let longestName = 256

    /// The rank added to a name in another spelling, so that it is worse than any name that is
    /// known as it is written.
    private static let spellingRank: Int32 = 100

    /// The number of member positions for which a name is remembered.
    private static let expectedLimit = 256

    init(_ plan: ImportPlan) {
        self.plan = plan
        table = plan.names
        sample = MemberSample(plan)
        expected = .allocate(capacity: Self.expectedLimit)
        expected.initialize(repeating: Expected(), count: Self.expectedLimit)
    }

    deinit {
        for position in 0..<Self.expectedLimit {
            expected[position].name?.deallocate()
        }
        expected.deinitialize(count: Self.expectedLimit)
        expected.deallocate()
    }

    /// What the values of the members have shown.
    let sample: MemberSample

    /// The names of properties in the spelling that the objects had, with the forms of their
    /// values.
    ///
    /// A name through which key paths lead is not one: the value was in an object under it.
    var observed: ObservedNames {
        var names = ObservedNames()
        for position in 0..<Self.expectedLimit {
            let content = expected[position]
            let target = content.target
            guard let start = content.name, content.unknown < 0 else { continue }
            let bytes = UnsafeRawBufferPointer(start: start, count: content.count)
            let name = JSONPath.text(of: String(decoding: bytes, as: UTF8.self))
            names.forms[name] = sample.form(of: target)
            guard target.slot >= 0 && target.nested < 0 || target.relationship >= 0 else {
                continue
            }
            names.all.insert(name)
            if sample.isEmpty(target) { names.empty.insert(name) }
            if target.relationship >= 0, target.part < 0,
                sample.isEmbedded(Int(target.relationship))
            {
                names.embedded.insert(name)
            }
        }
        names.forms.merge(sample.nestedForms) { own, _ in own }
        return names
    }

    /// Starts with the names of the next object.
    func beginObject() { objectNumber &+= 1 }

    /// Returns the target of a name, given its position among the members of its object.
    @inline(__always)
    func target(_ name: UnsafeRawBufferPointer, at position: Int) -> NameTable.Target? {
        if isExpected(name, at: position) {
            let expected = expected[position]
            return expected.unknown < 0 ? expected.target : nil
        }
        return find(name, at: position)
    }

    @inline(__always)
    private func isExpected(_ name: UnsafeRawBufferPointer, at position: Int) -> Bool {
        guard position < Self.expectedLimit, let known = expected[position].name,
            expected[position].count == name.count, let start = name.baseAddress
        else { return false }
        return memcmp(known, start, name.count) == 0
    }

    @inline(never)
    private func find(_ name: UnsafeRawBufferPointer, at position: Int) -> NameTable.Target? {
        guard let index = table.index(of: name) ?? otherSpelling(name) else { return nil }
        expect(name, at: position, as: Expected(target: table.targets[index]))
        return table.targets[index]
    }

    /// Remembers the target of a name at a position.
    private func expect(
        _ name: UnsafeRawBufferPointer,
        at position: Int,
        as content: Expected
    ) {
        guard position < Self.expectedLimit, !name.isEmpty else { return }
        // A copy, because the bytes of the document are released before the next item.
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: name.count)
        UnsafeMutableRawBufferPointer(start: copy, count: name.count).copyMemory(from: name)
        expected[position].name?.deallocate()
        expected[position] = content
        expected[position].name = copy
        expected[position].count = name.count
    }

    /// Adds a key path that is not part of the model, because the configuration or the service's
    /// dialect uses it.
    func addKnown(_ path: [String]) {
        table.addKnownLater(path[...])
        for position in 0..<Self.expectedLimit where expected[position].unknown >= 0 {
            // It may be the name that is known now.
            expected[position].name?.deallocate()
            expected[position] = Expected()
        }
    }

    /// Returns the index of a name that is known in another spelling.
    private func otherSpelling(_ name: UnsafeRawBufferPointer) -> Int? {
        guard name.count <= Self.longestName else { return nil }
        let bytes = Array(name)
        guard unknownIndexes[bytes] == nil, spellingCount < Self.unknownLimit else { return nil }
        let text = String(decoding: name, as: UTF8.self)
        // The words of a name with dots are separated in no convention.
        guard !text.contains("."), let target = plan.mapping.target(for: text) else { return nil }
        var spelled = NameTable.Target(target)
        spelled.slotRank += Self.spellingRank
        spelled.relationshipRank += Self.spellingRank
        table.add([text], target: spelled)
        spellingCount += 1
        return table.index(of: name)
    }

    // MARK: Objects that are not read

    /// Returns the value of a slot in an object: of several names the one with the best rank, of
    /// repeated names the last.
    func value(ofSlot slot: Int, in node: JSONNode) -> JSONNode? {
        find(slot: Int32(slot), in: node, names: nil).map { node.node(at: $0.token) }
    }

    /// A value that was found, and the rank of its name.
    private struct Found {
        let token: Int
        let rank: Int32
        /// The nested table in which it was found, if any.
        var nested: Int32 = -1
    }

    /// Finds the value of a slot.
    ///
    /// - Parameters:
    ///   - slot: The slot.
    ///   - node: The object.
    ///   - names: The names inside the object; nil for an object of the entity.
    /// - Returns: The value; nil if the object has none.
    private func find(slot: Int32, in node: JSONNode, names: NameTable?) -> Found? {
        var best: Found?
        var index = node.firstChild
        while index < node.next {
            let name = node.node(at: index)
            let value = node.node(at: name.next)
            index = value.next
            guard let (target, table) = target(of: name, names: names) else { continue }
            if target.slot == slot, target.slotRank <= best?.rank ?? .max {
                best = Found(token: value.index, rank: target.slotRank)
            }
            guard target.nested >= 0 else { continue }
            // The last of several members with the same name is used as a whole.
            if best?.nested == target.nested { best = nil }
            let inner = table.nested[Int(target.nested)]
            guard value.kind == .object, let found = find(slot: slot, in: value, names: inner)
            else { continue }
            if found.rank <= best?.rank ?? .max {
                best = Found(token: found.token, rank: found.rank, nested: target.nested)
            }
        }
        return best
    }

    /// Returns whether an object has a value other than null for a relationship: an object or a
    /// reference.
    func hasValue(ofRelationship index: Int, in node: JSONNode) -> Bool {
        hasValue(ofRelationship: Int32(index), in: node, names: nil)
    }

    private func hasValue(
        ofRelationship index: Int32,
        in node: JSONNode,
        names: NameTable?
    ) -> Bool {
        guard node.kind == .object else { return false }
        return node.members.contains { name, value in
            guard value.kind != .null, let (target, table) = target(of: name, names: names) else {
                return false
            }
            if target.relationship == index { return true }
            guard target.nested >= 0 else { return false }
            let inner = table.nested[Int(target.nested)]
            return hasValue(ofRelationship: index, in: value, names: inner)
        }
    }

    /// Returns the target of a name, and the table that contains it.
    private func target(
        of name: JSONNode,
        names: NameTable?
    ) -> (target: NameTable.Target, table: NameTable)? {
        let index = name.withText { text in
            if let names { return names.index(of: text) }
            return table.index(of: text) ?? otherSpelling(text)
        }
        // Only now: another spelling of a name is added to the table when it is first found.
        let found = names ?? table
        return index.map { (found.targets[$0], found) }
    }

    // MARK: Unknown names

    /// Counts an unknown name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - position: Its position among the members of the object; nil if it is not one of them.
    ///   - log: The diagnostics.
    ///   - record: Records a diagnostic at the first occurrence, and returns its index.
    /// - Returns: Whether the name was already found in the same object.
    func countUnknown(
        _ name: UnsafeRawBufferPointer,
        at position: Int?,
        log: DiagnosticLog,
        record: () -> Int?
    ) -> Bool {
        guard name.count <= Self.longestName else {
            _ = record()
            return false
        }
        if let index = unknownIndex(of: name, at: position) {
            if let diagnostic = unknown[index].diagnostic { log.repeated(diagnostic) }
            defer { unknown[index].object = objectNumber }
            return unknown[index].object == objectNumber
        }
        let diagnostic = record()
        if unknown.count < Self.unknownLimit {
            unknownIndexes[Array(name)] = unknown.count
            unknown.append(Unknown(diagnostic: diagnostic, object: objectNumber))
        }
        return false
    }

    /// Returns the index of a name among the unknown names.
    private func unknownIndex(of name: UnsafeRawBufferPointer, at position: Int?) -> Int? {
        guard let position else { return unknownIndexes[Array(name)] }
        if isExpected(name, at: position), expected[position].unknown >= 0 {
            return expected[position].unknown
        }
        guard let index = unknownIndexes[Array(name)] else { return nil }
        expect(name, at: position, as: Expected(unknown: index))
        return index
    }
}

extension JSONNode {
    /// Calls `body` with the bytes of a string, with its escapes decoded.
    fileprivate func withText<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T {
        guard isComplex else { return body(text) }
        var text = string
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}
