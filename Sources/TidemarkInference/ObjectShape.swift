import TidemarkJSON
import TidemarkModel

/// Statistics of the objects at one path of the samples.
struct ObjectShape: Sendable {
    /// The singular form of the name under which the objects appear.
    let name: String

    /// The number of objects.
    private(set) var count = 0

    /// The members, by name.
    var fields: [String: Field] = [:]

    /// Whether there are so many different names that they are data, not properties.
    private(set) var isOverfull = false

    /// For each member that may be the key: a sample of the objects, by the member's value.
    private(set) var keys: [String: KeySketch] = [:]

    /// The maximum number of candidates for the key.
    ///
    /// The most likely ones are kept.
    private static let keyLimit = 16

    /// The cached rank of each name as a key; nil for a name that cannot be one.
    private var ranks: [String: KeyName?] = [:]

    /// A member of the objects.
    struct Field: Sendable {
        var shape = Shape()

        /// The sum of the member's positions within the objects.
        ///
        /// It orders the properties of the entity.
        var positions = 0
    }

    /// Whether the objects are nested in others, so that the same object may appear repeatedly.
    private let isNested: Bool

    /// Whether the objects are hypermedia links, which lead to objects and have no identity.
    let isLink: Bool

    /// Whether the members of the objects are hypermedia links.
    let hasLinks: Bool

    /// Whether the objects contain the self links of the objects that contain them.
    private let hasOuterSelfLink: Bool

    /// Creates the shape of objects that appear under a name.
    init(named name: String, isNested: Bool = false, isLink: Bool = false) {
        self.name = NamingConvention.default.inflection.singular(name)
        self.isNested = isNested
        self.isLink = isLink
        hasLinks = Self.linkNames.contains(name)
        hasOuterSelfLink = isNested && SelfLink.containers.contains(name)
    }

    /// Adds an object of the list with the given number; 0 if no list contains it.
    ///
    /// - Returns: The hash of the most likely key; nil if the object has none.
    /// - Throws: `ModelError` if the samples have more than ``InferenceLimits/paths`` paths.
    mutating func add(
        _ node: JSONNode,
        list: Int,
        during visit: inout Shape.Visit
    ) throws -> UInt64? {
        count += 1
        guard !isOverfull else { return nil }
        let owner = addKeys(of: node, list: list, limit: visit.limits.keys)
        var index = 0
        for (name, value) in node.members {
            let name = name.string
            try add(value, as: name, index: index, of: owner, during: &visit)
            index += 1
            if fields.count > visit.limits.names {
                // The discarded paths no longer count towards `paths`.
                visit.room += pathCount
                isOverfull = true
                fields = [:]
                keys = [:]
                ranks = [:]
                return nil
            }
        }
        return owner == 0 ? nil : owner
    }

    private mutating func add(
        _ value: JSONNode,
        as name: String,
        index: Int,
        of owner: UInt64,
        during visit: inout Shape.Visit
    ) throws {
        if fields[name] == nil {
            visit.room -= 1
            guard visit.room > 0 else {
                throw ModelError(
                    .invalid,
                    "The samples have more than \(visit.limits.paths) different positions.",
                    hint: "They are not records; name a part of them."
                )
            }
        }
        let isReference = ReferenceName(name) != nil
        let position = Shape.Position(
            name: name,
            owner: owner,
            mayRefer: isReference,
            isLink: hasLinks
        )
        fields[name, default: Field()].positions += index
        try fields[name, default: Field()].shape.add(value, at: position, during: &visit)
    }

    /// Adds the statistics of another path whose objects are of the same kind.
    mutating func merge(_ other: ObjectShape) {
        count += other.count
        isOverfull = isOverfull || other.isOverfull
        guard !isOverfull else {
            fields = [:]
            keys = [:]
            return
        }
        for (name, field) in other.fields {
            fields[name, default: Field()].positions += field.positions
            fields[name, default: Field()].shape.merge(field.shape)
        }
        for (name, sketch) in other.keys {
            if keys[name]?.merge(sketch) == nil { keys[name] = sketch }
        }
        for (name, _) in keyNames.dropFirst(Self.keyLimit) { keys[name] = nil }
    }

    /// The number of paths in these objects.
    var pathCount: Int { fields.values.reduce(0) { $0 + $1.shape.pathCount } }

    /// The members that may be the key, most likely first.
    var keyNames: [(name: String, rank: KeyName)] {
        keys.map { ($0.key, $0.value.rank) }.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
    }

    /// The names of the members, ordered by their average position in the objects.
    var names: [String] {
        fields.map { name, field in
            (name, Double(field.positions) / Double(max(1, field.shape.count)))
        }
        .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
        .map(\.0)
    }

    // MARK: Keys

    /// Adds the object to the sketch of each member that may be its key.
    ///
    /// - Returns: The hash of the most likely key, or 0 if no member may be the key.
    private mutating func addKeys(of node: JSONNode, list: Int, limit: Int) -> UInt64 {
        let found = candidates(in: node)
        guard !found.isEmpty else { return 0 }
        // One more than the sketch keeps, because the candidate's own text is removed below.
        let texts = KeySketch.trimmed(Self.texts(node), to: KeySketch.textLimit + 1)
        // The objects of a sample with a certain key are rows whatever they contain.
        let isCompared = isNested || !found.contains { $0.rank.isCertain }
        let content =
            isCompared
            ? ObjectContent(node, lists: found.contains { $0.isWord || !$0.rank.isCertain }) : nil
        for candidate in found where isFollowed(candidate.name, rank: candidate.rank) {
            var others = texts
            others[StableHash.of(candidate.name)] = nil
            keys[candidate.name, default: KeySketch(candidate.rank, limit: limit)]
                .add(
                    candidate.hash,
                    list: list,
                    texts: others,
                    content: content,
                    isWord: candidate.isWord
                )
        }
        let best = found.filter { $0.rank.isLikely }
            .min { ($0.rank, $0.name) < ($1.rank, $1.name) }
        return best?.reference ?? 0
    }

    /// A member that may be the key, and its value in one object.
    private struct Candidate {
        let rank: KeyName

        /// The name of the member; for a self link, its key path.
        let name: String

        /// The hash that distinguishes the object from others.
        var hash: UInt64

        /// The hash of the value in references to the object.
        let reference: UInt64

        /// Whether the value is a word, as opposed to a number or an identifier that is unlikely to
        /// repeat by chance.
        var isWord = false
    }

    /// Returns the members of an object that may be its key.
    private mutating func candidates(in node: JSONNode) -> [Candidate] {
        var found: [Candidate] = []
        for (name, value) in node.members {
            switch value.kind {
            case .string, .number:
                let name = name.string
                guard let rank = rank(name), rank != .selfLink || !hasOuterSelfLink,
                    let hash = StableHash.ofKey(value)
                else { continue }
                found.append(Candidate(rank: rank, name: name, hash: hash, reference: hash))
                guard value.kind == .string else { continue }
                found[found.count - 1].isWord =
                    !TextStatistics.isUUID(value.text) && !TextStatistics.isToken(value.text)
            case .object:
                guard !hasOuterSelfLink, let link = SelfLink(in: value, under: name),
                    let hash = StableHash.ofKey(link.value)
                else { continue }
                found.append(
                    Candidate(rank: .selfLink, name: link.path, hash: link.hash, reference: hash)
                )
            case .array, .true, .false, .null:
                continue
            }
        }
        return found
    }

    /// Returns whether a member is among the most likely keys.
    ///
    /// It replaces the least likely candidate if the limit is reached.
    private mutating func isFollowed(_ name: String, rank: KeyName) -> Bool {
        guard keys[name] == nil, keys.count >= Self.keyLimit, let last = keyNames.last else {
            return true
        }
        guard (rank, name) < (last.rank, last.name) else { return false }
        keys[last.name] = nil
        return true
    }

    private mutating func rank(_ name: String) -> KeyName? {
        if let known = ranks[name] { return known }
        let rank = KeyName(name, of: self.name)
        if ranks.count < 1_000 { ranks[name] = .some(rank) }
        return rank
    }

    /// Returns the hashes of an object's strings, by the hashes of their names.
    ///
    /// Numbers and Booleans are left out: they are equal by chance too often.
    private static func texts(_ node: JSONNode) -> [UInt64: UInt64] {
        var texts: [UInt64: UInt64] = [:]
        for (name, value) in node.members where value.kind == .string && value.text.count > 1 {
            texts[StableHash.of(name.text)] = max(1, StableHash.of(value.text))
        }
        return texts
    }
}
