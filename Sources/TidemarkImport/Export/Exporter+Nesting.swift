import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// Properties whose key paths lead into members that are objects.
extension Exporter {
    /// Returns which properties of an entity are within members of which the model does not map
    /// everything, so that an object has to be read before such a member is replaced.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - nesting: How the service changes such members. If it joins them, only those with lists
    ///     are such properties.
    /// - Returns: The names of the properties.
    /// - Throws: `StoreError` if the model lacks the entity.
    package func unmappedProperties(
        of entity: String,
        _ nesting: MemberNesting
    ) throws -> Set<String> {
        let names = try names(entity)
        let known = change?.names[entity]?.forms ?? [:]
        let nested = names.nestedProperties.filter { property in
            guard nesting == .replaced || property.isElement else { return false }
            let form = known[property.member]?.form
            return form != .members(areMapped: true) || property.isElement
                || names.hiddenMembers.contains(property.member)
        }
        // What the model lacks of an object without a key is not recorded.
        let parts = try names.relationships.filter { relationship in
            guard relationship.isPart, representation(of: relationship) == .objects else {
                return false
            }
            return try nesting == .replaced || hasList(relationship)
        }
        return Set(nested.map(\.name) + parts.map(\.relationship.name))
    }

    /// Returns whether a relationship is a list of objects, or they contain such a list: every
    /// service replaces lists.
    private func hasList(_ relationship: ExportNames.RelationshipName) throws -> Bool {
        var open = [relationship]
        var seen: Set<String> = []
        while let next = open.popLast() {
            if next.relationship.isToMany { return true }
            guard seen.insert(next.relationship.destination).inserted else { continue }
            open += try names(next.relationship.destination).relationships.filter(\.isPart)
        }
        return false
    }

    /// Returns the properties that are within the same members as others.
    ///
    /// - Parameters:
    ///   - properties: The others.
    ///   - entity: The entity.
    /// - Returns: The names, with those of the others.
    /// - Throws: `StoreError` if the model lacks the entity.
    package func withSiblings(
        _ properties: Set<String>,
        of entity: String
    ) throws -> Set<String> {
        let nested = try names(entity).nestedProperties
        guard !nested.isEmpty else { return properties }
        let members = Set(nested.filter { properties.contains($0.name) }.map(\.member))
        return properties.union(nested.filter { members.contains($0.member) }.map(\.name))
    }
}

extension ExportNames {
    /// A property that is within a member.
    struct NestedProperty {
        let name: String
        /// The outermost member.
        let member: String
        /// Whether the key path leads through the element of an array.
        let isElement: Bool

        init?(_ name: String, at path: String) {
            let steps = JSONPath(path).names
            guard steps.count > 1 else { return nil }
            self.name = name
            member = JSONPath.text(of: steps[0])
            isElement = steps.dropFirst().contains { Int($0) != nil }
        }
    }

    /// Returns the properties that are within members.
    static func nestedProperties(
        of attributes: [AttributeName],
        and relationships: [RelationshipName]
    ) -> [NestedProperty] {
        let attributes = attributes.compactMap { NestedProperty($0.attribute.name, at: $0.key) }
        let links = relationships.flatMap { relationship in
            (relationship.references ?? relationship.key.map { [$0] } ?? []).compactMap {
                NestedProperty(relationship.relationship.name, at: $0)
            }
        }
        return attributes + links
    }

    /// The members within which the model has properties that are not exported.
    var hiddenMembers: Set<String> {
        let paths =
            mapping.attributes.filter { !$0.attribute.json.isExportable }.map(\.exportKeys.snake)
            + mapping.relationships.filter { !$0.relationship.json.isExportable }
            .map(\.exportKeys.snake)
        return Set(paths.compactMap { NestedProperty("", at: $0)?.member })
    }
}
