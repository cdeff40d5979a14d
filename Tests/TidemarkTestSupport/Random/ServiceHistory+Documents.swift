import TidemarkModel

extension ServiceHistory {
    /// Returns the documents of the service at a time: a list of rows for each entity that is not
    /// abstract and has a key.
    ///
    /// Objects are complete: they contain all attributes, and at least one side of each
    /// relationship, which is the ordered one if there is one. Links are objects, keys or URLs, and
    /// names occur in any spelling. Nested objects contain all attributes, and the innermost ones
    /// no links.
    package func documents(at time: Int) -> [ImportSample.Step] {
        model.entities.filter { !$0.isAbstract && !model.primaryKey(of: $0).isEmpty }.map {
            ImportSample.Step(entity: $0.name, document: document(of: $0.name, at: time))
        }
    }

    /// Returns the list of an entity's rows at a time.
    package func document(of entity: String, at time: Int) -> JSONTree {
        let writer = DocumentWriter(self, time)
        let rows = times[time].rows.filter { $0.entity == entity }
        return .array(rows.map { writer.object($0, depth: 2) })
    }
}

/// Writes the rows of a service history as JSON.
private struct DocumentWriter {
    private let history: ServiceHistory
    private let time: Int
    private let mappings: Mappings

    init(_ history: ServiceHistory, _ time: Int) {
        self.history = history
        self.time = time
        mappings = Mappings.of(history.model)
    }

    private func chance(_ thing: String) -> Chance {
        Chance(seed: history.seed, for: thing)
    }

    func object(_ row: ServiceHistory.Row, depth: Int) -> JSONTree {
        guard let mapping = mappings[row.entity] else { return .null }
        var spelling = chance("spelling \(row) \(depth)")
        var values: [(path: String, value: JSONTree)] = []
        for (index, attribute) in mapping.attributes.enumerated() {
            let names = attribute.remoteKeys.filter {
                mapping.names[ByteExactString($0)]?.attribute == index
            }
            guard !names.isEmpty else { continue }
            let value =
                mapping.primaryKey.contains(index)
                ? RandomValue.key(attribute.attribute, row.number, &spelling)
                : value(attribute.attribute, of: row)
            values.append((spelling.pick(names), value))
        }
        for relationship in mapping.relationships
        where depth >= 0 && !isOmitted(relationship.relationship) {
            values += linkMembers(relationship, of: row, depth)
        }
        var members: [JSONTree.Member] = []
        for (path, value) in spelling.shuffled(values) {
            members = JSONTree.adding(value, at: path, to: members)
        }
        return .object(members)
    }

    /// Returns the value of an attribute, which is the same in every object of the row.
    private func value(_ attribute: Attribute, of row: ServiceHistory.Row) -> JSONTree {
        let tree = history.model.tree(of: row.entity)?.members ?? []
        let isUnique = tree.compactMap { history.model[$0] }.contains { entity in
            entity.uniquenessConstraints.contains { $0.contains(attribute.name) }
        }
        var chance = chance("value \(attribute.name) of \(row) at \(time)")
        if isUnique {
            return RandomValue.distinct(attribute.type, row.number * 3 + time)
        }
        if attribute.isOptional, chance.happens(15) { return .null }
        return RandomValue.valid(attribute, &chance)
    }

    /// Returns whether documents contain only the other side of a relationship.
    private func isOmitted(_ relationship: Relationship) -> Bool {
        guard let inverse = relationship.inverse, inverse != relationship.name else { return false }
        if relationship.destination == "Line" { return false }
        if history.model.entities.contains(where: {
            $0.name == "Line" && $0.relationships.contains { $0.name == relationship.name }
        }) {
            return true
        }
        guard !relationship.isOrdered else { return false }
        var chance = chance("sides of \(min(relationship.name, inverse))")
        return chance.happens(40) && chance.happens(50) == (relationship.name < inverse)
    }

    // MARK: Links

    /// Returns whether a list of objects would delete rows that the service still has.
    ///
    /// A row that is removed from such a list, even an empty one, is deleted, unless its own object
    /// has unlinked it before.
    private func mayDelete(_ relationship: Relationship) -> Bool {
        guard relationship.isToMany, relationship.orphans == .delete else { return false }
        let inverse = history.model[relationship.destination]?.relationships
            .first { $0.name == relationship.inverse }
        return inverse.map { !$0.isToMany && isOmitted($0) } ?? false
    }

    private func linkMembers(
        _ relationship: RelationshipMapping,
        of row: ServiceHistory.Row,
        _ depth: Int
    ) -> [(path: String, value: JSONTree)] {
        var chance = chance("\(relationship.name) of \(row) \(depth) at \(time)")
        let linked = history.linked(relationship.relationship, of: row, at: time)
        let mapping = mappings[relationship.relationship.destination]
        let key = (mapping?.primaryKey ?? []).compactMap { mapping?.attributes[$0].attribute }
        let isAbstract = history.model[relationship.relationship.destination]?.isAbstract == true
        let mayDelete = mayDelete(relationship.relationship)
        let isOfObjects =
            key.isEmpty || (depth > 0 && !isAbstract && chance.happens(40) && !mayDelete)
        let name = chance.pick(relationship.remoteKeys)
        if relationship.relationship.isToMany {
            guard !isOfObjects, key.count == 1 else {
                return [(name, .array(linked.map { object($0, depth: depth - 1) }))]
            }
            let list = linked.map { RandomValue.key(key[0], $0.number, &chance) }
            let names = relationship.referenceKeys[0] + (mayDelete ? [] : [name])
            return [(chance.pick(names), list.isEmpty && chance.happens(30) ? .null : .array(list))]
        }
        guard let other = linked.first else {
            return [(chance.happens(50) ? name : reference(relationship, 0, &chance), .null)]
        }
        if isOfObjects { return [(name, object(other, depth: depth - 1))] }
        if key.count == 1, chance.happens(30) {
            return [(name, RandomValue.key(key[0], other.number, &chance))]
        }
        return key.indices.map { part in
            (
                reference(relationship, part, &chance),
                RandomValue.key(key[part], other.number, &chance)
            )
        }
    }

    private func reference(
        _ relationship: RelationshipMapping,
        _ part: Int,
        _ chance: inout Chance
    ) -> String {
        relationship.referenceKeys.indices.contains(part)
            ? chance.pick(relationship.referenceKeys[part]) : relationship.remoteKeys[0]
    }
}
