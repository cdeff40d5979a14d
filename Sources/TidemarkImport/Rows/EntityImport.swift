import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The import of one entity's objects in one transaction.
///
/// It contains what all objects of the entity share: how their members are found, how values are
/// converted, and the ``EntityRows`` that they are written to.
final class EntityImport {
    let plan: ImportPlan

    /// The rows of the entity.
    let rows: EntityRows

    /// What is known about the rows of the entity's table.
    let progress: TableProgress

    /// Finds the targets of member names.
    let names: MemberNames

    /// Finds the entity that an object names; nil if the entity has no discriminator.
    let discriminator: DiscriminatorReader?

    /// The relationships of the plan.
    ///
    /// A property of its own, because reading it inside the plan would retain the array.
    let relationships: [RelationshipPlan]

    /// For each relationship: the rows whose links the document has specified.
    let linked: [RowSet]

    /// The slots whose transformer is not registered.
    let untransformed: [Int]

    /// The conversions by slot.
    ///
    /// They are retained by the plan, so that using one does not retain it.
    private let conversionOfSlot: UnsafeMutablePointer<Unmanaged<SlotConversion>>

    /// The list of unused frames, and unused lists of members.
    private var freeFrame: ObjectFrame?
    private var freeMembers: [ListMembers] = []

    init(_ plan: ImportPlan, names: MemberNames, progress: TableProgress, rows: EntityRows) {
        let writer = rows.writer
        self.plan = plan
        self.names = names
        self.progress = progress
        self.rows = rows
        relationships = plan.relationships
        discriminator = plan.discriminator.map(DiscriminatorReader.init)
        linked = plan.relationships.map { writer.rowsWithCompleteLinks($0.layout) }
        untransformed = plan.slots.indices.filter { plan.slots[$0].missingTransformer != nil }
        conversionOfSlot = .allocate(capacity: max(1, plan.conversions.count))
        for (slot, conversion) in plan.conversions.enumerated() {
            (conversionOfSlot + slot).initialize(to: .passUnretained(conversion))
        }
    }

    deinit {
        conversionOfSlot.deallocate()
    }

    /// The entity's name.
    var name: String { plan.entity.name }

    // MARK: Values

    /// Converts the value of an attribute.
    @inline(__always)
    func coerce(_ value: JSONNode, slot: Int, into arena: ValueArena) -> CoercionResult {
        conversionOfSlot[slot]._withUnsafeGuaranteedRef {
            $0.coercion.coerce(value, into: arena)
        }
    }

    /// Returns what the converted value of a numeric attribute does not keep.
    func loss(
        of value: JSONNode,
        storedAs stored: StoredValue,
        slot: Int,
        in arena: ValueArena
    ) -> NumberLoss? {
        conversionOfSlot[slot]._withUnsafeGuaranteedRef {
            $0.isNumeric ? $0.coercion.loss(of: value, storedAs: stored, in: arena) : nil
        }
    }

    /// Returns what the key of a row does not keep of a reference to the row.
    func loss(ofReference value: JSONNode, in arena: ValueArena) -> NumberLoss? {
        guard value.kind == .string, plan.keyParts.count == 1, let slot = plan.keyParts[0].slot
        else { return nil }
        return conversionOfSlot[slot]._withUnsafeGuaranteedRef {
            $0.isNumeric ? $0.coercion.loss(ofForm: value, in: arena) : nil
        }
    }

    /// Converts a part of a primary key that is an attribute.
    func coerceKey(_ value: JSONNode, slot: Int, into arena: ValueArena) -> CoercionResult {
        conversionOfSlot[slot]._withUnsafeGuaranteedRef {
            $0.coercion.coerceKey(value, into: arena)
        }
    }

    /// Converts a part of a primary key, which may be stored in the row of a parent.
    func coerceKey(_ value: JSONNode, part: Int, into arena: ValueArena) -> CoercionResult {
        if let slot = plan.keyParts[part].slot { return coerceKey(value, slot: slot, into: arena) }
        return plan.keyParts[part].coercion.coerceKey(value, into: arena)
    }

    // MARK: Reused memory

    func takeFrame() -> ObjectFrame {
        guard let frame = freeFrame else { return ObjectFrame(plan) }
        freeFrame = frame.nextFree
        frame.nextFree = nil
        frame.clear()
        return frame
    }

    func giveBack(_ frame: ObjectFrame) {
        frame.nextFree = freeFrame
        freeFrame = frame
    }

    func takeMembers() -> ListMembers { freeMembers.popLast() ?? ListMembers() }

    func giveBack(_ members: inout ListMembers) {
        // Moved, because a second reference would make the next list copy the memory.
        var taken = ListMembers()
        swap(&taken, &members)
        taken.clear()
        freeMembers.append(consume taken)
    }
}
