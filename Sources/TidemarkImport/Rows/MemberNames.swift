import TidemarkModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Android)
import Android
#endif

/// How the names of an entity's objects are read.
///
/// Services send the members of their objects in the same order again and again, so a name is
/// looked for first where it stood last time; the table is for the rest.
final class MemberNames {
    private let plan: ImportPlan

    /// The names of the plan, and further spellings of them that the document has.
    private(set) var table: NameTable

    /// For each place among the members of an object: the name found there last time.
    private let expected: UnsafeMutablePointer<Expected>

    /// The names no one knows, and where each is among them.
    private var unknown: [Unknown] = []
    private var unknownPlaces: [[UInt8]: Int] = [:]

    /// How many other spellings of known names the document has.
    private var spellingCount = 0

    /// A name that no one knows.
    private struct Unknown {
        /// The place of its diagnostic; nil where that was left out.
        let place: Int?
        /// The number of the reading in which it was last found.
        var reading: Int
    }

    /// A name and what it is for.
    private struct Expected {
        var name: UnsafeMutablePointer<UInt8>?
        var count = 0
        var target = NameTable.Target()
        /// Its place among the names no one knows; negative where it is known.
        var unknown = -1
    }

    /// Beyond this many different unknown names, or spellings of known ones, a service is making
    /// them up: no more are remembered.
    private static let unknownLimit = 1_000

    /// Longer names are compared as they are: no other spelling of one is searched for, and none is
    /// remembered, as a document may have any number of any length.
    private static let longestName = 256

    /// A name in another spelling is worse than any that is known as it stands.
    private static let spellingRank: Int32 = 100

    /// How many members of an object are expected where they stood.
    private static let expectedLimit = 256

    init(_ plan: ImportPlan) {
        self.plan = plan
        table = plan.names
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

    /// What a name is for, given its place among the members of its object.
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
        guard let place = table.place(of: name) ?? otherSpelling(name) else { return nil }
        expect(name, at: position, Expected(target: table.targets[place]))
        return table.targets[place]
    }

    /// Remembers what a name is for that was found at a place.
    private func expect(
        _ name: UnsafeRawBufferPointer,
        at position: Int,
        _ content: Expected
    ) {
        guard position < Self.expectedLimit, !name.isEmpty else { return }
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: name.count)
        UnsafeMutableRawBufferPointer(start: copy, count: name.count).copyMemory(from: name)
        expected[position].name?.deallocate()
        expected[position] = content
        expected[position].name = copy
        expected[position].count = name.count
    }

    /// Makes a key path known that is no part of the model, as the configuration or the service's
    /// dialect uses it.
    func know(_ path: [String]) {
        table.knowMore(path[...])
        for position in 0..<Self.expectedLimit where expected[position].unknown >= 0 {
            // It may be the one that is known now.
            expected[position].name?.deallocate()
            expected[position] = Expected()
        }
    }

    /// The place of a name that is known in another spelling.
    private func otherSpelling(_ name: UnsafeRawBufferPointer) -> Int? {
        guard name.count <= Self.longestName else { return nil }
        let bytes = Array(name)
        guard unknownPlaces[bytes] == nil, spellingCount < Self.unknownLimit else { return nil }
        let text = String(decoding: name, as: UTF8.self)
        guard !text.contains("."), let target = plan.mapping.target(for: text) else { return nil }
        var spelled = NameTable.Target(target)
        spelled.slotRank += Self.spellingRank
        spelled.relationshipRank += Self.spellingRank
        table.add(text, spelled)
        spellingCount += 1
        return table.place(of: name)
    }

    /// The place of the value that an object has for a slot: of several names the best one's, of
    /// the same name the last one's.
    func value(of slot: Int, in node: JSONNode) -> JSONNode? {
        find(Int32(slot), in: node) { table.place(of: $0) ?? otherSpelling($0) }
            .map { node.node(at: $0.place) }
    }

    /// A value that was found, under a name of this rank.
    private struct Found {
        let place: Int
        let rank: Int32
        /// The nested table it was found in, if any.
        var nested: Int32 = -1
    }

    private func find(
        _ slot: Int32,
        in node: JSONNode,
        _ table: NameTable? = nil,
        _ place: (UnsafeRawBufferPointer) -> Int?
    ) -> Found? {
        var best: Found?
        var index = node.firstChild
        while index < node.next {
            let name = node.node(at: index)
            let value = node.node(at: name.next)
            index = value.next
            guard let place = name.withText(place) else { continue }
            let table = table ?? self.table
            let target = table.targets[place]
            if target.slot == slot, target.slotRank <= best?.rank ?? .max {
                best = Found(place: value.index, rank: target.slotRank)
            }
            guard target.nested >= 0 else { continue }
            // The last of several members of one name counts as a whole.
            if best?.nested == target.nested { best = nil }
            let inner = table.nested[Int(target.nested)]
            guard value.kind == .object, let found = find(slot, in: value, inner, inner.place)
            else { continue }
            if found.rank <= best?.rank ?? .max {
                best = Found(place: found.place, rank: found.rank, nested: target.nested)
            }
        }
        return best
    }

    /// Whether an object has a value but null for a relationship: an object or a reference.
    func hasValue(ofRelationship place: Int, in node: JSONNode) -> Bool {
        hasValue(Int32(place), in: node) { table.place(of: $0) ?? otherSpelling($0) }
    }

    private func hasValue(
        _ relationship: Int32,
        in node: JSONNode,
        _ table: NameTable? = nil,
        _ place: (UnsafeRawBufferPointer) -> Int?
    ) -> Bool {
        guard node.kind == .object else { return false }
        return node.members.contains { name, value in
            guard value.kind != .null, let place = name.withText(place) else { return false }
            let table = table ?? self.table
            let target = table.targets[place]
            if target.relationship == relationship { return true }
            guard target.nested >= 0 else { return false }
            let inner = table.nested[Int(target.nested)]
            return hasValue(relationship, in: value, inner, inner.place)
        }
    }

    /// Counts a name that no one knows.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - position: its place among the members of its object; nil where it is not one of them.
    ///   - reading: the number of the reading in which it was found.
    ///   - log: the diagnostics.
    ///   - note: makes its diagnostic the first time, and returns the place of that.
    /// - Returns: whether the name was found in the same reading before.
    func countUnknown(
        _ name: UnsafeRawBufferPointer,
        at position: Int?,
        in reading: Int,
        _ log: DiagnosticLog,
        _ note: () -> Int?
    ) -> Bool {
        guard name.count <= Self.longestName else {
            _ = note()
            return false
        }
        if let known = unknownPlace(of: name, at: position) {
            if let place = unknown[known].place { log.repeated(place) }
            defer { unknown[known].reading = reading }
            return unknown[known].reading == reading
        }
        let place = note()
        if unknown.count < Self.unknownLimit {
            unknownPlaces[Array(name)] = unknown.count
            unknown.append(Unknown(place: place, reading: reading))
        }
        return false
    }

    /// The place of a name among those that no one knows.
    private func unknownPlace(of name: UnsafeRawBufferPointer, at position: Int?) -> Int? {
        guard let position else { return unknownPlaces[Array(name)] }
        if isExpected(name, at: position), expected[position].unknown >= 0 {
            return expected[position].unknown
        }
        guard let place = unknownPlaces[Array(name)] else { return nil }
        expect(name, at: position, Expected(unknown: place))
        return place
    }
}

extension JSONNode {
    /// Hands the bytes of a string to `body`, its escapes undone.
    fileprivate func withText<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T {
        guard isComplex else { return body(text) }
        var text = string
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}
