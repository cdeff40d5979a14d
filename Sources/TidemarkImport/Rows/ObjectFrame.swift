import TidemarkModel

/// The values of one object, collected before its row is written.
///
/// Frames are reused: the import of an object takes a frame and returns it. Objects nested in
/// another object of the same entity take another frame. All storage is plain memory, because a
/// frame is in the inner loop of an import.
final class ObjectFrame {
    /// The value of each slot; valid if ``isGiven`` is set.
    let values: UnsafeMutablePointer<StoredValue>

    /// Whether the object has a usable value for each slot.
    let isGiven: UnsafeMutablePointer<Bool>

    /// The token of each attribute's value, or -1.
    let tokens: UnsafeMutablePointer<Int32>

    /// The rank of the name under which each attribute was found.
    let ranks: UnsafeMutablePointer<Int32>

    /// The sources of each relationship.
    let links: UnsafeMutablePointer<LinkSource>

    /// For each part of each relationship's key: the token of the value under the name for
    /// references, or -1.
    let references: UnsafeMutablePointer<Int32>

    /// For each part of each relationship's key: its value, if the referenced row is not stored.
    let missingKeys: UnsafeMutablePointer<StoredValue>

    /// Whether the row must not be written, because a value is invalid and the options skip such
    /// rows.
    var isRejected = false

    /// The next frame in the list of unused frames.
    var nextFree: ObjectFrame?

    /// The rank of a null at an earlier step of a value's key path.
    ///
    /// Any value that the object has under another name wins over it.
    ///
    /// The null of an element that an array does not have has no token.
    static let clearedRank = Int32.max - 1

    private let plan: ImportPlan

    /// The number of key parts that references of all relationships have.
    private let partCount: Int

    /// The sources of a relationship in an object.
    struct LinkSource {
        /// The token of the value under the relationship's own name, or -1.
        var objects: Int32 = -1
        var objectsRank = Int32.max
        /// The rank of the name for references, if the object has one.
        var referenceRank = Int32.max
        /// Whether the object contains the relationship twice.
        ///
        /// It then does not prove that a row was deleted.
        var isRepeated = false
        /// The action after the row was written.
        var pending = PendingLinks.none

        var hasReferences: Bool { referenceRank < .max }
        var isAbsent: Bool { objects < 0 && !hasReferences && !isCleared }

        /// Whether the object does not contain the relationship, and that means null: its key path
        /// leads through an element that an array does not have, or the object is whole.
        var isCleared: Bool {
            objects < 0 && objectsRank == ObjectFrame.clearedRank
        }
    }

    /// The action for a relationship after the row was written.
    enum PendingLinks {
        /// No action.
        case none
        /// Sets or removes the link of a to-one relationship.
        case one(PendingLink)
        /// Imports the list at this token; whether it is under the name for references.
        case list(Int, isReferences: Bool)
    }

    /// The action for a to-one relationship.
    enum PendingLink {
        /// The reference was written with the row.
        ///
        /// An unresolved reference of the row is removed.
        case release
        /// Removes the link.
        case unlink
        /// Links the row to another row.
        case link(Int64)
        /// Stores the reference as unresolved, until its row is inserted.
        case unresolved
        /// Writes the object without a key at this token to the linked row.
        case fill(Int)
    }

    /// For each nested table of names: the object in which it was last used, to detect repeated
    /// members.
    private let nestedObjects: UnsafeMutablePointer<Int32>

    init(_ plan: ImportPlan) {
        self.plan = plan
        let slotCount = plan.slots.count
        let linkCount = plan.relationships.count
        partCount = plan.relationships.last?.parts.upperBound ?? 0
        nestedObjects = .allocate(capacity: plan.names.nestedCount)
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

    /// Removes the values of the previous object.
    func clear() {
        let slotCount = plan.slots.count
        isRejected = false
        nestedObjects.initialize(repeating: -1, count: plan.names.nestedCount)
        isGiven.initialize(repeating: false, count: slotCount)
        tokens.initialize(repeating: -1, count: slotCount)
        ranks.initialize(repeating: .max, count: slotCount)
        links.initialize(repeating: LinkSource(), count: plan.relationships.count)
        references.initialize(repeating: -1, count: partCount)
    }

    /// Removes the values of an earlier member with the same name, if key paths lead through it:
    /// the last of several members is used as a whole.
    ///
    /// - Parameters:
    ///   - table: The names in the member's value.
    ///   - object: The token of the object that contains the member.
    /// - Returns: Whether there was an earlier member.
    func beginNested(_ table: NameTable, in object: Int) -> Bool {
        let object = Int32(truncatingIfNeeded: object)
        let isRepeated = nestedObjects[table.number] == object
        if isRepeated { forget(table) }
        nestedObjects[table.number] = object
        return isRepeated
    }

    /// Clears all values whose key paths lead through a null, except values that the object has
    /// under another name.
    ///
    /// - Parameters:
    ///   - table: The names below the null.
    ///   - null: The token of the null.
    func clear(below table: NameTable, by null: Int) {
        let null = Int32(truncatingIfNeeded: null)
        for target in table.targets {
            if target.slot >= 0, tokens[Int(target.slot)] < 0 {
                tokens[Int(target.slot)] = null
                ranks[Int(target.slot)] = Self.clearedRank
            }
            if target.relationship >= 0 { clearLink(target, by: null) }
        }
        for inner in table.nested { clear(below: inner, by: Int(null)) }
    }

    private func clearLink(_ target: NameTable.Target, by null: Int32) {
        let index = Int(target.relationship)
        if target.part < 0, links[index].objects < 0 {
            links[index].objects = null
            links[index].objectsRank = Self.clearedRank
        } else if target.part >= 0, links[index].referenceRank >= Self.clearedRank {
            references[plan.relationships[index].firstPart + Int(target.part)] = null
            links[index].referenceRank = Self.clearedRank
        }
    }

    /// Clears the attributes and to-one relationships whose key paths lead through elements that an
    /// array does not have, except values that the object has under another name.
    ///
    /// - Parameters:
    ///   - table: The names of the elements.
    ///   - count: The number of elements.
    func clearElements(of table: NameTable, from count: Int) {
        for name in table.targets.indices {
            guard let element = table.arrayIndex(ofName: name), element >= count else { continue }
            clear(table.targets[name], in: table)
        }
    }

    /// Clears a to-one relationship that the object does not contain.
    func clearLink(_ relationship: Int) {
        links[relationship].objectsRank = Self.clearedRank
    }

    private func clear(_ target: NameTable.Target, in table: NameTable) {
        let slot = Int(target.slot)
        if slot >= 0, tokens[slot] < 0, !plan.isKey(slot) { ranks[slot] = Self.clearedRank }
        let relationship = Int(target.relationship)
        if relationship >= 0, links[relationship].objects < 0,
            !plan.relationships[relationship].isToMany,
            !plan.keyRelationships.contains(relationship)
        {
            clearLink(relationship)
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
        let index = Int(target.relationship)
        links[index].isRepeated = true
        let ranks = [target.relationshipRank, Self.clearedRank]
        if target.part < 0, ranks.contains(links[index].objectsRank) {
            links[index].objects = -1
            links[index].objectsRank = .max
        } else if target.part >= 0, ranks.contains(links[index].referenceRank) {
            links[index].referenceRank = .max
        }
    }

    /// Sets the value of a slot.
    func set(_ value: StoredValue, slot: Int) {
        values[slot] = value
        isGiven[slot] = true
    }

    /// The row number that a reference in a slot contains; nil without a slot or a stored row.
    func reference(in slot: Int?) -> Int64? {
        guard let slot, isGiven[slot], case .integer(let number) = values[slot] else { return nil }
        return number
    }
}
