import TidemarkJSON
import TidemarkStore

/// Finds the objects of a list of the service over which the elements of a changed list are laid.
///
/// Objects with a key are found by it. Of others, only the values are known that the model maps:
///
/// 1. A row that was not edited keeps the object from which it was read.
/// 2. Another one gets the object that has its values: an app may have replaced rows, or moved
///    values from one to the next.
/// 3. A row that was edited keeps the object from which it was read; if that is taken, it gets the
///    one that follows that of the element before it.
///
/// What is left is new, and what no element gets was removed. Equal objects are taken in their
/// order. The time is proportional to the length of the lists.
struct ElementMatching {
    private let originals: [JSONNode]

    /// Which objects are not matched yet.
    private var isFree: [Bool]

    /// A row, and the object from which it was read.
    private struct Source {
        let index: Int
        let former: ExportTree.Members
        let values: [UInt8]
    }

    /// An object for an element, and what is known of its mapped members.
    private struct Match {
        let index: Int
        let former: ExportTree.Members?
    }

    /// Creates the matching with a list of the service.
    ///
    /// - Parameter originals: The elements of the list.
    init(of originals: [JSONNode]) {
        self.originals = originals
        isFree = originals.map { $0.kind == .object }
    }

    /// Returns elements laid over those of the service.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - former: The list that the service is known to have; nil if that is not known.
    /// - Returns: The elements, in their order.
    mutating func overlaid(by elements: [ExportTree], since former: ExportTree?) -> [ExportTree] {
        let members = elements.map { $0.members ?? .init() }
        let key = members.lazy.compactMap(\.origin?.key).first { !$0.isEmpty }
        let matches: [Match?]
        if let key {
            matches = matchesByKey(ElementShape(names: key), of: members)
        } else if case .array(let former) = former {
            matches = matchesByValue(of: members, since: former.compactMap(\.members))
        } else {
            matches = matchesByValue(of: members, since: [])
        }
        return zip(elements, zip(members, matches)).map { element, found in
            let (members, match) = found
            guard let match else { return element }
            let original = originals[match.index]
            return .object(.init(original, overlaidBy: members, since: match.former))
        }
    }

    // MARK: Keys

    private func matchesByKey(
        _ shape: ElementShape,
        of elements: [ExportTree.Members]
    ) -> [Match?] {
        var positions = freePositions(by: originals.map { shape.values(of: $0) })
        return elements.map { element in
            let key = shape.values(of: element)
            guard !key.isEmpty, let index = positions.take(key) else { return nil }
            return Match(index: index, former: nil)
        }
    }

    // MARK: Values

    private mutating func matchesByValue(
        of elements: [ExportTree.Members],
        since former: [ExportTree.Members]
    ) -> [Match?] {
        var shape = ElementShape()
        for element in elements + former { shape.add(element) }
        let originalValues = originals.map { shape.values(of: $0) }
        let values = elements.map { shape.values(of: $0) }
        let sources = self.sources(of: former, by: shape, among: originalValues)
        var matches = [Match?](repeating: nil, count: elements.count)
        func origin(of index: Int) -> Source? {
            elements[index].origin.flatMap { sources[$0.row] }
        }
        for index in elements.indices {
            guard let source = origin(of: index), source.values == values[index] else { continue }
            matches[index] = take(source.index, former: source.former)
        }
        var positions = freePositions(by: originalValues)
        for index in elements.indices where matches[index] == nil {
            guard let found = positions.take(values[index]) else { continue }
            // Nothing of it has changed.
            matches[index] = take(found, former: elements[index])
        }
        for index in elements.indices where matches[index] == nil {
            guard let source = origin(of: index) else { continue }
            matches[index] = take(source.index, former: source.former)
        }
        var next = 0
        for index in elements.indices {
            if matches[index] == nil, origin(of: index) != nil {
                matches[index] = take(next, former: nil)
            }
            if let match = matches[index] { next = match.index + 1 }
        }
        return matches
    }

    /// Returns the object from which each row was read: the one that has its values, or, because
    /// the service may write values in another way, the one at its position among those left.
    private func sources(
        of former: [ExportTree.Members],
        by shape: ElementShape,
        among originalValues: [[UInt8]]
    ) -> [RowReference: Source] {
        let values = former.map { shape.values(of: $0) }
        var positions = freePositions(by: originalValues)
        let equal = values.map { positions.take($0) }
        let taken = Set(equal.compactMap(\.self))
        var left = originals.indices.filter { isFree[$0] && !taken.contains($0) }[...]
        var sources: [RowReference: Source] = [:]
        for (index, object) in former.enumerated() {
            guard let position = equal[index] ?? left.popFirst(), let row = object.origin?.row
            else { continue }
            sources[row] = Source(index: position, former: object, values: values[index])
        }
        return sources
    }

    /// Takes an object for an element; nil without one, or if another element has it.
    private mutating func take(_ index: Int, former: ExportTree.Members?) -> Match? {
        guard isFree.indices.contains(index), isFree[index] else { return nil }
        isFree[index] = false
        return Match(index: index, former: former)
    }

    private func freePositions(by values: [[UInt8]]) -> Positions {
        Positions(values.indices.filter { isFree[$0] }, by: values)
    }

    /// The positions of objects by their values.
    private struct Positions {
        private var positions: [[UInt8]: ArraySlice<Int>]

        init(_ indexes: [Int], by values: [[UInt8]]) {
            positions = Dictionary(grouping: indexes) { values[$0] }.mapValues { $0[...] }
        }

        /// Takes the first position with the values; nil without one.
        mutating func take(_ values: [UInt8]) -> Int? { positions[values]?.popFirst() }
    }
}

/// The members by which objects are compared, because the model maps them.
struct ElementShape {
    /// The members that are compared; empty where the whole value is.
    private var members: [String: ElementShape] = [:]

    init() {}

    /// Creates the shape of objects that are compared by some members, which paths name.
    init(names: [String]) {
        var object = ExportTree.Members()
        for name in names { object.add(.null, at: name) }
        add(object)
    }

    /// Adds the members of an object.
    mutating func add(_ object: ExportTree.Members) {
        for name in object.names {
            if let value = object[name] { members[name, default: ElementShape()].add(value) }
        }
    }

    private mutating func add(_ value: ExportTree) {
        switch value {
        case .object(let object): add(object)
        case .array(let elements): for element in elements { add(element) }
        case .value, .json, .removed: break
        }
    }

    /// Returns what is compared of an object that is to be written.
    func values(of object: ExportTree.Members) -> [UInt8] {
        var writer = JSONWriter()
        object.write(into: &writer)
        var limits = JSONLimits()
        limits.depth = .max
        let document = try? JSONDocument(writer.bytes, limits: limits)
        return document?.withRoot { values(of: $0) } ?? writer.bytes
    }

    /// Returns what is compared of a value, which is equal for equal values.
    ///
    /// A member without a value is equal to null, and to a list without elements.
    func values(of node: JSONNode) -> [UInt8] {
        var values: [UInt8] = []
        append(node, to: &values)
        return values
    }

    private func append(_ node: JSONNode, to values: inout [UInt8]) {
        switch node.kind {
        case .null: break
        case .true, .false: values.append(contentsOf: node.text)
        case .number:
            let text = node.string
            values.append(contentsOf: (DecimalNumber(text)?.canonicalText ?? text).utf8)
        case .string: Self.appendText(node.string, to: &values)
        case .array:
            let start = values.count
            values.append(UInt8(ascii: "["))
            for element in node.elements {
                append(element, to: &values)
                values.append(UInt8(ascii: ","))
            }
            if values.count == start + 1 { values.removeLast() }
        case .object:
            let start = values.count
            let found = node.members.map { ($0.name.string, $0.value) }
                .filter { members.isEmpty || members[$0.0] != nil }
            // Of repeated members the last counts.
            let last = Dictionary(found, uniquingKeysWith: { _, last in last })
            for (name, value) in last.sorted(by: { $0.key < $1.key }) {
                let inner = (members[name] ?? ElementShape()).values(of: value)
                guard !inner.isEmpty else { continue }
                Self.appendText(name, to: &values)
                values.append(contentsOf: inner)
            }
            if values.count > start { values.append(UInt8(ascii: "}")) }
        }
    }

    private static func appendText(_ text: String, to values: inout [UInt8]) {
        // Its length makes it different from all that follows.
        values.append(contentsOf: "\"\(text.utf8.count):".utf8)
        values.append(contentsOf: text.utf8)
    }
}
