/// What has been seen at one place of the samples: facts about its values, never the values.
struct Shape: Sendable {
    /// How many values there were, null included.
    private(set) var count = 0
    private(set) var nulls = 0

    /// The texts, numbers and truth values.
    private(set) var scalars = ScalarFacts()

    /// The objects, until they have become an entity of their own.
    var object: ObjectShape?

    /// How many objects there were.
    private(set) var objects = 0

    /// How many objects and lists were nested too deeply to be looked at.
    private(set) var unseen = 0

    /// The classes that Parse's pointers here lead to, their keys being among the scalars.
    private(set) var classes: Set<String> = []

    /// How many lists there were.
    private(set) var lists = 0

    /// What was seen in the lists: nothing or one shape.
    private var elements: [Shape] = []

    /// The keys that were named here, with those of the objects that name them.
    private(set) var links = LinkSketch()

    /// What was seen in the lists.
    var element: Shape? {
        get { elements.first }
        set { elements = newValue.map { [$0] } ?? [] }
    }

    /// Whether no value was ever there.
    var isBlank: Bool { count == nulls }

    /// Adds a value.
    ///
    /// - Returns: The hash of the key that it is, or that the object has.
    @discardableResult
    mutating func add(_ node: JSONNode, _ place: Place, _ visit: inout Visit) throws -> UInt64? {
        count += 1
        switch node.kind {
        case .null:
            nulls += 1
            return nil
        case .true, .false, .number, .string:
            scalars.add(node)
            guard place.mayRefer || Self.isPath(node) else { return nil }
            return link(StableHash.ofKey(node), place)
        case .object:
            if let date = Self.tagged(node, "Date", "iso") {
                scalars.add(date)
                return nil
            }
            if let key = Self.tagged(node, "Pointer", "objectId") {
                scalars.add(key)
                add(node.member("className")?.string ?? "")
                return link(StableHash.ofKey(key), place)
            }
            objects += 1
            guard visit.descend() else {
                unseen += 1
                return nil
            }
            defer { visit.ascend() }
            var shape = object.take() ?? ObjectShape(named: place.name, isNested: true)
            defer { object = shape }
            return link(try shape.add(node, list: place.isInList ? visit.list : 0, &visit), place)
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
                link(try shape.add(element, place.inList, &visit), place)
            }
            visit.list = outer
            return nil
        }
    }

    /// Adds what was seen at another place that is the same.
    mutating func merge(_ other: Shape) {
        count += other.count
        nulls += other.nulls
        scalars.merge(other.scalars)
        objects += other.objects
        lists += other.lists
        unseen += other.unseen
        links.merge(other.links)
        for name in other.classes { add(name) }
        object.merge(other.object) { $0.merge($1) }
        var shape = element
        element = nil
        shape.merge(other.element) { $0.merge($1) }
        element = shape
    }

    /// The number of places in it.
    var placeCount: Int { 1 + (object?.placeCount ?? 0) + (element?.placeCount ?? 0) }

    @discardableResult
    private mutating func link(_ member: UInt64?, _ place: Place) -> UInt64? {
        if let member, let owner = place.owner { links.add(owner: owner, member: member) }
        return member
    }

    /// Whether the value is an address, or an absolute path.
    private static func isPath(_ node: JSONNode) -> Bool {
        node.kind == .string && ResourcePath.lastComponent(node.text) != nil
    }

    /// Adds the class of a pointer; more than two are as good as two.
    private mutating func add(_ name: String) {
        if classes.count < 2 { classes.insert(name) }
    }

    /// The member that holds the value of an object that Parse sends for a date or a reference.
    private static func tagged(_ node: JSONNode, _ type: String, _ member: String) -> JSONNode? {
        guard node.member("__type")?.string == type else { return nil }
        return node.member(member)
    }

    /// Where a value stands.
    struct Place {
        /// The name it stands under.
        var name: String

        /// The key of the object that has it, 0 where that has none; nil where links do not count.
        var owner: UInt64?

        /// Whether a plain value here may be the key of something.
        var mayRefer: Bool

        /// Whether it is an element of a list.
        var isInList = false

        /// The place of an element in a list here: the list notes its links.
        var inList: Place { Place(name: name, owner: nil, mayRefer: true, isInList: true) }
    }

    /// What is known while the samples are being read.
    struct Visit {
        let limits: Limits

        /// The number of the list that is being read.
        var list = 0

        /// How many lists there were.
        private var lists = 0

        /// How many more places there may be.
        var room: Int

        init(_ limits: Limits) {
            self.limits = limits
            room = limits.inferredPlaces
        }

        /// How many objects and lists are around the value that is being read.
        private var depth = 0

        /// Enters an object or a list, unless it is too deep.
        mutating func descend() -> Bool {
            guard depth < limits.inferredDepth else { return false }
            depth += 1
            return true
        }

        /// Leaves an object or a list.
        mutating func ascend() { depth -= 1 }

        /// Begins a list of its own.
        mutating func beginList() {
            lists += 1
            list = lists
        }
    }
}

extension Optional {
    /// Takes the value out, so that it is changed without a copy.
    fileprivate mutating func take() -> Wrapped? {
        defer { self = nil }
        return self
    }

    /// Adds another value to the one that is there, or takes it.
    fileprivate mutating func merge(_ other: Wrapped?, _ body: (inout Wrapped, Wrapped) -> Void) {
        guard let other else { return }
        guard var value = take() else {
            self = other
            return
        }
        body(&value, other)
        self = value
    }
}
