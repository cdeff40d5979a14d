import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The compiled mapping of one entity's objects to columns.
///
/// It is immutable, and shared by all imports.
///
/// It contains for each JSON name the slot of its value, and for each slot the column and the
/// conversion.
///
/// A class, because it is passed along for every object that a push merges: copying a struct would
/// retain each of its parts.
final class ImportPlan: Sendable {
    /// The entity in the layout of the store.
    let entity: EntityLayout

    /// The index of the entity in the layout.
    let index: Int

    /// The columns that an import writes: first those of the attributes, then those of the
    /// references that can be written together with them.
    let slots: [Slot]

    /// The conversions of the attributes' values.
    let conversions: [SlotConversion]

    /// The slots of the primary key; empty if the entity has none.
    ///
    /// One of them may be the reference to the parent within which the key is unique.
    let key: [Int]

    /// The values of the primary key, in the order of ``EntityLayout/keyParts``.
    let keyParts: [KeyPart]

    /// The indexes in ``relationships`` of the parents within which the key is unique; usually
    /// empty.
    let keyRelationships: [Int]

    /// The relationships of the entity.
    let relationships: [RelationshipPlan]

    /// Finds the entity of an object in a family of entities; nil if all objects are of this one.
    let discriminator: Discriminator?

    /// The targets of all JSON names.
    let names: NameTable

    /// Whether the model ignores all names that it does not contain.
    let ignoresUnknownNames: Bool

    /// The mapping that the plan was compiled from.
    let mapping: EntityMapping

    /// Compiles the plan of an entity.
    ///
    /// - Parameters:
    ///   - index: The index of the entity in the layout.
    ///   - layout: The layout of the store.
    ///   - naming: How JSON names are matched with the names of the model.
    ///   - transformers: The registered transformers, by name.
    /// - Throws: `ModelError` if an attribute has an invalid date format or default value.
    init(
        _ index: Int,
        in layout: StoreLayout,
        naming: NamingConvention,
        transformers: [String: AttributeTransformer]
    ) throws {
        let entity = layout.entities[index]
        guard let declared = layout.model[entity.name] else {
            throw ModelError(.invalid, "The model has no entity \(entity.name).")
        }
        let mapping = EntityMapping(entity: declared, in: layout.model, naming: naming)
        var slots = try zip(entity.attributes, mapping.attributes).map { attribute, mapping in
            try Slot(
                attribute,
                mapping: mapping,
                isKey: entity.key.contains(attribute.column),
                transformers: transformers
            )
        }
        var partCount = 0
        let relationships = entity.relationships.enumerated().map { index, relationship in
            let names = mapping.relationships[index]
            var slot: Int?
            if let column = relationship.inlineColumn(layout) {
                slot = slots.count
                let position = layout.positionColumn(inInverseOf: relationship)
                slots.append(Slot(reference: column, mapping: names, position: position))
            }
            let plan = RelationshipPlan(
                relationship,
                at: index,
                slot: slot,
                firstPart: partCount,
                mapping: names,
                in: layout
            )
            partCount = plan.parts.upperBound
            return plan
        }
        self.entity = entity
        self.index = index
        self.slots = slots
        conversions = slots.compactMap(\.coercion).map(SlotConversion.init)
        self.relationships = relationships
        self.mapping = mapping
        let key = entity.key.compactMap { column in slots.firstIndex { $0.column == column } }
        keyParts = try entity.keyParts.map {
            try KeyPart($0, of: entity, slots: slots, transformers: transformers)
        }
        keyRelationships = relationships.indices.filter { index in
            relationships[index].slot.map(key.contains) ?? false
        }
        self.key = key
        var names = NameTable()
        // Sorted, so that a plan does not depend on the random order of a dictionary.
        for (name, target) in mapping.names.sorted(by: { $0.key < $1.key }) {
            names.add(JSONPath(name.text).names[...], target: NameTable.Target(target))
        }
        discriminator = Discriminator(of: declared, mapping: mapping, in: layout)
        if let path = discriminator?.path { names.addKnown(JSONPath(path).names[...]) }
        for key in layout.model.ignoredKeys(of: declared) where key != "*" {
            names.addIgnored(JSONPath(key).names[...])
        }
        ignoresUnknownNames = layout.model.ignoredKeys(of: declared).contains("*")
        let toOne = relationships.indices.filter { !relationships[$0].isToMany }
        names.numberNested(toOne: Set(toOne.map(Int32.init)))
        self.names = names
    }

    /// One value of the primary key.
    struct KeyPart: Sendable {
        /// The slot of the value; nil if the value is stored in the row of a parent.
        let slot: Int?

        /// The index in ``ImportPlan/relationships`` of the reference to that parent.
        let relationship: Int?

        /// The index of the value among the parts of the parent's key.
        let parentPart: Int

        /// The conversion of the values.
        let coercion: Coercion

        /// Whether the values are numbers.
        let isNumber: Bool
    }

    /// A column, and the conversion and rules of its values.
    struct Slot: Sendable {
        /// The index of the column in the entity's table.
        let column: Int

        /// The conversion of the values; nil for a reference.
        let coercion: Coercion?

        /// The JSON name in diagnostics.
        let path: String

        /// Whether a row must have a value.
        let isRequired: Bool

        /// Whether the attribute is cleared if an object lacks it that leaves out what is null.
        let isCleared: Bool

        /// Whether an object that lacks the attribute is a part of one, and clears nothing.
        let isInEveryObject: Bool

        /// The rule that values must satisfy; nil without a rule.
        let rule: ValueRule?

        /// The name of the attribute's transformer, if it is not registered.
        let missingTransformer: String?

        /// The value of a new row if the object has none.
        let defaultValue: Value?

        /// For a reference to the owner of an ordered list: the column of the row's position in
        /// that list.
        ///
        /// It is cleared together with the reference.
        let position: Int?
    }
}

/// The conversion of a slot's values.
///
/// A class of its own, so that it can be used without being retained.
final class SlotConversion: Sendable {
    let coercion: Coercion

    /// Whether values are stored as numbers.
    let isNumeric: Bool

    init(_ coercion: Coercion) {
        self.coercion = coercion
        isNumeric = coercion.isNumeric
    }
}

/// The compiled form of one relationship.
///
/// A class, because it is passed along for every object that has the relationship: copying a struct
/// would retain each of the names in its layout.
final class RelationshipPlan: Sendable {
    /// The relationship in the layout of the store.
    let layout: RelationshipLayout

    /// The index of the relationship among those of its entity.
    let index: Int

    /// The slot of the reference that is written together with the attributes; nil if the rows are
    /// linked afterwards.
    let slot: Int?

    /// The index of the inverse relationship in the plan of the destination; nil without an
    /// inverse.
    let inverse: Int?

    /// The JSON name in diagnostics.
    let path: String

    /// The number of parts of the destination's key; at least one.
    let keyPartCount: Int

    /// The index of the first part among the parts of all relationships.
    let firstPart: Int

    /// The values that mean that there is no linked row.
    let nullValues: NullValues

    /// Whether it is a to-many relationship.
    let isToMany: Bool

    /// Whether the primary key of the linked rows contains this row: they cannot be removed from
    /// its list without being deleted.
    let isParentInKey: Bool

    /// The kind of the destination's primary key.
    let key: Key

    /// A kind of primary key.
    enum Key {
        /// The destination has none: its rows belong to the row that is linked to them.
        case none
        /// One integer, which may be the last component of a URL.
        case integer
        /// One value of another type, or several.
        case other
    }

    /// Whether the destination has no primary key.
    var leadsToKeyless: Bool { key == .none }

    /// Whether the linked rows belong to this one, so that rows that are removed from its list are
    /// deleted.
    let ownsLinkedRows: Bool

    /// Whether the row is unlinked if an object lacks the relationship, and leaves out what is
    /// null.
    var isUnlinked: Bool {
        guard case .column = layout.storage else { return false }
        return layout.relationship.isOptional && layout.relationship.json.isExportable
    }

    /// Whether the linked rows are ordered.
    var isOrdered: Bool { layout.relationship.isOrdered }

    /// Whether rows that were removed from a list are only unlinked.
    var keepsOrphans: Bool { layout.relationship.orphans == .unlink }

    /// The indexes of the parts of the destination's key, among the parts of all relationships.
    var parts: Range<Int> { firstPart..<firstPart + keyPartCount }

    /// Compiles the plan of a relationship.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - index: Its index among those of its entity.
    ///   - slot: The slot of its reference, if it has one.
    ///   - firstPart: The number of key parts of the relationships before it.
    ///   - mapping: The names of its values.
    ///   - layout: The layout of the store.
    init(
        _ relationship: RelationshipLayout,
        at index: Int,
        slot: Int?,
        firstPart: Int,
        mapping: RelationshipMapping,
        in layout: StoreLayout
    ) {
        let destination = layout.entities[relationship.destination]
        self.layout = relationship
        self.index = index
        self.slot = slot
        self.firstPart = firstPart
        isParentInKey = layout.isParentInKey(relationship)
        inverse = destination.relationships.firstIndex {
            $0.relationship.name == relationship.relationship.inverse
        }
        path = mapping.exportKeys.snake
        keyPartCount = max(1, destination.keyParts.count)
        let isInteger = destination.keyParts.first?.attribute.type.isInteger == true
        key =
            destination.key.isEmpty
            ? .none : destination.keyParts.count == 1 && isInteger ? .integer : .other
        nullValues = NullValues(relationship.relationship.json.nullValues)
        isToMany = relationship.relationship.isToMany
        if case .inverse = relationship.storage {
            ownsLinkedRows = isToMany
        } else {
            ownsLinkedRows = false
        }
    }
}

extension ImportPlan {
    /// The number of slots that are attributes.
    var attributeCount: Int { entity.attributes.count }

    /// Returns whether a slot is part of the primary key.
    func isKey(_ slot: Int) -> Bool {
        key.count == 1 ? key[0] == slot : key.contains(slot)
    }
}
