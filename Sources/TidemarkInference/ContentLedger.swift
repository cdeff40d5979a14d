import TidemarkJSON
import TidemarkModel

/// The content of the objects by the value of a member that may be their key.
///
/// It can prove that the member does not identify them.
///
/// Hashes are kept up to a limit. Beyond it nothing is kept and nothing is proven. Only objects
/// with the same members are compared, since one that lacks some may be an abbreviated form of
/// another.
///
/// A word, such as `"options"`, is a weak key: the same one often names different objects of
/// different parents. So the lists of such objects are compared, too, even with an object that
/// lacks them but has the same scalars. Of other keys they are not, since services abbreviate or
/// page lists.
struct ContentLedger: Sendable {
    private let limit: Int

    /// The values of the objects, by key and member names.
    private var contents: [UInt64: UInt64] = [:]

    /// The values of objects with weak keys, by key and the names of the scalars that are not null.
    private var weakContents: [UInt64: UInt64] = [:]

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
    ///
    /// - Parameters:
    ///   - content: The content of the object.
    ///   - key: The hash of its key.
    ///   - isWeak: Whether the key is a word.
    ///   - list: The number of the list.
    mutating func add(_ content: ObjectContent, of key: UInt64, isWeak: Bool, list: Int) {
        if list == 0 || lists[key] == list { isRepeated = true }
        if !isFull, !isRepeated { lists[key] = list }
        // The names are part of the identity, so only objects with the same members are compared.
        let identity = StableHash.mixed(key) ^ content.names
        guard isWeak else { return add(content.values, of: identity) }
        add(content.values &+ content.lists, of: identity)
        // An object with nothing but its key is a reference.
        guard content.scalarCount > 1 else { return }
        let scalars = StableHash.mixed(key) ^ content.scalarNames
        addWeak(content.givenValues &+ content.lists, of: scalars)
    }

    /// Adds the objects of another ledger.
    mutating func merge(_ other: ContentLedger) {
        hasConflict = hasConflict || other.hasConflict
        isRepeated = isRepeated || other.isRepeated
        lists.merge(other.lists) { _, last in last }
        guard !other.isFull else { return overflow() }
        for (identity, values) in other.contents { add(values, of: identity) }
        for (identity, values) in other.weakContents { addWeak(values, of: identity) }
    }

    private mutating func add(_ values: UInt64, of identity: UInt64) {
        guard !isFull else { return }
        let earlier = contents.updateValue(values, forKey: identity)
        compare(values, with: earlier, count: contents.count)
    }

    private mutating func addWeak(_ values: UInt64, of identity: UInt64) {
        guard !isFull else { return }
        let earlier = weakContents.updateValue(values, forKey: identity)
        compare(values, with: earlier, count: weakContents.count)
    }

    private mutating func compare(_ values: UInt64, with earlier: UInt64?, count: Int) {
        if let earlier, earlier != values { hasConflict = true }
        if count > limit { overflow() }
    }

    private mutating func overflow() {
        isFull = true
        contents = [:]
        weakContents = [:]
        lists = [:]
    }
}

/// Hashes of an object's member names and of its values, independent of the order of the members.
///
/// Values of nested objects are included.
struct ObjectContent {
    /// The names of all members, and those of the scalars that are not null.
    private(set) var names: UInt64 = 0
    private(set) var scalarNames: UInt64 = 0
    private(set) var scalarCount = 0

    /// The scalars, and those that are not null.
    private(set) var values: UInt64 = 0
    private(set) var givenValues: UInt64 = 0

    /// The elements of the arrays that are not empty; 0 unless they were requested.
    private(set) var lists: UInt64 = 0

    /// The maximum depth of nested objects, and of values in lists.
    ///
    /// Each level of nesting hashes the levels below it again.
    private static let depthLimit = 4
    private static let listDepthLimit = 16

    /// Reads an object.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - readsLists: Whether the elements of its arrays are included.
    init(_ object: JSONNode, lists readsLists: Bool) {
        add(object, at: 0, depth: 0, lists: readsLists)
    }

    private mutating func add(
        _ object: JSONNode,
        at path: UInt64,
        depth: Int,
        lists readsLists: Bool
    ) {
        for (name, value) in object.members {
            let member = StableHash.mixed(path &+ StableHash.of(name.text))
            // Sums do not depend on the order of the members.
            names &+= member
            switch value.kind {
            case .string, .number, .true, .false, .null:
                let hash = StableHash.mixed(member ^ StableHash.of(value.source))
                values &+= hash
                guard value.kind != .null else { continue }
                givenValues &+= hash
                guard depth == 0 else { continue }
                scalarNames &+= member
                scalarCount += 1
            case .object:
                guard depth < Self.depthLimit else { continue }
                add(value, at: member, depth: depth + 1, lists: readsLists)
            case .array:
                guard readsLists else { continue }
                lists &+= Self.hash(of: value, depth: 0).map { StableHash.mixed(member ^ $0) } ?? 0
            }
        }
    }

    /// Returns the hash of a value with its elements and members; nil if it is null, empty, or
    /// nested too deeply.
    private static func hash(of value: JSONNode, depth: Int) -> UInt64? {
        guard depth < listDepthLimit else { return nil }
        var content: UInt64?
        switch value.kind {
        case .null: break
        case .string, .number, .true, .false: content = StableHash.of(value.source)
        case .object:
            for (name, member) in value.members {
                guard let hash = hash(of: member, depth: depth + 1) else { continue }
                let named = StableHash.mixed(StableHash.of(name.text) ^ hash)
                content = (content ?? 0) &+ named
            }
        case .array:
            for element in value.elements {
                let hash = hash(of: element, depth: depth + 1) ?? 0
                content = StableHash.mixed((content ?? 1) &* 31 &+ hash)
            }
        }
        return content
    }
}
