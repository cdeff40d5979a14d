import TidemarkModel

/// What one object says, gathered before its row is written.
///
/// Frames are used again and again: an object's import takes one, and gives it back. Objects nested in
/// another of the same entity take another one.
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
    var links: [LinkSource]

    private let slotCount: Int

    /// What an object says of a relationship.
    struct LinkSource {
        /// The value under the relationship's own name, or -1.
        var objects = -1
        var objectsRank = Int.max
        /// The values under the names for references, one for each part of the key.
        var references: [Int] = []
        var referenceRank = Int.max
        /// What is to be done when the row is written.
        var pending = PendingLink.none
        /// The key of the row that is not here, for ``PendingLink/hold``.
        var missingKey: [StoredValue] = []

        var isAbsent: Bool { objects < 0 && references.isEmpty }

        mutating func clear() {
            objects = -1
            objectsRank = .max
            if !references.isEmpty { references.removeAll(keepingCapacity: true) }
            referenceRank = .max
            pending = .none
        }
    }

    /// What is to be done about a relationship when the row is written.
    enum PendingLink {
        /// Nothing.
        case none
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
        /// The value at this place of the tape is the list of the linked rows; whether under the name
        /// for references.
        case list(Int, isReferences: Bool)
    }

    init(_ plan: ImportPlan) {
        slotCount = plan.slots.count
        values = .allocate(capacity: slotCount)
        values.initialize(repeating: .null, count: slotCount)
        isGiven = .allocate(capacity: slotCount)
        tokens = .allocate(capacity: slotCount)
        ranks = .allocate(capacity: slotCount)
        links = plan.relationships.map { _ in LinkSource() }
        clear()
    }

    deinit {
        values.deallocate()
        isGiven.deallocate()
        tokens.deallocate()
        ranks.deallocate()
    }

    /// Forgets the object before.
    func clear() {
        isGiven.update(repeating: false, count: slotCount)
        tokens.update(repeating: -1, count: slotCount)
        ranks.update(repeating: .max, count: slotCount)
        for index in links.indices {
            links[index].clear()
        }
    }

    /// Gives a slot its value.
    func set(_ slot: Int, _ value: StoredValue) {
        values[slot] = value
        isGiven[slot] = true
    }
}
