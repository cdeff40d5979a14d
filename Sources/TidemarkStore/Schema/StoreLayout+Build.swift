package import TidemarkModel

extension StoreLayout {
    /// Computes the layout of a model.
    ///
    /// - Throws: `ModelError` if the model is not valid, or an entity has more properties than
    ///   SQLite allows columns in a table.
    package init(_ model: Model) throws {
        try model.validate()
        if let finding = Self.tooManyColumns(in: model) {
            throw ModelError(
                .invalid,
                "\(finding.path): \(finding.message)",
                hint: finding.hint
            )
        }
        var plan = LayoutPlan(model: model)
        plan.placeAttributes()
        plan.placeRelationships()
        plan.placeKeysAndIndexes()
        let entities = plan.entities()
        self.init(model: model, tables: plan.tables, joins: plan.joins, entities: entities)
    }
}

/// A layout under construction.
private struct LayoutPlan {
    let model: Model
    let trees: [EntityTree]
    var tables: [TableLayout]
    var joins: [JoinLayout] = []
    /// The column of each property, by table.
    var columns: [[Property: Int]]
    /// The storage of the links of each relationship, by its identifier.
    var storage: [String: RelationshipStorage] = [:]

    struct Property: Hashable {
        let entity: String
        let name: String
    }

    init(model: Model) {
        self.model = model
        trees = model.trees
        tables = trees.map { TableLayout(name: $0.root, entities: $0.members, columns: []) }
        columns = trees.map { _ in [:] }
    }

    // MARK: Attributes

    mutating func placeAttributes() {
        for (table, tree) in trees.enumerated() {
            let types = firstTypes(tree)
            for entity in parentsFirst(tree) {
                for attribute in declared(
                    model.attributes(of: entity),
                    of: entity,
                    in: tree,
                    own: \.attributes
                )
                where !attribute.isTransient {
                    let isFirst = types[attribute.name] == attribute.type
                    let name = isFirst ? attribute.name : "\(attribute.name)_\(entity.name)"
                    place(
                        attribute,
                        of: entity,
                        in: table,
                        as: name,
                        isTop: entity.name == tree.root
                    )
                }
            }
        }
    }

    /// Returns the entities of a tree, parents before children and siblings by name.
    private func parentsFirst(_ tree: EntityTree) -> [EntityDescription] {
        tree.members.compactMap { model[$0] }
            .map { (depth: model.lineage(of: $0).count, entity: $0) }
            .sorted { ($0.depth, $0.entity.name) < ($1.depth, $1.entity.name) }
            .map(\.entity)
    }

    /// Returns the properties that an entity adds to its tree: its own, for the topmost one also
    /// those that it inherits.
    private func declared<P>(
        _ all: [P],
        of entity: EntityDescription,
        in tree: EntityTree,
        own: KeyPath<EntityDescription, [P]>
    ) -> [P] {
        entity.name == tree.root ? all : entity[keyPath: own]
    }

    /// Assigns a column to an attribute: the existing one of that name, or a new one.
    private mutating func place(
        _ attribute: Attribute,
        of entity: EntityDescription,
        in table: Int,
        as name: String,
        isTop: Bool
    ) {
        let isRequired =
            isTop && !attribute.isOptional
            && !model.primaryKey(of: entity).contains(attribute.name)
        let content = TableLayout.Content.attribute(attribute.type)
        let column =
            tables[table].columns.firstIndex { $0.name == name }
            ?? add(name, content: content, isRequired: isRequired, to: table)
        columns[table][Property(entity: entity.name, name: attribute.name)] = column
    }

    /// Returns the type of each attribute in the first entity, by name, of the tree that declares
    /// it.
    private func firstTypes(_ tree: EntityTree) -> [String: AttributeType] {
        let types = tree.members.sorted().compactMap { model[$0] }.flatMap { entity in
            declared(model.attributes(of: entity), of: entity, in: tree, own: \.attributes)
                .filter { !$0.isTransient }.map { ($0.name, $0.type) }
        }
        return Dictionary(types, uniquingKeysWith: { first, _ in first })
    }

    private mutating func add(
        _ name: String,
        content: TableLayout.Content,
        isRequired: Bool = false,
        to table: Int
    ) -> Int {
        tables[table].columns.append(
            TableLayout.Column(name: name, content: content, isRequired: isRequired)
        )
        return tables[table].columns.count - 1
    }

    // MARK: Relationships

    /// A relationship, and the entity of a tree that declares it.
    private struct Declaration {
        let entity: EntityDescription
        let table: Int
        let relationship: Relationship
        var identifier: String { "\(entity.name).\(relationship.name)" }
    }

    mutating func placeRelationships() {
        let declarations = trees.enumerated().flatMap { table, tree in
            parentsFirst(tree).flatMap { entity in
                declared(
                    model.relationships(of: entity),
                    of: entity,
                    in: tree,
                    own: \.relationships
                ).map { Declaration(entity: entity, table: table, relationship: $0) }
            }
        }
        // Columns first: the storage of their to-many inverses refers to them.
        for declaration in declarations where holdsColumn(declaration) {
            placeColumn(declaration)
        }
        for declaration in declarations where storage[declaration.identifier] == nil {
            if let inverse = inverse(of: declaration), !inverse.relationship.isToMany {
                placeInverse(of: declaration, inverse: inverse)
            } else {
                placeJoin(declaration)
            }
        }
    }

    /// Returns the inverse of a relationship, as the destination's tree declares it.
    private func inverse(of declaration: Declaration) -> Declaration? {
        guard let name = declaration.relationship.inverse,
            let destination = model[declaration.relationship.destination],
            let table = trees.firstIndex(where: { $0.members.contains(destination.name) })
        else { return nil }
        let owner =
            model.lineage(of: destination).last { entity in
                trees[table].members.contains(entity.name)
                    && (entity.name == trees[table].root
                        ? model.relationships(of: entity) : entity.relationships)
                        .contains { $0.name == name }
            }
        guard let owner,
            let relationship = model.relationships(of: owner).first(where: { $0.name == name })
        else { return nil }
        return Declaration(entity: owner, table: table, relationship: relationship)
    }

    /// Returns whether the links are stored in a column of the declaring entity: it is to-one, and
    /// not the second side of two.
    private func holdsColumn(_ declaration: Declaration) -> Bool {
        guard !declaration.relationship.isToMany else { return false }
        guard let inverse = inverse(of: declaration), !inverse.relationship.isToMany else {
            return true
        }
        return declaration.identifier <= inverse.identifier
    }

    private mutating func placeColumn(_ declaration: Declaration) {
        let inverse = inverse(of: declaration)
        let isKeyPart = model.isKeyPart(declaration.relationship.name, of: declaration.entity)
        // The rule of the inverse applies when the referenced row is deleted.
        let rule = inverse?.relationship.deleteRule ?? .nullify
        let reference = TableLayout.Reference(
            table: tableName(of: declaration.relationship.destination),
            onDelete: isKeyPart ? rule.ofKeyPart : rule,
            isUnique: inverse.map { !$0.relationship.isToMany } ?? false
        )
        let isTaken = tables[declaration.table].columns.contains {
            $0.name == declaration.relationship.name
        }
        let name =
            isTaken
            ? "\(declaration.relationship.name)_\(declaration.entity.name)"
            : declaration.relationship.name
        let column = add(name, content: .reference(reference), to: declaration.table)
        storage[declaration.identifier] = .column(column)
    }

    private mutating func placeInverse(of declaration: Declaration, inverse: Declaration) {
        guard case .column(let column) = storage[inverse.identifier] else { return }
        let relationship = declaration.relationship
        let name = positionName(declaration, in: inverse.table)
        let position =
            relationship.isOrdered && relationship.isToMany
            ? add(name, content: .position(among: column), to: inverse.table) : nil
        storage[declaration.identifier] = .inverse(
            table: inverse.table,
            column: column,
            position: position
        )
    }

    /// `_<relationship>_position`, followed by the entity if another list has the same name.
    private func positionName(_ declaration: Declaration, in table: Int) -> String {
        let name = "_\(declaration.relationship.name)_position"
        let isTaken = tables[table].columns.contains { $0.name == name }
        return isTaken ? "\(name)_\(declaration.entity.name)" : name
    }

    private mutating func placeJoin(_ declaration: Declaration) {
        let inverse = inverse(of: declaration)
        let isSymmetric = inverse?.identifier == declaration.identifier
        if let inverse, !isSymmetric, inverse.identifier < declaration.identifier {
            return placeJoin(inverse)
        }
        joins.append(
            JoinLayout(
                name: joinName(declaration),
                ownerTable: tables[declaration.table].name,
                memberTable: tableName(of: declaration.relationship.destination),
                isSymmetric: isSymmetric,
                isOrdered: declaration.relationship.isOrdered && !isSymmetric,
                isInverseOrdered: inverse?.relationship.isOrdered ?? false && !isSymmetric
            )
        )
        let join = joins.count - 1
        storage[declaration.identifier] = .join(join, isSymmetric ? .either : .owner)
        if let inverse, !isSymmetric {
            storage[inverse.identifier] = .join(join, .member)
        }
    }

    /// `_tidemark_<Entity>_<relationship>`, followed by underscores until the name is unique.
    private func joinName(_ declaration: Declaration) -> String {
        var name = "_tidemark_\(declaration.entity.name)_\(declaration.relationship.name)"
        // SQLite compares the names of tables case-insensitively.
        while joins.contains(where: { $0.name.lowercased() == name.lowercased() }) {
            name += "_"
        }
        return name
    }

    private func tableName(of entity: String) -> String {
        trees.first { $0.members.contains(entity) }?.root ?? entity
    }

    // MARK: Keys and indexes

    mutating func placeKeysAndIndexes() {
        for (table, tree) in trees.enumerated() {
            for entity in parentsFirst(tree) {
                let key = columnList(model.primaryKey(of: entity), of: entity, in: table)
                if !key.isEmpty, !tables[table].keys.contains(key) {
                    tables[table].keys.append(key)
                }
                let ancestors = entity.name == tree.root ? model.lineage(of: entity) : [entity]
                for ancestor in ancestors {
                    addUniquesAndIndexes(of: ancestor, as: entity, in: table)
                }
            }
        }
    }

    private mutating func addUniquesAndIndexes(
        of declaring: EntityDescription,
        as entity: EntityDescription,
        in table: Int
    ) {
        for constraint in declaring.uniquenessConstraints {
            let list = columnList(constraint, of: entity, in: table)
            if !tables[table].keys.contains(list), !tables[table].uniques.contains(list) {
                tables[table].uniques.append(list)
            }
        }
        let owner =
            declaring.name == entity.name ? entity.name : "\(entity.name).\(declaring.name)"
        for index in declaring.fetchIndexes {
            let found = TableLayout.Index(
                name: "\(owner).\(index.name)",
                columns: columnList(index.elements.map(\.property), of: entity, in: table),
                ascending: index.elements.map(\.isAscending)
            )
            // A list has no column.
            if found.columns.count == found.ascending.count { tables[table].indexes.append(found) }
        }
    }

    private func columnList(_ names: [String], of entity: EntityDescription, in table: Int) -> [Int]
    {
        names.compactMap { column($0, of: entity, in: table) }
    }

    /// Returns the column of an own or inherited attribute or to-one relationship.
    private func column(_ name: String, of entity: EntityDescription, in table: Int) -> Int? {
        for ancestor in model.lineage(of: entity) {
            if let column = columns[table][Property(entity: ancestor.name, name: name)] {
                return column
            }
            if case .column(let column) = storage["\(ancestor.name).\(name)"] {
                return column
            }
        }
        return nil
    }

    // MARK: Entities

    func entities() -> [EntityLayout] {
        let placed = model.entities.filter { entity in
            trees.contains { $0.members.contains(entity.name) }
        }
        let indexes = Dictionary(
            placed.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        return placed.compactMap { entity in layout(of: entity, indexes) }
    }

    private func layout(of entity: EntityDescription, _ indexes: [String: Int]) -> EntityLayout? {
        guard let table = trees.firstIndex(where: { $0.members.contains(entity.name) }) else {
            return nil
        }
        let family = model.family(of: entity).map(\.name)
        return EntityLayout(
            name: entity.name,
            isAbstract: entity.isAbstract,
            table: table,
            family: entity.name == trees[table].root ? nil : family,
            attributes: model.attributes(of: entity).compactMap { attribute in
                column(attribute.name, of: entity, in: table).map {
                    AttributeLayout(attribute: attribute, column: $0)
                }
            },
            relationships: model.relationships(of: entity).compactMap { relationship in
                layout(of: relationship, of: entity, in: table, indexes)
            },
            key: columnList(model.primaryKey(of: entity), of: entity, in: table),
            keyParts: KeyPartLayout.parts(
                of: entity,
                in: table,
                model: model,
                trees: trees,
                column: column
            )
        )
    }

    private func layout(
        of relationship: Relationship,
        of entity: EntityDescription,
        in table: Int,
        _ indexes: [String: Int]
    ) -> RelationshipLayout? {
        for ancestor in model.lineage(of: entity) {
            let identifier = "\(ancestor.name).\(relationship.name)"
            if let storage = storage[identifier],
                let destination = indexes[relationship.destination]
            {
                return RelationshipLayout(
                    relationship: relationship,
                    identifier: identifier,
                    table: table,
                    destination: destination,
                    storage: storage
                )
            }
        }
        return nil
    }
}
