import TidemarkModel

/// What one object says, gathered before its row is written.
///
/// Frames are used again and again: an object's import takes one, and gives it back. Objects nested
/// in another of the same entity take another one. All is plain memory: a frame is on the import's
/// inner loop.
final class ObjectFrame {
    /// The value for each slot; meaningful where ``isGiven`` says so.
    let values: UnsafeMutablePointer<StoredValue>

    /// Whether the object has a usable value for each slot.
    let isGiven: UnsafeMutablePointer<Bool>

    /// Where the value of each attribute stands on the tape, or -1.
    let tokens: UnsafeMutablePointer<Int32>

    /// The rank of the name that each attribute was found under.
    let ranks: UnsafeMutablePointer<Int32>

    /// What the object says of each relationship.
    let links: UnsafeMutablePointer<LinkSource>

    /// For each part of each relationship's key: where the value under the name for references
    /// stands, or -1.
    let references: UnsafeMutablePointer<Int32>

    /// For each part of each relationship's key: its value, when the row that is meant is not here.
    let missingKeys: UnsafeMutablePointer<StoredValue>

    /// Whether the row may not be written: a value is invalid, and the options skip such rows.
    var isRejected = false

    /// The frame behind this one among those that nobody uses.
    var nextFree: ObjectFrame?

    /// The rank of a null above the key path of a value: any value that the object has wins.
    ///
    /// A null in the place of an element that an array does not have is no token.
    static let clearedRank = Int32.max - 1

    private let plan: ImportPlan
    private let slotCount: Int
    private let linkCount: Int
    private let partCount: Int

    /// What an object says of a relationship.
    struct LinkSource {
        /// The value under the relationship's own name, or -1.
        var objects: Int32 = -1
        var objectsRank = Int32.max
        /// The rank of the name for references, if there is one.
        var referenceRank = Int32.max
        /// Whether the object has it twice: it then does not prove that a row was deleted.
        var isRepeated = false
        /// What is to be done when the row is written.
        var pending = PendingLinks.none

        var hasReferences: Bool { referenceRank < .max }
        var isAbsent: Bool { objects < 0 && !hasReferences && !isCleared }

        /// Whether its key path leads through an element that an array does not have: null.
        var isCleared: Bool {
            objects < 0 && objectsRank == ObjectFrame.clearedRank
        }
    }

    /// What is to be done about a relationship when the row is written.
    enum PendingLinks {
        /// Nothing.
        case none
        /// The one link of a to-one relationship is given.
        case one(PendingLink)
        /// The value at this place of the tape is the list of the linked rows; whether under the
        /// name for references.
        case list(Int, isReferences: Bool)
    }

    /// What becomes of a to-one relationship.
    enum PendingLink {
        /// The reference was written with the row; what was held for it is out of date.
        case release
        /// The link is taken away.
        case unlink
        /// The row is linked to another.
        case link(Int64)
        /// The reference is held until its row arrives.
        case hold
        /// The object without a key at this place of the tape fills the linked row.
        case fill(Int)
    }

    /// For each nested table of names: the object in which it was last read, to notice that a name
    /// comes twice.
    private let nestedObjects: UnsafeMutablePointer<Int32>
    private let nestedCount: Int

    init(_ plan: ImportPlan) {
        self.plan = plan
        slotCount = plan.slots.count
        linkCount = plan.relationships.count
        partCount = plan.relationships.map(\.keyPartCount).reduce(0, +)
        nestedCount = plan.nestedNames
        nestedObjects = .allocate(capacity: nestedCount)
        values = .allocate(capacity: slotCount)
        values.initialize(repeating: .null, count: slotCount)
        isGiven = .allocate(capacity: slotCount)
        tokens = .allocate(capacity: slotCount)
        ranks = .allocate(capacity: slotCount)
        links = .allocate(capacity: linkCount)
        references = .allocate(capacity: partCount)
        missingKeys = .allocate(capacity: partCount)
        missingKeys.initialize(repeating: .null, count: partCount)
        clear()
    }

    deinit {
        nestedObjects.deallocate()
        values.deallocate()
        isGiven.deallocate()
        tokens.deallocate()
        ranks.deallocate()
        links.deallocate()
        references.deallocate()
        missingKeys.deallocate()
    }

    /// Forgets the object before.
    func clear() {
        isRejected = false
        nestedObjects.initialize(repeating: -1, count: nestedCount)
        isGiven.initialize(repeating: false, count: slotCount)
        tokens.initialize(repeating: -1, count: slotCount)
        ranks.initialize(repeating: .max, count: slotCount)
        links.initialize(repeating: LinkSource(), count: linkCount)
        references.initialize(repeating: -1, count: partCount)
    }

    /// Forgets what an earlier member of the same name has said, where names are nested: the last
    /// one counts as a whole.
    ///
    /// - Parameters:
    ///   - table: the names in the member's value.
    ///   - object: the place of the object whose member it is.
    /// - Returns: whether there was one.
    func beginNested(_ table: NameTable, in object: Int) -> Bool {
        let object = Int32(truncatingIfNeeded: object)
        let isRepeated = nestedObjects[table.number] == object
        if isRepeated { forget(table) }
        nestedObjects[table.number] = object
        return isRepeated
    }

    /// Clears all values whose key paths lead through a null, but for those that the object has
    /// under another name.
    ///
    /// - Parameters:
    ///   - table: the names beneath the null.
    ///   - null: the place of the null.
    func clear(_ table: NameTable, by null: Int) {
        let null = Int32(truncatingIfNeeded: null)
        for target in table.targets {
            if target.slot >= 0, tokens[Int(target.slot)] < 0 {
                tokens[Int(target.slot)] = null
                ranks[Int(target.slot)] = Self.clearedRank
            }
            if target.relationship >= 0 { clearLink(target, by: null) }
        }
        for inner in table.nested { clear(inner, by: Int(null)) }
    }

    private func clearLink(_ target: NameTable.Target, by null: Int32) {
        let place = Int(target.relationship)
        if target.part < 0, links[place].objects < 0 {
            links[place].objects = null
            links[place].objectsRank = Self.clearedRank
        } else if target.part >= 0, links[place].referenceRank >= Self.clearedRank {
            references[plan.relationships[place].firstPart + Int(target.part)] = null
            links[place].referenceRank = Self.clearedRank
        }
    }

    /// Clears the attributes and to-one relationships whose key paths lead through elements that an
    /// array does not have, but for those that the object has under another name.
    ///
    /// - Parameters:
    ///   - table: the names of the elements.
    ///   - count: how many elements there are.
    func clearElements(of table: NameTable, from count: Int) {
        for place in table.targets.indices {
            guard let index = table.index(place), index >= count else { continue }
            clear(table.targets[place], in: table)
        }
    }

    private func clear(_ target: NameTable.Target, in table: NameTable) {
        let slot = Int(target.slot)
        if slot >= 0, tokens[slot] < 0, !plan.isKey(slot) { ranks[slot] = Self.clearedRank }
        let relationship = Int(target.relationship)
        if relationship >= 0, links[relationship].objects < 0,
            !plan.relationships[relationship].isToMany,
            !plan.keyRelationships.contains(relationship)
        {
            links[relationship].objectsRank = Self.clearedRank
        }
        guard target.nested >= 0 else { return }
        let inner = table.nested[Int(target.nested)]
        for target in inner.targets { clear(target, in: inner) }
    }

    private func forget(_ table: NameTable) {
        for target in table.targets {
            if target.slot >= 0,
                [target.slotRank, Self.clearedRank].contains(ranks[Int(target.slot)])
            {
                tokens[Int(target.slot)] = -1
                ranks[Int(target.slot)] = .max
            }
            if target.relationship >= 0 { forget(target) }
        }
        for inner in table.nested { forget(inner) }
    }

    private func forget(_ target: NameTable.Target) {
        let place = Int(target.relationship)
        links[place].isRepeated = true
        let ranks = [target.relationshipRank, Self.clearedRank]
        if target.part < 0, ranks.contains(links[place].objectsRank) {
            links[place].objects = -1
            links[place].objectsRank = .max
        } else if target.part >= 0, ranks.contains(links[place].referenceRank) {
            links[place].referenceRank = .max
        }
    }

    /// Gives a slot its value.
    func set(_ slot: Int, _ value: StoredValue) {
        values[slot] = value
        isGiven[slot] = true
    }
}
