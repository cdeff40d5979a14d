import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Random models, rows and changes.
struct MigrationChance {
    var generator: SeededGenerator

    /// A counter for unique names, so that a new element never matches a dropped one.
    private var number = 0

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    mutating func pick<T>(_ list: [T]) -> T { list[below(list.count)] }

    mutating func happens(_ percent: Int) -> Bool { below(100) < percent }

    private mutating func name(_ letter: String) -> String {
        number += 1
        return "\(letter)\(number)"
    }

    // MARK: Models

    mutating func model() -> Model {
        var model = Model()
        for _ in 0..<(2 + below(3)) { addEntity(&model) }
        for _ in 0..<(1 + below(4)) { addRelationship(&model) }
        return model
    }

    private mutating func addEntity(_ model: inout Model) {
        let parent = model.entities.isEmpty || happens(60) ? nil : pick(model.entities).name
        let key = Attribute("id", pick([.integer64, .string]))
        var entity = EntityDescription(
            name("E"),
            parent: parent,
            attributes: parent == nil ? [key] : []
        )
        for _ in 0..<below(4) { entity.attributes.append(attribute()) }
        model.entities.append(entity)
    }

    private static let types: [AttributeType] = [
        .string, .integer16, .integer64, .double, .boolean, .decimal, .date, .json, .uri,
    ]

    private mutating func attribute() -> Attribute {
        let type = pick(Self.types)
        let value = happens(40) ? self.value(type) : .null
        return Attribute(
            name("a"),
            type,
            isOptional: happens(70),
            defaultValue: value == .null ? nil : value
        )
    }

    private mutating func addRelationship(_ model: inout Model) {
        let owner = below(model.entities.count)
        let other = below(model.entities.count)
        let names = (name("r"), name("s"))
        let isSelf = owner == other && happens(30)
        let inverse = isSelf ? names.0 : happens(75) ? names.1 : nil
        model.entities[owner].relationships.append(
            relationship(names.0, to: model.entities[other].name, inverse)
        )
        if inverse == names.1 {
            model.entities[other].relationships.append(
                relationship(names.1, to: model.entities[owner].name, names.0)
            )
        }
    }

    private mutating func relationship(
        _ name: String,
        to destination: String,
        _ inverse: String?
    ) -> Relationship {
        let isToMany = happens(55)
        return Relationship(
            name,
            to: destination,
            isToMany: isToMany,
            isOrdered: isToMany && happens(40),
            inverse: inverse,
            deleteRule: pick([.nullify, .cascade, .deny])
        )
    }

    // MARK: Values

    mutating func value(_ type: AttributeType) -> Value {
        switch type {
        case .string: .string(pick(["a", "12", "0", "true", "2014-02-14", "-3.50", "http://a/b"]))
        case .integer16: .integer(Int64(pick([0, 1, -7, 300])))
        case .integer32, .integer64: .integer(pick([0, 1, 70_000, 1_400_000_000]))
        case .double, .float: .double(pick([0, 1, 1.5, -2.25]))
        case .boolean: .boolean(happens(50))
        case .decimal: .decimal(pick(["0", "1", "12.5", "99999999999999999999"]))
        case .date: .date(pick([0, 86_400, 1_400_000_000.5]))
        case .json: .json(pick(["1", "\"a\"", "[1,2]", "null", "true"]))
        case .uri: .uri(pick(["http://a/b", "x:1"]))
        case .uuid, .binary, .transformable: .null
        }
    }

    /// Fills a store with some rows of each entity, and links between them.
    mutating func fill(_ store: Store) throws {
        var rows: [RowReference] = []
        for entity in store.layout.entities {
            for _ in 0..<below(6) {
                var values: [String: Value] = [:]
                for attribute in entity.attributes.map(\.attribute) {
                    if attribute.name == "id" {
                        number += 1
                        values["id"] = happens(85) ? .integer(Int64(number)) : nil
                    } else if !attribute.isOptional || happens(70) {
                        values[attribute.name] = value(attribute.type)
                    }
                }
                rows.append(try store.insert(entity.name, values))
            }
        }
        for row in rows { try link(row, among: rows, store) }
        // Row numbers of deleted rows must not be reused.
        for row in rows where happens(10) {
            do {
                try store.delete(row.description)
            } catch let error as StoreError
                where [.deletionDenied, .rowNotFound].contains(error.code)
            {
                continue
            }
        }
    }

    private mutating func link(
        _ row: RowReference,
        among rows: [RowReference],
        _ store: Store
    ) throws {
        for relationship in try store.layout.entity(row.entity).relationships where happens(60) {
            let family =
                store.model[relationship.relationship.destination]
                .map(store.model.family) ?? []
            let others = rows.filter { other in family.contains { $0.name == other.entity } }
            guard !others.isEmpty else { continue }
            let count = relationship.relationship.isToMany ? below(4) : 1
            let chosen = (0..<count).map { _ in pick(others).description }
            try store.update(
                row.description,
                links: [relationship.relationship.name: chosen]
            )
        }
    }
}

// MARK: Changes

extension MigrationChance {
    /// Returns a model with some reversible changes.
    mutating func reversiblyChanged(_ model: Model) -> Model {
        changed(
            model,
            by: [
                { $0.renameEntity(&$1) }, { $0.addEntity(&$1) }, { $0.addAttribute(&$1) },
                { $0.renameAttribute(&$1) }, { $0.makeOptional(&$1) }, { $0.widenInteger(&$1) },
                { $0.renameRelationship(&$1) }, { $0.changeRule(&$1) }, { $0.addIndex(&$1) },
                { $0.toMany(&$1) }, { $0.order(&$1) }, { $0.addRelationship(&$1) },
            ]
        )
    }

    /// Returns a model with some changes of any kind.
    mutating func changed(_ model: Model) -> Model {
        changed(
            model,
            by: [
                { $0.renameEntity(&$1) }, { $0.addEntity(&$1) }, { $0.addAttribute(&$1) },
                { $0.renameAttribute(&$1) }, { $0.makeOptional(&$1) }, { $0.changeType(&$1) },
                { $0.renameRelationship(&$1) }, { $0.changeRule(&$1) }, { $0.addIndex(&$1) },
                { $0.toMany(&$1) }, { $0.order(&$1) }, { $0.addRelationship(&$1) },
                { $0.dropEntity(&$1) }, { $0.dropAttribute(&$1) }, { $0.dropRelationship(&$1) },
                { $0.makeRequired(&$1) }, { $0.toOne(&$1) }, { $0.unorder(&$1) },
                { $0.reparent(&$1) },
                { $0.addUniqueness(&$1) }, { $0.changeType(&$1) },
            ]
        )
    }

    private typealias Change = (inout MigrationChance, inout Model) -> Void

    private mutating func changed(_ model: Model, by changes: [Change]) -> Model {
        var model = model
        for _ in 0..<(1 + below(4)) {
            var other = model
            pick(changes)(&self, &other)
            if other.findings().allSatisfy({ $0.severity != .error }) { model = other }
        }
        return model
    }

    private mutating func renameEntity(_ model: inout Model) {
        let index = below(model.entities.count)
        let previous = model.entities[index].name
        let name = name("E")
        model.entities[index].renamingIdentifier =
            model.entities[index].renamingIdentifier ?? previous
        model.entities[index].name = name
        for entity in model.entities.indices {
            if model.entities[entity].parent == previous { model.entities[entity].parent = name }
            for relationship in model.entities[entity].relationships.indices
            where model.entities[entity].relationships[relationship].destination == previous {
                model.entities[entity].relationships[relationship].destination = name
            }
        }
    }

    private mutating func dropEntity(_ model: inout Model) {
        guard model.entities.count > 1 else { return }
        let removed = model.entities.remove(at: below(model.entities.count))
        for entity in model.entities.indices {
            if model.entities[entity].parent == removed.name {
                model.entities[entity].parent = removed.parent
                if removed.parent == nil {
                    model.entities[entity].attributes.append(Attribute("id", .integer64))
                }
            }
            let dropped = model.entities[entity].relationships.filter {
                $0.destination == removed.name
            }
            for relationship in dropped { drop(relationship, entity, &model) }
        }
    }

    private func drop(_ relationship: Relationship, _ entity: Int, _ model: inout Model) {
        model.entities[entity].relationships.removeAll { $0.name == relationship.name }
        for other in model.entities.indices {
            for index in model.entities[other].relationships.indices
            where model.entities[other].relationships[index].name == relationship.inverse
                && model.entities[other].relationships[index].inverse == relationship.name
            {
                model.entities[other].relationships[index].inverse = nil
            }
        }
    }

    private mutating func reparent(_ model: inout Model) {
        let index = below(model.entities.count)
        if model.entities[index].parent == nil {
            model.entities[index].attributes.removeAll { $0.name == "id" }
            model.entities[index].parent = pick(model.entities).name
        } else {
            model.entities[index].parent = nil
            model.entities[index].attributes.append(Attribute("id", .integer64))
        }
    }

    // MARK: Attributes

    private mutating func changeAttribute(_ model: inout Model, _ body: (inout Attribute) -> Void) {
        let entity = below(model.entities.count)
        guard !model.entities[entity].attributes.isEmpty else { return }
        let index = below(model.entities[entity].attributes.count)
        guard model.entities[entity].attributes[index].name != "id" else { return }
        body(&model.entities[entity].attributes[index])
    }

    private mutating func addAttribute(_ model: inout Model) {
        let new = attribute()
        model.entities[below(model.entities.count)].attributes.append(new)
    }

    private mutating func dropAttribute(_ model: inout Model) {
        let entity = below(model.entities.count)
        let names = model.entities[entity].attributes.map(\.name).filter { $0 != "id" }
        guard !names.isEmpty else { return }
        let name = pick(names)
        model.entities[entity].attributes.removeAll { $0.name == name }
    }

    private mutating func renameAttribute(_ model: inout Model) {
        let name = name("a")
        changeAttribute(&model) {
            $0.renamingIdentifier = $0.renamingIdentifier ?? $0.name
            $0.name = name
        }
    }

    private mutating func makeOptional(_ model: inout Model) {
        changeAttribute(&model) { $0.isOptional = true }
    }

    private mutating func makeRequired(_ model: inout Model) {
        changeAttribute(&model) { $0.isOptional = false }
    }

    private mutating func widenInteger(_ model: inout Model) {
        changeAttribute(&model) {
            if $0.type == .integer16 { $0.type = .integer64 }
        }
    }

    private mutating func changeType(_ model: inout Model) {
        let type = pick(Self.types)
        changeAttribute(&model) {
            $0.type = type
            $0.defaultValue = nil
        }
    }

    private mutating func addIndex(_ model: inout Model) {
        let entity = below(model.entities.count)
        guard let attribute = model.entities[entity].attributes.last?.name else { return }
        model.entities[entity].fetchIndexes.append(
            FetchIndex(name("i"), elements: [FetchIndex.Element(attribute)])
        )
    }

    private mutating func addUniqueness(_ model: inout Model) {
        let entity = below(model.entities.count)
        guard let attribute = model.entities[entity].attributes.last?.name else { return }
        model.entities[entity].uniquenessConstraints.append([attribute])
    }

    // MARK: Relationships

    private mutating func changeRelationship(
        _ model: inout Model,
        _ body: (inout Relationship) -> Void
    ) {
        let entity = below(model.entities.count)
        guard !model.entities[entity].relationships.isEmpty else { return }
        let index = below(model.entities[entity].relationships.count)
        body(&model.entities[entity].relationships[index])
    }

    private mutating func renameRelationship(_ model: inout Model) {
        let entity = below(model.entities.count)
        guard !model.entities[entity].relationships.isEmpty else { return }
        let index = below(model.entities[entity].relationships.count)
        let previous = model.entities[entity].relationships[index]
        let name = name(happens(50) ? "r" : "t")
        model.entities[entity].relationships[index].name = name
        model.entities[entity].relationships[index].renamingIdentifier =
            previous.renamingIdentifier ?? previous.name
        for other in model.entities.indices {
            for index in model.entities[other].relationships.indices
            where model.entities[other].relationships[index].inverse == previous.name {
                model.entities[other].relationships[index].inverse = name
            }
        }
    }

    private mutating func dropRelationship(_ model: inout Model) {
        let entity = below(model.entities.count)
        guard !model.entities[entity].relationships.isEmpty else { return }
        drop(pick(model.entities[entity].relationships), entity, &model)
    }

    private mutating func changeRule(_ model: inout Model) {
        let rule = pick([Relationship.DeleteRule.nullify, .cascade, .deny, .noAction])
        changeRelationship(&model) { $0.deleteRule = rule }
    }

    private mutating func toMany(_ model: inout Model) {
        changeRelationship(&model) { $0.isToMany = true }
    }

    private mutating func toOne(_ model: inout Model) {
        changeRelationship(&model) {
            $0.isToMany = false
            $0.isOrdered = false
        }
    }

    private mutating func order(_ model: inout Model) {
        changeRelationship(&model) { $0.isOrdered = $0.isToMany }
    }

    private mutating func unorder(_ model: inout Model) {
        changeRelationship(&model) { $0.isOrdered = false }
    }
}
