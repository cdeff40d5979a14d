import TidemarkModel
import TidemarkStore

extension ImportPlan.KeyPart {
    init(
        _ part: KeyPartLayout,
        of entity: EntityLayout,
        slots: [ImportPlan.Slot],
        transformers: [String: AttributeTransformer]
    ) throws {
        let transformer = part.attribute.json.valueTransformer.flatMap { transformers[$0] }
        coercion = try Coercion(part.attribute, transformer: transformer)
        isNumber = coercion.isNumeric
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
        let mayBeOmitted = layout.attribute.isOptional || coercion.defaultValue != nil
        self.init(
            column: layout.column,
            coercion: coercion,
            path: mapping.exportKeys.snake,
            // A missing key is reported as an unusable key, and has no default: it would be the
            // same for all new rows.
            isRequired: !layout.attribute.isOptional && !isKey,
            isCleared: layout.attribute.json.isExportable && !isKey && mayBeOmitted,
            isInEveryObject: layout.attribute.json.isExportable && !isKey && !mayBeOmitted,
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
            isInEveryObject: false,
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
    func inlineColumn(_ layout: StoreLayout) -> Int? {
        guard case .column(let column) = storage,
            case .reference(let reference) = layout.tables[table].columns[column].content,
            !reference.isUnique
        else { return nil }
        return column
    }
}
