import TidemarkModel

extension EntitySource {
    /// Returns a struct with its conformance to `EntityRecord`.
    ///
    /// It is nonisolated: a store reads and writes on threads of its own, and the default isolation
    /// of an app's module may be the main actor.
    func writtenOut(_ entity: EntityDescription, properties: [PropertySource]) -> String {
        let type = types[entity.name]
        let id = properties.first { $0.name == "id" }
        let isIdentifiable = id.map { !$0.isOptional && $0.isAttribute } ?? true
        let protocols = "EntityRecord, Hashable" + (isIdentifiable ? ", Identifiable" : "")
        let parts = [
            stored(properties, of: type),
            id == nil ? "    \(access.modifier)var id: RowID<\(type)> { rowID }" : nil,
            description(of: entity, properties: properties),
            expressions(for: properties, of: type),
            initializer(properties),
            decoder(properties),
            encoder(properties),
        ]
        return """
            \(access.modifier)nonisolated struct \(type): \(protocols) {
            \(parts.compactMap(\.self).joined(separator: "\n\n"))
            }
            """
    }

    private func stored(_ properties: [PropertySource], of type: String) -> String {
        let lines = properties.map { "var \($0.identifier): \($0.declaredType)" }
        return (["var rowID = RowID<\(type)>.unsaved"] + lines)
            .map { "    \(access.modifier)\($0)" }.joined(separator: "\n")
    }

    private func description(
        of entity: EntityDescription,
        properties: [PropertySource]
    ) -> String {
        var arguments = [SwiftArgument(nil, "entityName")]
        if let parent = entity.parent {
            arguments.append(SwiftArgument("parent", "\(types[parent]).entityName"))
        }
        let start = "\(access.modifier)static let entity = EntityDescription"
        let call = SwiftText.call(
            start,
            arguments + entity.modelArguments,
            indent: 4,
            following: 2
        )
        let lines = properties.map { property in
            let first = SwiftArgument(nil, SwiftText.literal(property.name))
            let kind: String
            let second: SwiftArgument
            switch property.kind {
            case .attribute(let attribute):
                kind = "Attribute"
                second = SwiftArgument(nil, ".\(attribute.type.rawValue)")
            case .relationship:
                kind = "Relationship"
                second = SwiftArgument("to", "\(property.destination).entityName")
            }
            return SwiftText.call(kind, [first, second] + property.modelArguments, indent: 8)
        }
        return """
                \(access.modifier)static let entityName = \(SwiftText.literal(entity.name))
                \(call) {
            \(lines.map { "        \($0)" }.joined(separator: "\n"))
                }
            """
    }

    private func expressions(for properties: [PropertySource], of type: String) -> String {
        // No attribute has a name that begins with “_”.
        let path = properties.contains { $0.name == "path" } ? "_path" : "path"
        let assignment = path == "path" ? "self.path = path" : "_path = path"
        let lines = properties.compactMap { $0.expression(of: type, path: path) }
        let start = [
            "typealias Record = \(type)",
            "init(_ path: PropertyPath) { \(assignment) }",
            "var rowID: RowExpression<\(type)> { RowExpression(\(path)) }",
        ]
        return """
                \(access.modifier)struct Properties: EntityProperties {
                    private let \(path): PropertyPath
            \((start + lines).map { "        \(access.modifier)\($0)" }.joined(separator: "\n"))
                }
            """
    }

    private func initializer(_ properties: [PropertySource]) -> String {
        let parameters = properties.map { property in
            let value = property.parameterDefault.map { " = \($0)" } ?? ""
            return SwiftArgument(property.identifier, "\(property.declaredType)\(value)")
        }
        let lines = properties.map { "        self.\($0.identifier) = \($0.identifier)" }
        let start = "\(access.modifier)init"
        return """
                \(SwiftText.call(start, parameters, indent: 4, following: 2)) {
            \(lines.joined(separator: "\n"))
                }
            """
    }

    // With `self`, because a property may have the name of the parameter.
    private func decoder(_ properties: [PropertySource]) -> String {
        let columns = properties.columns.enumerated().map { index, property in
            "        self.\(property.identifier) = \(property.read(at: index))"
        }
        let others = properties.filter { !$0.isColumn }.map { property in
            "        self.\(property.identifier) = \(property.parameterDefault ?? "nil")"
        }
        return """
                \(access.modifier)init(from row: EntityRow) throws {
            \((columns + others).joined(separator: "\n"))
                }
            """
    }

    private func encoder(_ properties: [PropertySource]) -> String {
        let lines = properties.columns.map {
            "        row.set(\(SwiftText.literal($0.name)), self.\($0.identifier))"
        }
        return """
                \(access.modifier)func encode(to row: inout EncodedRow) throws {
            \(lines.joined(separator: "\n"))
                }
            """
    }
}

extension [PropertySource] {
    /// The properties that a row contains: attributes, then to-one relationships.
    fileprivate var columns: [PropertySource] {
        filter { $0.isColumn && $0.isAttribute } + filter { $0.isColumn && !$0.isAttribute }
    }
}

extension PropertySource {
    fileprivate var isAttribute: Bool {
        if case .attribute = kind { true } else { false }
    }

    /// The declaration of the expression for the property; nil for one in no row.
    fileprivate func expression(of record: String, path: String) -> String? {
        let name = SwiftText.literal(name)
        switch kind {
        case .attribute(let attribute):
            guard !attribute.isTransient else { return nil }
            return "var \(identifier): AttributeExpression<\(type)> { \(path).attribute(\(name)) }"
        case .relationship(let isToMany):
            let expression = isToMany ? "ToManyExpression" : "ToOneExpression"
            let call = "\(path).\(isToMany ? "many" : "one")(\(name), \\.\(identifier))"
            let line = "var \(identifier): \(expression)<\(record), \(destination)>"
            return line.count + call.count + 20 < SwiftText.width
                ? "\(line) { \(call) }" : "\(line) {\n            \(call)\n        }"
        }
    }

    /// The expression that reads the property from its column.
    fileprivate func read(at index: Int) -> String {
        let name = SwiftText.literal(name)
        guard isAttribute else { return "row.one(\(index), \(name))" }
        if isOptional { return "row[\(index), \(name)]" }
        guard let initialValue else { return "try row[\(index), \(name)]" }
        return "row[\(index), \(name), default: \(initialValue)]"
    }
}

extension EntityDescription {
    /// The arguments of the initializer after the name and the parent, without those that have
    /// their default.
    var modelArguments: [SwiftArgument] {
        var arguments: [SwiftArgument] = []
        func add(_ label: String, _ expression: String?) {
            if let expression { arguments.append(SwiftArgument(label, expression)) }
        }
        add("isAbstract", isAbstract ? "true" : nil)
        add("primaryKey", primaryKey.isEmpty ? nil : SwiftText.literal(primaryKey))
        func add(_ label: String, list elements: [String]) {
            if !elements.isEmpty { arguments.append(SwiftArgument(label, list: elements)) }
        }
        add("uniquenessConstraints", list: uniquenessConstraints.map { SwiftText.literal($0) })
        add("fetchIndexes", list: fetchIndexes.map(\.swiftText))
        add("discriminator", json.discriminator.map { SwiftText.literal($0) })
        add("identity", identity.map { ".\($0.rawValue)" })
        add("ignoredKeys", json.ignoredKeys.isEmpty ? nil : SwiftText.literal(json.ignoredKeys))
        add("renamingIdentifier", renamingIdentifier.map { SwiftText.literal($0) })
        add("userInfo", userInfo.isEmpty ? nil : SwiftText.literal(userInfo))
        return arguments
    }
}

extension FetchIndex {
    fileprivate var swiftText: String {
        let elements = elements.map { element in
            let order = element.isAscending ? "" : ", isAscending: false"
            return ".init(\(SwiftText.literal(element.property))\(order))"
        }
        let name = SwiftText.literal(name)
        return "FetchIndex(\(name), elements: [\(elements.joined(separator: ", "))])"
    }
}
