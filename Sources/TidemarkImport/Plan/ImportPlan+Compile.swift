import TidemarkModel
import TidemarkStore

extension ImportPlan {
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
        var slots = try entity.attributes.enumerated().map { place, attribute in
            try Slot(
                attribute,
                mapping.attributes[place],
                isKey: entity.key.contains(attribute.column),
                transformers
            )
        }
        let attributeCount = slots.count
        var partCount = 0
        let relationships = entity.relationships.enumerated().map { place, relationship in
            var slot: Int?
            if let column = relationship.inlineColumn(layout) {
                slot = slots.count
                let position = layout.positionColumn(inInverseOf: relationship)
                slots.append(
                    Slot(reference: column, mapping.relationships[place], position: position)
                )
            }
            defer { partCount += max(1, layout.entities[relationship.destination].keyParts.count) }
            return RelationshipPlan(
                relationship,
                mapping.relationships[place],
                slot,
                firstPart: partCount,
                layout
            )
        }
        self.entity = entity
        self.index = index
        self.slots = slots
        self.attributeCount = attributeCount
        self.relationships = relationships
        self.mapping = mapping
        let key = entity.key.compactMap { column in slots.firstIndex { $0.column == column } }
        keyParts = try entity.keyParts.map { try KeyPart($0, of: entity, slots, transformers) }
        keyRelationships = relationships.indices.filter { place in
            relationships[place].slot.map(key.contains) ?? false
        }
        self.key = key
        var names = NameTable()
        // Sorted, so that a plan does not depend on the random order of a dictionary.
        for (name, target) in mapping.names.sorted(by: { $0.key < $1.key }) {
            names.add(name.text, NameTable.Target(target))
        }
        discriminator = Discriminator(declared, mapping, in: layout)
        if let path = discriminator?.path { names.know(path) }
        for key in layout.model.ignoredKeys(of: declared) where key != "*" { names.ignore(key) }
        ignoresUnknownNames = layout.model.ignoredKeys(of: declared).contains("*")
        let toOne = relationships.indices.filter { !relationships[$0].isToMany }
        nestedNames = names.numberNested(toOne: Set(toOne.map(Int32.init)))
        self.names = names
    }
}

extension ImportPlan.KeyPart {
    fileprivate init(
        _ part: KeyPartLayout,
        of entity: EntityLayout,
        _ slots: [ImportPlan.Slot],
        _ transformers: [String: AttributeTransformer]
    ) throws {
        let transformer = part.attribute.valueTransformer.flatMap { transformers[$0] }
        coercion = try Coercion(part.attribute, transformer: transformer)
        isNumber =
            switch part.attribute.type {
            case .integer16, .integer32, .integer64, .decimal, .double, .float: true
            case .boolean, .string, .date, .uuid, .uri, .binary, .json, .transformable: false
            }
        guard let reference = part.references.first else {
            slot = slots.firstIndex { $0.column == part.column }
            relationship = nil
            place = 0
            return
        }
        let siblings = entity.keyParts.filter { $0.references.first == reference }
        slot = nil
        relationship = entity.relationships.firstIndex { $0.storage == .column(reference.column) }
        place =
            siblings.firstIndex {
                $0.references == part.references && $0.column == part.column
            } ?? 0
    }
}

extension NameTable.Target {
    /// Creates a target from what the model maps a name to.
    init(_ target: EntityMapping.Target) {
        self.init()
        if let slot = target.attribute {
            self.slot = Int32(slot)
            slotRank = Int32(target.attributeRank.rawValue)
        }
        if let relationship = target.relationship {
            self.relationship = Int32(relationship)
            relationshipRank = Int32(target.relationshipRank.rawValue)
            part = target.keyPart.map(Int32.init) ?? -1
        }
    }
}

extension ImportPlan.Slot {
    init(
        _ layout: AttributeLayout,
        _ mapping: AttributeMapping,
        isKey: Bool,
        _ transformers: [String: AttributeTransformer]
    ) throws {
        let name = layout.attribute.valueTransformer
        let transformer = name.flatMap { transformers[$0] }
        let coercion = try Coercion(layout.attribute, transformer: transformer)
        self.init(
            column: layout.column,
            coercion: coercion,
            path: mapping.exportKeys.snake,
            // A missing key is reported as an unusable key, and has no default: it would be the
            // same for all new rows.
            isRequired: !layout.attribute.isOptional && !isKey,
            rule: try ValueRule(layout.attribute),
            missingTransformer: transformer == nil ? name : nil,
            defaultValue: isKey ? nil : coercion.defaultValue,
            position: nil
        )
    }

    init(reference column: Int, _ mapping: RelationshipMapping, position: Int?) {
        self.init(
            column: column,
            coercion: nil,
            path: mapping.exportKeys.snake,
            isRequired: false,
            rule: nil,
            missingTransformer: nil,
            defaultValue: nil,
            position: position
        )
    }
}

extension RelationshipLayout {
    /// Returns the column of a reference that can be written together with the attributes.
    ///
    /// A unique reference is linked after the row is written, when the row that had it before has
    /// lost it.
    fileprivate func inlineColumn(_ layout: StoreLayout) -> Int? {
        guard case .column(let column) = storage,
            case .reference(let reference) = layout.tables[table].columns[column].content,
            !reference.isUnique
        else { return nil }
        return column
    }
}
