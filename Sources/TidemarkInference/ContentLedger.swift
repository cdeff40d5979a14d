import TidemarkJSON
import TidemarkModel

/// The content of the objects by the value of a member that may be their key.
///
/// It can prove that the member does not identify them.
///
/// Hashes are kept up to a limit. Beyond it nothing is kept and nothing is proven. Only objects
/// with the same members are compared, since one that lacks some may be an abbreviated form of
/// another.
struct ContentLedger: Sendable {
    private let limit: Int
    private var contents: [UInt64: UInt64] = [:]

    /// The number of the list that last contained each key.
    private var lists: [UInt64: Int] = [:]

    /// Whether a list contained a key twice, or an object was in no list.
    private(set) var isRepeated = false
    private var hasConflict = false
    private var isFull = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether two objects with the same key have the same members with different values.
    ///
    /// Above the limit this is always false, so that the result does not depend on the order of the
    /// objects.
    var isContradicted: Bool { hasConflict && !isFull }

    /// Adds an object of the list with the given number; 0 if no list contains it.
    mutating func add(_ content: ObjectContent, of key: UInt64, list: Int) {
        if list == 0 || lists[key] == list { isRepeated = true }
        if !isFull, !isRepeated { lists[key] = list }
        // The names are part of the identity, so only objects with the same members are compared.
        add(content.values, of: StableHash.mixed(key) ^ content.names)
    }

    /// Adds the objects of another ledger.
    mutating func merge(_ other: ContentLedger) {
        hasConflict = hasConflict || other.hasConflict
        isRepeated = isRepeated || other.isRepeated
        lists.merge(other.lists) { _, last in last }
        guard !other.isFull else { return overflow() }
        for (identity, values) in other.contents { add(values, of: identity) }
    }

    private mutating func add(_ values: UInt64, of identity: UInt64) {
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

/// Hashes of an object's member names and of its values, independent of the order of the members.
///
/// Values of nested objects are included. Arrays are not, since services abbreviate or page them.
struct ObjectContent {
    private(set) var names: UInt64 = 0
    private(set) var values: UInt64 = 0

    /// The maximum depth of nested objects.
    ///
    /// Each level of nesting hashes the levels below it again.
    private static let depthLimit = 4

    init(_ object: JSONNode) {
        add(object, at: 0, depth: 0)
    }

    private mutating func add(_ object: JSONNode, at path: UInt64, depth: Int) {
        for (name, value) in object.members {
            let member = StableHash.mixed(path &+ StableHash.of(name.text))
            // Sums do not depend on the order of the members.
            names &+= member
            switch value.kind {
            case .string, .number, .true, .false, .null:
                values &+= StableHash.mixed(member ^ StableHash.of(value.source))
            case .object:
                if depth < Self.depthLimit { add(value, at: member, depth: depth + 1) }
            case .array:
                break
            }
        }
    }
}
