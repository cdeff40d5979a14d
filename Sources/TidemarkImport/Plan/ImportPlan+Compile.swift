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
            names.add(name.text, target: NameTable.Target(target))
        }
        discriminator = Discriminator(of: declared, mapping: mapping, in: layout)
        if let path = discriminator?.path { names.addKnown(path) }
        for key in layout.model.ignoredKeys(of: declared) where key != "*" { names.addIgnored(key) }
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
        slots: [ImportPlan.Slot],
        transformers: [String: AttributeTransformer]
    ) throws {
        let transformer = part.attribute.json.valueTransformer.flatMap { transformers[$0] }
        coercion = try Coercion(part.attribute, transformer: transformer)
        isNumber =
            switch part.attribute.type {
            case .integer16, .integer32, .integer64, .decimal, .double, .float: true
            case .boolean, .string, .date, .uuid, .uri, .binary, .json, .transformable: false
            }
        guard let reference = part.references.first else {
            slot = slots.firstIndex { $0.column == part.column }
            relationship = nil
            parentPart = 0
            return
        }
        let siblings = entity.keyParts.filter { $0.references.first == reference }
        slot = nil
        relationship = entity.relationships.firstIndex { $0.storage == .column(reference.column) }
        parentPart =
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
        mapping: AttributeMapping,
        isKey: Bool,
        transformers: [String: AttributeTransformer]
    ) throws {
        let name = layout.attribute.json.valueTransformer
        let transformer = name.flatMap { transformers[$0] }
        let coercion = try Coercion(layout.attribute, transformer: transformer)
        self.init(
            column: layout.column,
            coercion: coercion,
            path: mapping.exportKeys.snake,
            // A missing key is reported as an unusable key, and has no default: it would be the
            // same for all new rows.
            isRequired: !layout.attribute.isOptional && !isKey,
            isCleared: layout.attribute.json.isExportable && !isKey
                && (layout.attribute.isOptional || coercion.defaultValue != nil),
            rule: try ValueRule(layout.attribute),
            missingTransformer: transformer == nil ? name : nil,
            defaultValue: isKey ? nil : coercion.defaultValue,
            position: nil
        )
    }

    init(reference column: Int, mapping: RelationshipMapping, position: Int?) {
        self.init(
            column: column,
            coercion: nil,
            path: mapping.exportKeys.snake,
            isRequired: false,
            isCleared: false,
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
