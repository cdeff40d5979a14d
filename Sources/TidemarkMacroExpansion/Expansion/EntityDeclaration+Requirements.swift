#if Macros

extension EntityDeclaration {
    /// The properties as requests refer to them.
    var expressions: String {
        let members = properties.compactMap { property in
            property.expression(of: type).map { "    \(property.access(in: self))var \($0)" }
        }
        // No attribute has a name that begins with “_”.
        return """
            \(access)nonisolated struct Properties: TidemarkStore.EntityProperties {
                \(access)typealias Record = \(type)
                private let _path: TidemarkStore.PropertyPath
                \(access)init(_ path: TidemarkStore.PropertyPath) { _path = path }
                \(access)var rowID: TidemarkStore.RowExpression<\(type)> { .init(_path) }
            \(members.joined(separator: "\n"))
            }
            """
    }

    /// Refers to the inverses, so that the compiler reports a misspelled one.
    var inverseCheck: String? {
        let references = relationships.compactMap { property -> String? in
            guard let inverse = property.options.arguments["inverse"], inverse != "nil",
                let destination = property.destination
            else { return nil }
            let name = inverse.dropFirst().dropLast()
            return "    _ = \\\(destination).Properties.\(name)"
        }
        guard !references.isEmpty else { return nil }
        return """
            private nonisolated static func checkInverses() {
            \(references.joined(separator: "\n"))
            }
            """
    }

    // With `self`, because a property may have the name of the parameter.
    var decoder: String {
        let columns = columns.enumerated().map { index, property in
            "    self.\(property.identifier) = \(property.read(at: index))"
        }
        let lists = relationships.filter(\.isToMany).map {
            "    self.\($0.identifier) = .unloaded"
        }
        return """
            \(access)nonisolated init(from row: TidemarkStore.EntityRow) throws {
            \((columns + lists).joined(separator: "\n"))
            }
            """
    }

    var encoder: String {
        let columns = columns.map { "    \($0.write)" }
        return """
            \(access)nonisolated func encode(to row: inout TidemarkStore.EncodedRow) throws {
            \(columns.joined(separator: "\n"))
            }
            """
    }
}

extension PropertyDeclaration {
    /// The declaration of the expression for the property, after `var`; nil for one in no row.
    fileprivate func expression(of record: String) -> String? {
        let start = "\(identifier): TidemarkStore."
        switch kind {
        case .transient: return nil
        case .attribute:
            guard !isTransientAttribute else { return nil }
            return #"\#(start)AttributeExpression<\#(type)> { _path.attribute("\#(name)") }"#
        case .document: return #"\#(start)DocumentExpression { _path.document("\#(name)") }"#
        case .one(let destination):
            return #"\#(start)ToOneExpression<\#(record), \#(destination)> "#
                + #"{ _path.one("\#(name)", \.\#(identifier)) }"#
        case .many(let destination):
            return #"\#(start)ToManyExpression<\#(record), \#(destination)> "#
                + #"{ _path.many("\#(name)", \.\#(identifier)) }"#
        }
    }

    /// The access level of the expression: a property of a public struct may be less accessible.
    fileprivate func access(in entity: EntityDeclaration) -> String {
        let levels = ["fileprivate ", "", "package ", "public "]
        let index = { (level: String) in levels.firstIndex(of: level) ?? 1 }
        return index(access) < index(entity.access) ? access : entity.access
    }

    /// The expression that reads the property from its column.
    fileprivate func read(at index: Int) -> String {
        switch kind {
        case .one: return #"row.one(\#(index), "\#(name)")"#
        case .document:
            if isOptional { return #"row.document(\#(index), "\#(name)")"# }
            guard let initialValue else {
                return #"try row.document(required: \#(index), "\#(name)")"#
            }
            return #"row.document(\#(index), "\#(name)") ?? \#(initialValue)"#
        case .attribute, .many, .transient:
            if isOptional { return #"row[\#(index), "\#(name)"]"# }
            guard let initialValue else { return #"try row[\#(index), "\#(name)"]"# }
            return #"row[\#(index), "\#(name)", default: \#(initialValue)]"#
        }
    }

    /// The statement that writes the property to its column.
    fileprivate var write: String {
        kind == .document
            ? #"try row.set("\#(name)", document: self.\#(identifier))"#
            : #"row.set("\#(name)", self.\#(identifier))"#
    }
}

#endif
