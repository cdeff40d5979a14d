/// The elements that say something; all others are passed over with what they contain.
extension ModelParser {
    /// Takes in an element that begins, named by its path from the root.
    func start(_ path: String, _ fields: [String: String]) throws {
        let fields = ModelElement(fields: fields)
        switch path {
        case "model": break
        case "model/entity":
            entity = try fields.entity()
            annotations = Annotations()
        case "model/entity/attribute":
            attribute = try fields.attribute()
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

    /// Finishes an element that ends.
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

    /// Takes in a column of an index; an expression has no property, and no index is made of it.
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
