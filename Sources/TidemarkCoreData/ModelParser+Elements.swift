import TidemarkModel

/// The elements that define a model. All others are ignored, including their contents.
extension ModelParser {
    /// Handles the start of an element, which is identified by its path from the root.
    func start(_ path: String, fields: [String: String]) throws {
        let fields = ModelElement(fields: fields)
        switch path {
        case "model": break
        case "model/entity":
            entity = try fields.entity()
            annotations = Annotations()
        case "model/entity/attribute":
            attribute = try fields.attribute()
            // Older models mark an attribute as indexed instead of declaring a fetch index.
            if fields.flag("indexed"), let attribute {
                entity?.fetchIndexes.append(
                    FetchIndex(attribute.name, elements: [FetchIndex.Element(attribute.name)])
                )
            }
            openProperty()
        case "model/entity/relationship":
            relationship = try fields.relationship()
            openProperty()
        case "model/entity/userInfo/entry", "model/entity/attribute/userInfo/entry",
            "model/entity/relationship/userInfo/entry":
            annotations.entries[try fields.required("key")] = fields["value"] ?? ""
        case "model/entity/uniquenessConstraints/uniquenessConstraint":
            constraint = []
        case "model/entity/uniquenessConstraints/uniquenessConstraint/constraint":
            constraint?.append(try fields.required("value"))
        case "model/entity/fetchIndex", "model/entity/compoundIndexes/compoundIndex":
            index = FetchIndex(fields["name"] ?? "", elements: [])
            indexIsSupported = true
        case "model/entity/fetchIndex/fetchIndexElement":
            addIndexElement(fields["property"], isAscending: fields["order"] != "descending")
        case "model/entity/compoundIndexes/compoundIndex/index":
            addIndexElement(fields["value"], isAscending: true)
        default:
            guard path.hasPrefix("model/") else {
                throw ModelError(
                    .unreadable,
                    "The document is a “\(path)”, no model.",
                    hint: "Give the “contents” file of an .xcdatamodel."
                )
            }
        }
    }

    /// Handles the end of an element.
    func end(_ path: String) throws {
        switch path {
        case "model/entity":
            if var entity {
                try annotations.annotate(&entity)
                add(entity)
            }
            entity = nil
        case "model/entity/attribute":
            if var attribute, var owner = entity {
                try annotations.annotate(&attribute, of: &owner)
                owner.attributes.append(attribute)
                entity = owner
            }
            attribute = nil
            annotations = entityAnnotations
        case "model/entity/relationship":
            if var relationship, var owner = entity {
                try annotations.annotate(&relationship)
                owner.relationships.append(relationship)
                entity = owner
            }
            relationship = nil
            annotations = entityAnnotations
        case "model/entity/uniquenessConstraints/uniquenessConstraint":
            if let constraint, !constraint.isEmpty {
                entity?.uniquenessConstraints.append(constraint)
            }
            constraint = nil
        case "model/entity/fetchIndex", "model/entity/compoundIndexes/compoundIndex":
            closeIndex()
        default: break
        }
    }

    private func openProperty() {
        entityAnnotations = annotations
        annotations = Annotations()
    }

    /// Adds a column to the current index.
    ///
    /// An element without a property is an expression, for which a store has no index; the whole
    /// index is then omitted.
    private func addIndexElement(_ property: String?, isAscending: Bool) {
        guard let property, !property.isEmpty else {
            indexIsSupported = false
            return
        }
        index?.elements.append(FetchIndex.Element(property, isAscending: isAscending))
    }

    private func closeIndex() {
        if var index, indexIsSupported, !index.elements.isEmpty {
            if index.name.isEmpty {
                index.name = index.elements.map(\.property).joined(separator: "_")
            }
            entity?.fetchIndexes.append(index)
        }
        index = nil
    }
}
