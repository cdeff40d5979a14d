/// The content of the objects under every value of a member that may be their key: the evidence
/// that the member does not identify them.
///
/// It holds hashes up to a limit; beyond that it proves nothing, and holds nothing. Objects are
/// compared where they have the same members: one that lacks some may be a shorter form of another.
struct ContentLedger: Sendable {
    private let limit: Int
    private var contents: [UInt64: UInt64] = [:]

    /// The list that each key was last seen in.
    private var lists: [UInt64: Int] = [:]

    /// Whether a key was seen twice in one list, or in none.
    private(set) var isRepeated = false
    private var hasConflict = false
    private var isFull = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether two objects of one key have the same members with different values.
    ///
    /// What more objects have than the limit proves nothing, in whichever order they came.
    var isContradicted: Bool { hasConflict && !isFull }

    /// Adds an object of the list with a number; 0 for an object in no list.
    mutating func add(_ key: UInt64, _ content: ObjectContent, list: Int) {
        if list == 0 || lists[key] == list { isRepeated = true }
        if !isFull, !isRepeated { lists[key] = list }
        add(identity: StableHash.mixed(key) ^ content.names, content.values)
    }

    /// Adds what another has seen.
    mutating func merge(_ other: ContentLedger) {
        hasConflict = hasConflict || other.hasConflict
        isRepeated = isRepeated || other.isRepeated
        lists.merge(other.lists) { _, last in last }
        guard !other.isFull else { return overflow() }
        for (identity, values) in other.contents { add(identity: identity, values) }
    }

    private mutating func add(identity: UInt64, _ values: UInt64) {
        guard !isFull else { return }
        if let known = contents.updateValue(values, forKey: identity), known != values {
            hasConflict = true
        }
        if contents.count > limit { overflow() }
    }

    private mutating func overflow() {
        isFull = true
        contents = [:]
        lists = [:]
    }
}

/// Hashes of an object's member names and of its values, whatever the order of the members.
///
/// Values of nested objects count; lists do not, since services give them shortened, or paged.
struct ObjectContent {
    private(set) var names: UInt64 = 0
    private(set) var values: UInt64 = 0

    /// How deep nested objects are looked at: the cost is paid again at each level of nesting.
    private static let depthLimit = 4

    init(_ object: JSONNode) {
        add(object, 0, depth: 0)
    }

    private mutating func add(_ object: JSONNode, _ path: UInt64, depth: Int) {
        for (name, value) in object.members {
            let place = StableHash.mixed(path &+ StableHash.of(name.text))
            names &+= place
            switch value.kind {
            case .string, .number, .true, .false, .null:
                values &+= StableHash.mixed(place ^ StableHash.of(value.source))
            case .object:
                if depth < Self.depthLimit { add(value, place, depth: depth + 1) }
            case .array:
                break
            }
        }
    }
}
