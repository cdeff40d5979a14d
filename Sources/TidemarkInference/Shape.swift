import TidemarkJSON
import TidemarkModel

/// Statistics of the values at one path of the samples.
///
/// Only counts, types and hashes are kept, never the values themselves.
struct Shape: Sendable {
    /// The number of values, including nulls.
    private(set) var count = 0
    private(set) var nulls = 0

    /// Statistics of the strings, numbers and Booleans.
    private(set) var scalars = ScalarStatistics()

    /// The shape of the objects; nil after they have become a separate entity.
    var object: ObjectShape?

    /// The number of objects.
    private(set) var objects = 0

    /// The number of objects and arrays that were not read because they are nested too deeply.
    private(set) var unseen = 0

    /// The class names of the Parse pointers at this path.
    ///
    /// The keys of the pointers are among the scalars.
    private(set) var classes: Set<String> = []

    /// The number of arrays.
    private(set) var lists = 0

    /// The shape of the arrays' elements: empty, or one shape.
    ///
    /// An array, since a struct cannot contain itself.
    private var elements: [Shape] = []

    /// The keys that are referenced at this path, each paired with the key of the referencing
    /// object.
    private(set) var links = LinkSketch()

    /// The scalars as possible keys of objects that other values at this path contain.
    private(set) var references = ReferenceSketch()

    /// The shape of the arrays' elements; nil if there are no arrays.
    var element: Shape? {
        get { elements.first }
        set { elements = newValue.map { [$0] } ?? [] }
    }

    /// Whether all values are null.
    var isBlank: Bool { count == nulls }

    /// Adds a value.
    ///
    /// - Returns: The hash of the value as a key, or of the object's key; nil if it has none.
    @discardableResult
    mutating func add(
        _ node: JSONNode,
        at position: Position,
        during visit: inout Visit
    ) throws -> UInt64? {
        count += 1
        switch node.kind {
        case .null:
            nulls += 1
            return nil
        case .true, .false, .number, .string:
            scalars.add(node)
            references.add(node)
            guard position.mayRefer || Self.isPath(node) else { return nil }
            return link(StableHash.ofKey(node), at: position)
        case .object:
            if let date = node.member("iso", ofParse: "Date") {
                scalars.add(date)
                return nil
            }
            if let key = node.member("objectId", ofParse: "Pointer") {
                scalars.add(key)
                add(node.member("className")?.string ?? "")
                return link(StableHash.ofKey(key), at: position)
            }
            objects += 1
            guard visit.descend() else {
                unseen += 1
                return nil
            }
            defer { visit.ascend() }
            // Moved out of the property while it changes: a second reference would copy its
            // storage.
            var shape =
                object.take()
                ?? ObjectShape(named: position.name, isNested: true, isLink: position.isLink)
            defer { object = shape }
            let list = position.isInList ? visit.list : 0
            return link(try shape.add(node, list: list, during: &visit), at: position)
        case .array:
            lists += 1
            guard visit.descend() else {
                unseen += 1
                return nil
            }
            defer { visit.ascend() }
            var shape = element ?? Shape()
            element = nil
            defer { element = shape }
            let outer = visit.list
            visit.beginList()
            for element in node.elements {
                link(try shape.add(element, at: position.inList, during: &visit), at: position)
            }
            visit.list = outer
            return nil
        }
    }

    /// Adds the statistics of another path whose values are of the same kind.
    mutating func merge(_ other: Shape) {
        count += other.count
        nulls += other.nulls
        scalars.merge(other.scalars)
        objects += other.objects
        lists += other.lists
        unseen += other.unseen
        links.merge(other.links)
        references.merge(other.references)
        for name in other.classes { add(name) }
        object.merge(other.object) { $0.merge($1) }
        var shape = element
        element = nil
        shape.merge(other.element) { $0.merge($1) }
        element = shape
    }

    /// The number of paths in this shape, including its own.
    var pathCount: Int { 1 + (object?.pathCount ?? 0) + (element?.pathCount ?? 0) }

    @discardableResult
    private mutating func link(_ member: UInt64?, at position: Position) -> UInt64? {
        if let member, let owner = position.owner { links.add(owner: owner, member: member) }
        return member
    }

    /// Returns whether the value is a string that is a URL or an absolute path.
    private static func isPath(_ node: JSONNode) -> Bool {
        node.kind == .string && ResourcePath.lastComponent(node.text) != nil
    }

    /// Adds the class name of a pointer.
    ///
    /// At most two are kept, enough to know that they differ.
    private mutating func add(_ name: String) {
        if classes.count < 2 { classes.insert(name) }
    }

    /// The position of a value in the samples.
    struct Position {
        /// The name of the member that contains the value.
        var name: String

        /// The hash of the containing object's key, or 0 if it has no key; nil if links are not
        /// recorded.
        var owner: UInt64?

        /// Whether a scalar here may be the key of another object.
        var mayRefer: Bool

        /// Whether the value is in an object of hypermedia links.
        var isLink = false

        /// Whether the value is an element of an array.
        var isInList = false

        /// The position of the elements of an array here.
        ///
        /// They have no owner: the shape of the array records the links.
        var inList: Position {
            Position(name: name, owner: nil, mayRefer: true, isLink: isLink, isInList: true)
        }
    }

    /// The state of reading the samples.
    struct Visit {
        let limits: InferenceLimits

        /// The number of the list being read, counted from 1; 0 before the first.
        var list = 0

        /// The number of lists begun so far.
        private var lists = 0

        /// The number of further paths that the samples may have.
        var room: Int

        init(_ limits: InferenceLimits) {
            self.limits = limits
            room = limits.paths
        }

        /// The number of objects and arrays that enclose the current value.
        private var depth = 0

        /// Enters an object or an array.
        ///
        /// Returns false if it exceeds the depth limit.
        mutating func descend() -> Bool {
            guard depth < limits.depth else { return false }
            depth += 1
            return true
        }

        /// Leaves an object or an array.
        mutating func ascend() { depth -= 1 }

        /// Begins a list with a new number.
        mutating func beginList() {
            lists += 1
            list = lists
        }
    }
}

extension Optional {
    /// Returns the value and sets the optional to nil, so that the value can be changed without a
    /// copy.
    fileprivate mutating func take() -> Wrapped? {
        defer { self = nil }
        return self
    }

    /// Merges another value into this one, or stores it if this one is nil.
    fileprivate mutating func merge(_ other: Wrapped?, by body: (inout Wrapped, Wrapped) -> Void) {
        guard let other else { return }
        guard var value = take() else {
            self = other
            return
        }
        body(&value, other)
        self = value
    }
}
