import TidemarkModel

extension EntitySource {
    /// Returns a struct with `@Entity`.
    func withMacros(_ entity: EntityDescription, properties: [PropertySource]) -> String {
        let type = types[entity.name]
        let marks = Marks(of: entity, properties: properties)
        var arguments = entity.modelArguments.filter { !marks.covered.contains($0.label ?? "") }
        if let parent = entity.parent {
            arguments.insert(SwiftArgument("parent", "\(types[parent]).self"), at: 0)
        }
        if type != entity.name {
            arguments.insert(SwiftArgument(nil, SwiftText.literal(entity.name)), at: 0)
        }
        let macro =
            arguments.isEmpty ? "@Entity" : SwiftText.call("@Entity", arguments, indent: 0)
        let declaration = "\(access.modifier)struct \(type): Hashable {"
        let fitsOneLine = !macro.contains("\n") && macro.count + declaration.count < SwiftText.width
        let lines = properties.map { property in
            var macros = marks.macros(of: property)
            if let key = property.argument("remoteKey") {
                macros.append("@RemoteKey(\(key))")
            }
            return member(property, macros: macros)
        }
        return """
            \(macro)\(fitsOneLine ? " " : "\n")\(declaration)
            \(lines.joined(separator: "\n"))
            }
            """
    }

    /// Returns the declaration of a property, with its macros on a line of their own if it is long.
    private func member(_ property: PropertySource, macros: [String]) -> String {
        let value = property.initialValue.map { " = \($0)" } ?? ""
        let declaration =
            "\(access.modifier)var \(property.identifier): \(property.declaredType)\(value)"
        var macros = macros
        if let call = property.macroCall { macros.append(call) }
        let line = "    \((macros + [declaration]).joined(separator: " "))"
        guard line.count > SwiftText.width || line.contains("\n") else { return line }
        return (macros + [declaration]).map { "    \($0)" }.joined(separator: "\n")
    }
}

/// The arguments of an entity that macros at its properties replace.
private struct Marks {
    /// The labels of the arguments that the macros replace.
    private(set) var covered: Set<String> = []

    private var macros: [String: [String]] = [:]

    init(of entity: EntityDescription, properties: [PropertySource]) {
        let order = properties.map(\.name)
        // A macro marks the properties in the order of the struct.
        func mark(_ names: [String], with macro: String, instead label: String) {
            guard !names.isEmpty, names == order.filter(names.contains) else { return }
            covered.insert(label)
            for name in names { macros[name, default: []].append(macro) }
        }
        if entity.primaryKey != ["id"] || entity.parent != nil {
            mark(entity.primaryKey, with: "@PrimaryKey", instead: "primaryKey")
        }
        if let id = entity.attributes.first(where: { $0.name == "id" }), id.isOptional,
            entity.primaryKey.isEmpty, entity.parent == nil
        {
            // The key by convention: the macro says that it is meant to have this name.
            macros["id"] = ["@PrimaryKey"]
        }
        let constraints = entity.uniquenessConstraints
        if constraints.allSatisfy({ $0.count == 1 }) {
            mark(constraints.flatMap(\.self), with: "@Unique", instead: "uniquenessConstraints")
        }
        let indexes = entity.fetchIndexes
        if indexes.allSatisfy({ $0.elements == [FetchIndex.Element($0.name)] }) {
            mark(indexes.map(\.name), with: "@Indexed", instead: "fetchIndexes")
        }
    }

    func macros(of property: PropertySource) -> [String] { macros[property.name] ?? [] }
}

extension PropertySource {
    fileprivate func argument(_ label: String) -> String? {
        modelArguments.first { $0.label == label }?.expression
    }

    /// `@Attribute` or `@Relationship` with the arguments that nothing else implies; nil without
    /// any.
    fileprivate var macroCall: String? {
        var implied: Set = ["isOptional", "remoteKey"]
        let macro: String
        var arguments = modelArguments
        switch kind {
        case .attribute(let attribute):
            macro = "@Attribute"
            if attribute.isDefaultImplied { implied.insert("defaultValue") }
            if attribute.defaultValue == nil, initialValue != nil {
                let flag = arguments.firstIndex { $0.label == "isTransient" }
                arguments.insert(
                    SwiftArgument("defaultValue", "nil"),
                    at: flag.map { $0 + 1 } ?? 0
                )
            }
        case .relationship:
            macro = "@Relationship"
            implied = ["isToMany", "remoteKey"]
        }
        arguments.removeAll { implied.contains($0.label ?? "") }
        return arguments.isEmpty ? nil : SwiftText.call(macro, arguments, indent: 4)
    }
}

extension Attribute {
    /// Whether the macro derives the default from the initial value, which is a literal of it.
    fileprivate var isDefaultImplied: Bool {
        switch defaultValue {
        case .integer, .boolean, .string, .json: true
        // The nearest `Float` may be another number.
        case .double(let number): type == .double && number.isFinite
        case .decimal, .date, .uuid, .uri, .binary, .null, nil: false
        }
    }
}
