extension ModelCheck {
    /// The maximum number of characters of a name.
    private static let nameLimit = 100

    /// Reports entity names that are invalid or that SQLite does not distinguish.
    mutating func checkEntityNames() {
        if model.entities.isEmpty {
            error("There are no entities.", at: "model", hint: "Declare at least one.")
        }
        for entity in model.entities { checkName(entity.name, at: entity.name, isEntity: true) }
        for (first, second) in clashes(model.entities.map(\.name)) {
            let problem =
                first == second ? "is declared twice" : "differs from “\(first)” only by case"
            error("The entity \(problem).", at: second, hint: "Rename one of them.")
        }
    }

    /// Reports property names of one entity that are invalid or declared twice.
    mutating func checkPropertyNames(_ entity: EntityDescription) {
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        for name in names { checkName(name, at: "\(entity.name).\(name)", isEntity: false) }
        for (first, second) in clashes(names) where first == second {
            error(
                "Two properties have this name.",
                at: "\(entity.name).\(second)",
                hint: "Rename one, and give it a remoteKey."
            )
        }
    }

    /// Reports properties of one tree whose names differ only by case, or that share a column for
    /// different kinds of value.
    mutating func check(_ tree: EntityTree) {
        var seen: [String: (entity: EntityDescription, name: String)] = [:]
        for entity in tree.members.compactMap({ model[$0] }) {
            // Inherited names are checked where they are declared, unless that is outside the tree.
            let isTop = entity.name == tree.root
            let attributes = isTop ? model.attributes(of: entity) : entity.attributes
            let relationships = isTop ? model.relationships(of: entity) : entity.relationships
            for name in attributes.map(\.name) + relationships.map(\.name) {
                let known = seen[name.lowercased()]
                if let known, known.name != name {
                    error(
                        "The name differs from “\(known.entity.name).\(known.name)” only by case.",
                        at: "\(entity.name).\(name)",
                        hint: "Rename one, and give it “\(name)” as remoteKey."
                    )
                }
                if known == nil { seen[name.lowercased()] = (entity, name) }
            }
        }
        checkSharedColumns(tree)
        checkTreeKey(tree)
    }

    /// Returns the pairs of names that are equal in SQLite, where identifiers are not
    /// case-sensitive.
    private func clashes(_ names: [String]) -> [(first: String, second: String)] {
        var seen: [String: String] = [:]
        return names.compactMap { name in
            guard let first = seen[name.lowercased()] else {
                seen[name.lowercased()] = name
                return nil
            }
            return (first, name)
        }
    }

    private mutating func checkName(_ name: String, at path: String, isEntity: Bool) {
        guard let problem = Self.problem(with: name) else { return }
        let proposal = Self.proposal(for: name, isEntity: isEntity)
        let hint =
            isEntity
            ? "Rename it, to “\(proposal)” say."
            : "Rename it, to “\(proposal)” say, and give it “\(name)” as remoteKey."
        error("The name \(problem).", at: path, hint: hint)
    }

    private static func problem(with name: String) -> String? {
        if name.isEmpty { return "is empty" }
        if name.utf8.count > nameLimit { return "has more than \(nameLimit) characters" }
        if name.hasPrefix("_") { return "begins with “_”, which the store keeps for itself" }
        if name.lowercased().hasPrefix("sqlite_") {
            return "begins with “sqlite_”, which SQLite keeps for itself"
        }
        let isLetter = name.utf8.first.map(isLetter) ?? false
        guard !isLetter || !name.utf8.allSatisfy(isNameByte) else { return nil }
        return "is not made of a letter and then letters, digits and “_”"
    }

    /// Returns a valid name that resembles the given one.
    package static func proposal(for name: String, isEntity: Bool) -> String {
        let stripped = name.lowercased().hasPrefix("sqlite_") ? String(name.dropFirst(7)) : name
        let words = stripped.utf8.split { !isNameByte($0) }.map {
            String(decoding: $0, as: UTF8.self)
        }
        var joined = words.dropFirst().reduce(words.first ?? "") {
            $0 + $1.prefix(1).uppercased() + $1.dropFirst()
        }
        joined = String(joined.drop { $0 == "_" }.prefix(nameLimit - 10))
        if joined.isEmpty { return isEntity ? "Thing" : "value" }
        guard joined.utf8.first.map(isLetter) == true else {
            return (isEntity ? "Thing" : "value") + joined
        }
        return isEntity ? joined.prefix(1).uppercased() + joined.dropFirst() : joined
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        NamingWords.isUpper(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || NamingWords.isDigit(byte) || byte == UInt8(ascii: "_")
    }
}
