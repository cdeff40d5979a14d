#if Macros

extension EntityDeclaration {
    /// The entity of the model: calls of its initializers, whose arguments are those of the macros.
    var description: String {
        let properties = properties.compactMap { property -> String? in
            switch property.kind {
            case .attribute, .document: property.attribute
            case .one, .many: property.relationship
            case .transient: nil
            }
        }
        return """
            \(access)nonisolated static let entity = TidemarkModel.EntityDescription(entityName\(listedArguments)) {
            \(properties.map { "    \($0)" }.joined(separator: "\n"))
            }
            """
    }

    /// The arguments after the name.
    private var listedArguments: String {
        var all = arguments
        if all["parent"] == "nil" { all["parent"] = nil }
        if let parent = all["parent"] {
            let type = parent.hasSuffix(".self") ? String(parent.dropLast(5)) : "(\(parent))"
            all["parent"] = "\(type).entityName"
        }
        let key = properties.filter(\.options.isKey).map(\.name)
        // A key that the model finds by convention is not declared.
        if !key.isEmpty, key != ["id"] || all["parent"] != nil {
            all["primaryKey"] = key.swiftLiteral
        }
        let unique = properties.filter(\.options.isUnique).map { [$0.name].swiftLiteral }
        all.append(unique, to: "uniquenessConstraints")
        let indexes = properties.filter(\.options.isIndexed).map {
            #"TidemarkModel.FetchIndex("\#($0.name)", elements: [.init("\#($0.name)")])"#
        }
        all.append(indexes, to: "fetchIndexes")
        return all.inOrder(of: [
            "parent", "isAbstract", "primaryKey", "uniquenessConstraints", "fetchIndexes",
            "discriminator", "identity", "ignoredKeys", "renamingIdentifier", "userInfo",
        ])
    }
}

extension PropertyDeclaration {
    fileprivate var attribute: String {
        var all = options.arguments
        let ownType = kind == .document ? ".json" : "\(type).attributeType"
        let attributeType = all[""] ?? ownType
        if !isOptional { all["isOptional"] = "false" }
        // The initial value of a document is that of the record alone.
        if kind == .attribute, all["defaultValue"] == nil, isModelDefault, let initialValue {
            all["defaultValue"] = "(\(initialValue) as \(type)).attributeValue"
        }
        all["remoteKey"] = options.remoteKey
        let rest = all.inOrder(of: [
            "isOptional", "isTransient", "defaultValue", "validation", "remoteKey", "isExportable",
            "valueTransformer", "dateFormat", "encoding", "nullValues", "isAsset",
            "renamingIdentifier", "userInfo",
        ])
        return #"TidemarkModel.Attribute("\#(name)", \#(attributeType)\#(rest))"#
    }

    fileprivate var relationship: String {
        var all = options.arguments
        if isToMany { all["isToMany"] = "true" }
        all["remoteKey"] = options.remoteKey
        let rest = all.inOrder(of: [
            "isToMany", "isOrdered", "isOptional", "inverse", "deleteRule", "minimumCount",
            "maximumCount", "remoteKey", "referenceKeys", "nullValues", "orphans", "push",
            "isExportable", "renamingIdentifier", "userInfo",
        ])
        let destination = destination ?? ""
        return #"TidemarkModel.Relationship("\#(name)", to: \#(destination).entityName\#(rest))"#
    }
}

extension Arguments {
    /// Adds elements to an argument that is a list.
    fileprivate mutating func append(_ elements: [String], to label: String) {
        guard !elements.isEmpty else { return }
        let list = "[\(elements.joined(separator: ", "))]"
        self[label] = self[label].map { "\($0) + \(list)" } ?? list
    }
}

extension [String] {
    /// The texts as a Swift array literal.
    fileprivate var swiftLiteral: String {
        "[\(map { "\"\($0)\"" }.joined(separator: ", "))]"
    }
}

#endif
