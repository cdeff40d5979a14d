import TidemarkJSON

extension ModelCheck {
    /// Reports attributes whose settings are invalid or have no effect.
    mutating func checkAttributes(_ entity: EntityDescription) {
        for attribute in entity.attributes {
            let path = "\(entity.name).\(attribute.name)"
            check(remoteKey: attribute.json.remoteKey, at: path)
            checkValidation(attribute, at: path)
            if !attribute.isTransient { checkConversion(attribute, at: path) }
            if attribute.type == .transformable, attribute.json.valueTransformer == nil,
                !attribute.isTransient
            {
                warning(
                    "It is transformable, but names no transformer, so it is never filled.",
                    at: path,
                    hint: "Name a valueTransformer, or make it json."
                )
            }
            if attribute.json.encoding != .json, attribute.type != .binary {
                warning(
                    "Its encoding “\(attribute.json.encoding.rawValue)” has no effect.",
                    at: path,
                    hint: "Only binary attributes have one."
                )
            }
            if attribute.json.dateFormat != nil, attribute.type != .date {
                warning("Its date format has no effect.", at: path, hint: "Only dates have one.")
            }
            if attribute.json.isAsset, attribute.type != .uri {
                warning("Its “asset” has no effect.", at: path, hint: "Only a uri can be one.")
            }
            check(annotations: attribute.userInfo, at: path)
        }
    }

    /// Reports annotations that have no effect.
    ///
    /// Only a Core Data model interprets annotations, and those that it cannot interpret remain in
    /// the user info.
    mutating func check(annotations: [String: String], at path: String) {
        let ignored = annotations.keys.filter { AnnotationKey.word(of: $0) != nil }.sorted()
        for key in ignored {
            let word = AnnotationKey.word(of: key) ?? key
            let isFlag = ["isPrimaryKey", "nonExportable", "asset"].contains(word)
            warning(
                "The annotation “\(key)” is ignored.",
                at: path,
                hint: (isFlag ? "In a Core Data model its value is YES or NO. " : "")
                    + (word == "isPrimaryKey"
                        ? "Elsewhere name the attribute under “primaryKey:” of its entity."
                        : "Elsewhere write “\(word):” itself, not under userInfo.")
            )
        }
    }

    /// Reports an invalid date format, and a default value that does not convert.
    private mutating func checkConversion(_ attribute: Attribute, at path: String) {
        do throws(ModelError) {
            if let format = attribute.json.dateFormat { _ = try DateFormat(format) }
        } catch {
            return self.error(error.message, at: path, hint: error.hint)
        }
        do throws(ModelError) {
            _ = try Coercion(attribute)
        } catch {
            let hint = DefaultValue.hint(for: attribute.type)
            self.error(error.message, at: path, hint: error.hint ?? hint)
        }
    }

    private mutating func checkValidation(_ attribute: Attribute, at path: String) {
        let validation = attribute.validation
        if let least = validation.minimum, let most = validation.maximum, least > most {
            error(
                "Nothing is at least \(least) and at most \(most).",
                at: path,
                hint: "Exchange the bounds."
            )
        }
        if validation.pattern != nil, attribute.type != .string {
            warning(
                "Its regular expression has no effect.",
                at: path,
                hint: "Only strings have one."
            )
        }
        do throws(ModelError) {
            if let rule = try ValueRule(attribute),
                let value = try Coercion(attribute).defaultValue,
                let violation = rule.violation(value)
            {
                warning(
                    "Its default breaks its own rule: \(violation)",
                    at: path,
                    hint: "A row without another value is rejected; change one of them."
                )
            }
        } catch {
            self.error(error.message, at: path, hint: "Write it in another way, or leave it out.")
        }
    }

    /// Reports key paths with empty names, or with quotation marks that are not closed.
    mutating func check(remoteKey: String?, at path: String) {
        guard let remoteKey else { return }
        let names = JSONPath(remoteKey).names
        if names.isEmpty || names.contains("") {
            error(
                "Its remoteKey “\(remoteKey)” has an empty part.",
                at: path,
                hint: "Write names with single dots between them."
            )
        } else if names.contains(where: { $0.hasPrefix("\"") }), !remoteKey.contains("\"\"\"") {
            error(
                "Its remoteKey “\(remoteKey)” has a quotation mark that is not closed.",
                at: path,
                hint: "Write a name with dots as \"@odata.etag\", with the quotation marks."
            )
        }
    }

    /// Reports an invalid primary key.
    mutating func checkKey(_ entity: EntityDescription) {
        let key = model.primaryKey(of: entity)
        if key.isEmpty, !entity.isAbstract, !isOwned(entity) {
            warning(
                "It has no primary key, so its objects cannot be imported or pulled as a list of "
                    + "their own, only as the children of a row.",
                at: entity.name,
                hint: "Declare one: \(Model.primaryKeyHint)."
            )
        }
        let attributes = model.attributes(of: entity)
        if Set(entity.primaryKey).count < entity.primaryKey.count {
            error("Its primary key names a property twice.", at: entity.name, hint: "Name it once.")
        }
        for name in entity.primaryKey where !attributes.contains(where: { $0.name == name }) {
            checkKeyRelationship(name, of: entity)
        }
        // An inherited key is checked once, for the entity that declares it.
        guard
            !entity.primaryKey.isEmpty
                || entity.attributes.contains(where: { key.contains($0.name) })
        else { return }
        for attribute in attributes where key.contains(attribute.name) {
            checkKeyPart(attribute, at: "\(entity.name).\(attribute.name)")
        }
    }

    /// Reports a part of a primary key that is neither an attribute nor a relationship to a parent.
    private mutating func checkKeyRelationship(_ name: String, of entity: EntityDescription) {
        let title = "Its primary key “\(name)”"
        guard let relationship = model.relationship(name, of: entity) else {
            return error(
                "\(title) is neither an attribute nor a relationship of it.",
                at: entity.name,
                hint: "Declare it, or name another property."
            )
        }
        guard !relationship.isToMany else {
            return error(
                "\(title) leads to many objects.",
                at: entity.name,
                hint: "Name attributes and to-one relationships only."
            )
        }
        guard let parent = model[relationship.destination] else { return }
        let back = relationship.inverse.flatMap { model.relationship($0, of: parent) }
        if back?.isToMany != true {
            error(
                "\(title) has no to-many inverse.",
                at: entity.name,
                hint: "Declare one on “\(parent.name)”, such as the list of its children."
            )
        }
        if entity.primaryKey.count == 1 {
            error(
                "\(title) does not tell the children of one parent apart.",
                at: entity.name,
                hint: "Name an attribute that does too."
            )
        }
        if model.primaryKey(of: parent).isEmpty {
            error(
                "\(title) leads to “\(parent.name)”, which has no primary key.",
                at: entity.name,
                hint: "Give “\(parent.name)” a primary key."
            )
        } else if model.keyParts(of: entity).isEmpty, leadsBack(from: parent, to: entity) {
            error(
                "\(title) leads back to the entity itself.",
                at: entity.name,
                hint: "No key can contain itself: name another property."
            )
        }
    }

    /// Returns whether the primary key of an entity contains that of another, through any number of
    /// relationships.
    private func leadsBack(from parent: EntityDescription, to entity: EntityDescription) -> Bool {
        var open = [parent]
        var visited: Set<String> = []
        while let next = open.popLast() {
            if next.name == entity.name { return true }
            guard visited.insert(next.name).inserted else { continue }
            open += model.primaryKey(of: next).compactMap { name in
                guard model.isKeyPart(name, of: next) else { return nil }
                return model.relationship(name, of: next).flatMap { model[$0.destination] }
            }
        }
        return false
    }

    /// Returns whether the entity's objects are deleted with those of another entity that lists
    /// them.
    ///
    /// Such objects need no key.
    private func isOwned(_ entity: EntityDescription) -> Bool {
        incoming[entity.name, default: []].contains { owner, relationship in
            relationship.isToMany && relationship.deleteRule == .cascade && owner != entity.name
        }
    }

    private mutating func checkKeyPart(_ attribute: Attribute, at path: String) {
        if attribute.isTransient {
            error(
                "It is the key, but transient.",
                at: path,
                hint: "Store it, or choose another key."
            )
        }
        switch attribute.type {
        case .integer16, .integer32, .integer64, .decimal, .string, .date, .uuid, .uri: break
        case .double, .float, .boolean:
            warning(
                "It is a key of type \(attribute.type.rawValue), which identifies rows poorly.",
                at: path,
                hint: "Make it an integer, a decimal or a string."
            )
        case .binary, .transformable, .json:
            error(
                "It is the key, but no \(attribute.type.rawValue) can be one.",
                at: path,
                hint: "Make it an integer, a string or a UUID."
            )
        }
    }

    /// Reports a tree whose members have different keys.
    mutating func checkTreeKey(_ tree: EntityTree) {
        let members = tree.members.compactMap { model[$0] }
        guard let first = members.first(where: { !model.primaryKey(of: $0).isEmpty }) else {
            return
        }
        let key = model.primaryKey(of: first)
        for member in members {
            let other = model.primaryKey(of: member)
            guard !other.isEmpty, other != key else { continue }
            error(
                "Its key is “\(other.joined(separator: ", "))”, but “\(first.name)”, "
                    + "in the same table, has “\(key.joined(separator: ", "))”.",
                at: member.name,
                hint: "Declare one primaryKey on “\(tree.root)”."
            )
        }
    }

    /// Reports constraints and indexes on names that are not columns.
    mutating func checkConstraints(_ entity: EntityDescription) {
        for names in entity.uniquenessConstraints {
            if names.isEmpty {
                error("A uniqueness constraint is empty.", at: entity.name, hint: "Remove it.")
            }
            for name in names { checkColumn(name, of: entity, in: "A uniqueness constraint") }
        }
        var seen: Set<String> = []
        for index in entity.fetchIndexes {
            let title = "The index “\(index.name)”"
            // SQLite compares the names of indexes without regard to case.
            if !seen.insert(index.name.lowercased()).inserted {
                error("\(title) is declared twice.", at: entity.name, hint: "Rename one.")
            }
            if index.elements.isEmpty {
                error("\(title) is empty.", at: entity.name, hint: "Remove it.")
            }
            let names = index.elements.map(\.property)
            guard let name = names.first(where: { hasNoColumn($0, of: entity) }) else {
                for name in names { checkColumn(name, of: entity, in: title) }
                continue
            }
            warning(
                "\(title) names “\(name)”, which is not a column: the index is left out.",
                at: entity.name,
                hint: "Name attributes that are stored, and to-one relationships."
            )
        }
    }

    /// Whether a property is one that the table of its entity does not have.
    private func hasNoColumn(_ name: String, of entity: EntityDescription) -> Bool {
        model.relationships(of: entity).contains { $0.name == name && $0.isToMany }
            || model.attributes(of: entity).contains { $0.name == name && $0.isTransient }
    }

    private mutating func checkColumn(
        _ name: String,
        of entity: EntityDescription,
        in title: String
    ) {
        let attribute = model.attributes(of: entity).first { $0.name == name }
        let relationship = model.relationships(of: entity).first { $0.name == name }
        if attribute?.isTransient == true {
            error(
                "\(title) names “\(name)”, which is transient.",
                at: entity.name,
                hint: "Store it."
            )
        } else if relationship?.isToMany == true {
            error(
                "\(title) names “\(name)”, which leads to many objects.",
                at: entity.name,
                hint: "Name attributes and to-one relationships only."
            )
        } else if attribute == nil, relationship == nil {
            error(
                "\(title) names “\(name)”, which is not a property of the entity.",
                at: entity.name,
                hint: "Correct the name."
            )
        }
    }
}
