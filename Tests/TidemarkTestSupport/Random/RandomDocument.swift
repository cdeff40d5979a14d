package import TidemarkModel

/// Generates documents for a model with anything that a service might send: names in all spellings,
/// nested objects, references, nulls, values of the wrong type, duplicate and missing keys.
package struct RandomDocument {
    private let model: Model
    private let mappings: Mappings
    private var chance: Chance

    /// Whether documents do not contradict themselves.
    ///
    /// A consistent document does not contain two objects of one row, contains only one side of a
    /// relationship and its inverse, and does not refer to rows that it deletes.
    private let isConsistent: Bool

    /// The key numbers in use, prefixed with the tree for objects of the document, and with the
    /// relationship for objects that can be linked only once.
    private var used: Set<String> = []

    /// The number of different keys of an entity's objects.
    private let keyCount = 5

    /// The entity of the document, the root of its tree, and the key numbers of the items.
    private var items: (entity: String, tree: String, numbers: [Int]) = ("", "", [])

    /// The number of a key that no object has.
    private let unusedNumber = 9

    package init(_ model: Model, _ chance: Chance, isConsistent: Bool = false) {
        self.model = model
        self.chance = chance
        self.isConsistent = isConsistent
        mappings = Mappings.of(model)
    }

    /// Returns a list of objects of an entity.
    package mutating func list(of entity: String) -> JSONTree {
        used = []
        let count = chance.pick([0, 1, 2, 3, 4, 5, 6])
        let numbers = Array(chance.shuffled(Array(1...8)).prefix(count))
        let tree = model.tree(of: entity)?.root ?? ""
        items = (entity, tree, numbers)
        guard isConsistent else { return .array((0..<count).map { _ in item(entity) }) }
        for number in numbers { used.insert("\(tree) \(number)") }
        return .array(numbers.map { object(entity, depth: 2, number: $0) })
    }

    private mutating func item(_ entity: String) -> JSONTree {
        chance.happens(3) ? nonObject() : object(entity, depth: 2)
    }

    private mutating func nonObject() -> JSONTree {
        chance.pick([.null, .number("3"), .string("x"), .array([]), .object([])])
    }

    private mutating func object(
        _ entity: String,
        depth: Int,
        in list: String? = nil,
        number: Int? = nil
    ) -> JSONTree {
        guard let mapping = mappings[entity] else { return .null }
        var values: [(path: String, value: JSONTree)] = []
        addKey(mapping, in: list, number, to: &values)
        for (index, attribute) in mapping.attributes.enumerated()
        where !mapping.primaryKey.contains(index) && chance.happens(60) {
            values.append((name(of: attribute, at: index, mapping), value(attribute.attribute)))
            if chance.happens(5) {
                values.append((name(of: attribute, at: index, mapping), value(attribute.attribute)))
            }
        }
        for relationship in mapping.relationships
        where chance.happens(50) && isIncluded(relationship.relationship) {
            add(relationship, depth, to: &values)
        }
        if chance.happens(8) { values.append(("unheardOf", RandomValue.any(&chance))) }
        var members: [JSONTree.Member] = []
        for (path, value) in chance.shuffled(values) {
            members = JSONTree.adding(value, at: path, to: members)
        }
        return .object(members)
    }

    /// Returns whether the documents contain this side of a relationship.
    private func isIncluded(_ relationship: Relationship) -> Bool {
        guard isConsistent, let inverse = relationship.inverse else { return true }
        if inverse == relationship.name { return false }
        // The choice depends only on the names, so that all documents agree, and varies between
        // relationships.
        let isFirst = (relationship.name.utf8.count + inverse.utf8.count) % 2 == 0
        return (relationship.name < inverse) == isFirst
    }

    /// Returns a random key number; in consistent documents one that is not in use in these lists,
    /// or nil if none is left.
    private mutating func takeNumber(_ lists: [String], _ numbers: [Int]) -> Int? {
        guard isConsistent else { return chance.number(1...keyCount) }
        let free = chance.shuffled(numbers).first { number in
            lists.allSatisfy { !used.contains("\($0) \(number)") }
        }
        guard let free else { return nil }
        for list in lists { used.insert("\(list) \(free)") }
        return free
    }

    /// Returns the name under which numbers in use are recorded for a relationship whose objects
    /// can be linked only once; nil for other relationships.
    private func list(of relationship: Relationship) -> String? {
        let back = model[relationship.destination].flatMap { destination in
            model.relationships(of: destination).first { $0.name == relationship.inverse }
        }
        return back?.isToMany == false ? relationship.name : nil
    }

    // MARK: Attributes

    private mutating func addKey(
        _ mapping: EntityMapping,
        in list: String?,
        _ number: Int?,
        to values: inout [(path: String, value: JSONTree)]
    ) {
        let tree = model.tree(of: mapping.entity)?.root ?? ""
        guard let number = number ?? takeNumber(list.map { [tree, $0] } ?? [tree], Array(1...8))
        else { return }
        for index in mapping.primaryKey where isConsistent || !chance.happens(4) {
            let attribute = mapping.attributes[index]
            let value =
                !isConsistent && chance.happens(4)
                ? chance.pick([JSONTree.null, .array([]), .string("a\0")])
                : RandomValue.key(attribute.attribute, number, &chance)
            values.append((name(of: attribute, at: index, mapping), value))
        }
    }

    private mutating func name(
        of attribute: AttributeMapping,
        at index: Int,
        _ mapping: EntityMapping
    ) -> String {
        let names = attribute.remoteKeys.filter {
            mapping.names[ByteExactString($0)]?.attribute == index
        }
        return names.isEmpty ? attribute.name : chance.pick(names)
    }

    private mutating func value(_ attribute: Attribute) -> JSONTree {
        switch chance.number(1...10) {
        case 1: .null
        case 2: RandomValue.invalid(attribute, &chance)
        default: RandomValue.valid(attribute, &chance)
        }
    }

    // MARK: Relationships

    private mutating func add(
        _ relationship: RelationshipMapping,
        _ depth: Int,
        to values: inout [(path: String, value: JSONTree)]
    ) {
        if chance.happens(60) || relationship.referenceNames.isEmpty {
            let value = linked(relationship, depth)
            values.append((chance.pick(relationship.remoteKeys), value))
            guard chance.happens(10) else { return }
        }
        let number = takeNumber(relationship)
        for (index, names) in relationship.referenceKeys.enumerated()
        where !names.isEmpty && !chance.happens(3) {
            let value =
                relationship.relationship.isToMany
                ? JSONTree.array(
                    (0..<chance.number(0...3)).map { _ in
                        reference(relationship, index, takeNumber(relationship))
                    }
                )
                : reference(relationship, index, number)
            values.append((chance.pick(names), value))
        }
    }

    private mutating func linked(_ relationship: RelationshipMapping, _ depth: Int) -> JSONTree {
        if chance.happens(10) { return chance.pick([.null, .null, nonObject()]) }
        guard relationship.relationship.isToMany else { return other(relationship, depth) }
        let count = chance.pick([0, 1, 1, 2, 2, 3])
        let isOfObjects = chance.happens(60)
        return .array(
            (0..<count).map { _ in
                let isObject = chance.happens(95) ? isOfObjects : !isOfObjects
                return isObject && depth > 0
                    ? nested(relationship, depth)
                    : reference(relationship, 0, takeNumber(relationship))
            }
        )
    }

    private mutating func other(_ relationship: RelationshipMapping, _ depth: Int) -> JSONTree {
        depth > 0 && chance.happens(60)
            ? nested(relationship, depth)
            : reference(relationship, 0, takeNumber(relationship))
    }

    private mutating func nested(_ relationship: RelationshipMapping, _ depth: Int) -> JSONTree {
        let destination = destination(relationship)
        let list = list(of: relationship.relationship)
        // An import writes an object without a key to the row that is linked already, which the
        // document may contain elsewhere. Without a number left, the value is therefore null.
        let isKeyed = mappings[destination]?.primaryKey.isEmpty == false
        guard isConsistent, isKeyed else {
            return object(destination, depth: depth - 1, in: list)
        }
        let tree = model.tree(of: destination)?.root ?? ""
        guard let number = takeNumber([tree] + (list.map { [$0] } ?? []), Array(1...8)) else {
            return .null
        }
        return object(destination, depth: depth - 1, number: number)
    }

    private mutating func takeNumber(_ relationship: RelationshipMapping) -> Int? {
        takeNumber(
            list(of: relationship.relationship).map { [$0] } ?? [],
            numbers(for: destination(relationship))
        )
    }

    /// Returns the key numbers that references to an entity may have.
    ///
    /// The import deletes rows that the document does not list, and changes the entity of rows that
    /// it does. A reference to a row with its previous entity would resolve only in the first
    /// import.
    private func numbers(for destination: String) -> [Int] {
        guard model.tree(of: destination)?.root == items.tree else { return Array(1...keyCount) }
        let family = model[destination].map(model.family) ?? []
        return family.contains { $0.name == items.entity }
            ? items.numbers + [unusedNumber] : [unusedNumber]
    }

    private func destination(_ relationship: RelationshipMapping) -> String {
        relationship.relationship.destination
    }

    /// Returns a part of a key of a relationship's destination.
    private mutating func reference(
        _ relationship: RelationshipMapping,
        _ part: Int,
        _ number: Int?
    ) -> JSONTree {
        guard let number, let mapping = mappings[destination(relationship)],
            mapping.primaryKey.indices.contains(part), !chance.happens(4)
        else { return .null }
        let attribute = mapping.attributes[mapping.primaryKey[part]].attribute
        return RandomValue.key(attribute, number, &chance)
    }
}
