import TidemarkModel
import TidemarkStore

/// What an import does with the objects of one entity: compiled once, pure, and shared by all
/// imports.
///
/// It knows for each JSON name the slot its value goes to, and for each slot the column and the
/// coercion.
struct ImportPlan: Sendable {
    /// The entity, as it lies in the store.
    let entity: EntityLayout

    /// The entity's place in the layout.
    let index: Int

    /// The columns an import writes: those of the attributes, then those of the references it can
    /// write together with them.
    let slots: [Slot]

    /// How many of the slots are attributes.
    let attributeCount: Int

    /// The slots of the primary key; empty when the entity has none.
    ///
    /// One may be that of the reference to the parent within which the key is unique.
    let key: [Int]

    /// The values of the primary key, in the order of ``EntityLayout/keyParts``.
    let keyParts: [KeyPart]

    /// The places in ``relationships`` of the parents within which the key is unique; mostly none.
    let keyRelationships: [Int]

    /// The relationships.
    let relationships: [RelationshipPlan]

    /// What tells which entity of the family an object is of; nil when it is always this one.
    let discriminator: Discriminator?

    /// What each JSON name is for.
    let names: NameTable

    /// How many tables of names are nested in that.
    let nestedNames: Int

    /// Whether names that it does not know are left out on purpose.
    let ignoresUnknownNames: Bool

    /// The names as the model gives them.
    let mapping: EntityMapping

    /// A value of the primary key.
    struct KeyPart: Sendable {
        /// The slot; nil where the value is in the row of a parent.
        let slot: Int?

        /// The place in ``ImportPlan/relationships`` of the reference to that parent.
        let relationship: Int?

        /// Its place among the parts of the key that the reference leads to.
        let place: Int

        /// The conversion of its values.
        let coercion: Coercion

        /// Whether its values are numbers.
        let isNumber: Bool
    }

    /// A column and what is written into it.
    struct Slot: Sendable {
        /// The column in the entity's table.
        let column: Int

        /// The conversion of its values; nil for a reference.
        let coercion: Coercion?

        /// The JSON name that diagnostics call it by.
        let path: String

        /// Whether a row must have a value.
        let isRequired: Bool

        /// What a value must satisfy; nil where anything goes.
        let rule: ValueRule?

        /// The name of the transformer that its values should go through, where nobody registered
        /// it.
        let missingTransformer: String?

        /// What a new row gets when nobody gives a value.
        let defaultValue: Value?

        /// For a reference into an ordered list: the column of the place there, lost with the
        /// reference.
        let position: Int?
    }
}

/// What an import does with one relationship.
///
/// It is handed on for every object that has the relationship: as a class it is not copied then.
final class RelationshipPlan: Sendable {
    /// The relationship, as it lies in the store.
    let layout: RelationshipLayout

    /// The slot that a reference is written to together with the attributes; nil when it is linked
    /// after.
    let slot: Int?

    /// The place of the relationship that leads back, in its entity's plan.
    let inverse: Int?

    /// The JSON name that diagnostics call it by.
    let path: String

    /// How many parts the destination's key has; at least one.
    let keyPartCount: Int

    /// The place of its first part among the parts of all relationships.
    let firstPart: Int

    /// The values that refer to no row.
    let nullValues: NullValues

    /// Whether it leads to any number of rows.
    let isToMany: Bool

    /// Whether the linked rows have this one in their primary key: they cannot leave its list and
    /// stay.
    let isParentInKey: Bool

    /// Whether it leads to rows without a key: each belongs to the row that is linked to it.
    let leadsToKeyless: Bool

    /// Whether those rows have an order.
    let isOrdered: Bool

    /// Whether rows that have left a list stay without the link.
    var keepsOrphans: Bool { layout.relationship.orphans == .unlink }

    /// Whether the linked rows belong to this one, so that those left out of its list are deleted.
    let ownsLinkedRows: Bool

    init(
        _ relationship: RelationshipLayout,
        _ mapping: RelationshipMapping,
        _ slot: Int?,
        firstPart: Int,
        _ layout: StoreLayout
    ) {
        let destination = layout.entities[relationship.destination]
        self.layout = relationship
        self.slot = slot
        isParentInKey = layout.isParentInKey(relationship)
        self.firstPart = firstPart
        inverse = destination.relationships.firstIndex {
            $0.relationship.name == relationship.relationship.inverse
        }
        path = mapping.exportKeys.snake
        keyPartCount = max(1, destination.keyParts.count)
        leadsToKeyless = destination.key.isEmpty
        nullValues = NullValues(relationship.relationship.nullValues)
        isToMany = relationship.relationship.isToMany
        isOrdered = relationship.relationship.isOrdered
        if case .inverse = relationship.storage {
            ownsLinkedRows = isToMany
        } else {
            ownsLinkedRows = false
        }
    }
}

extension ImportPlan {
    /// Whether a slot has a part of the primary key.
    func isKey(_ slot: Int) -> Bool {
        key.count == 1 ? key[0] == slot : key.contains(slot)
    }
}
