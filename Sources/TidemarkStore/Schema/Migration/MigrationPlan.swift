import TidemarkModel

/// How the tables of one layout become those of another.
struct MigrationPlan {
    let old: StoreLayout
    let new: StoreLayout
    let match: ModelMatch

    /// What differs between the models.
    let changes: [ModelChange]

    /// Where the rows of each new table come from.
    private(set) var tables: [TableMove] = []

    /// The conversions that columns name.
    private(set) var conversions: [ValueConversion] = []

    /// Where the links of each new column and table of pairs come from, if there were any.
    private(set) var links: [LinkMove] = []

    /// Plans a migration.
    ///
    /// - Throws: `ModelError` when an attribute of the new model cannot be.
    init(_ old: StoreLayout, _ new: StoreLayout) throws {
        self.old = old
        self.new = new
        match = ModelMatch(old.model, new.model)
        changes = old.model.changes(to: new.model)
        tables = try moves()
        links = linkMoves()
        placeLinks()
        for table in tables.indices { tables[table].isKept = isKept(table) }
    }

    // MARK: Entities

    /// The old entities that have rows of their own.
    var oldEntities: [EntityLayout] { old.entities.filter { !$0.isAbstract } }

    /// The new entity in which the rows of an old one go on.
    func successor(of entity: EntityLayout) -> EntityLayout? {
        guard let name = match.newEntity(entity.name)?.name, let place = new.index(of: name),
            !new.entities[place].isAbstract
        else { return nil }
        return new.entities[place]
    }

    /// The old entities with rows of their own whose rows are in a table and do not go on.
    func droppedEntities(in table: Int) -> [EntityLayout] {
        oldEntities.filter { $0.table == table && successor(of: $0) == nil }
    }

    /// The new table as which an old one goes on.
    func successor(ofTable table: Int) -> Int? {
        tables.firstIndex { $0.base == table }
    }

    // MARK: Tables

    private mutating func moves() throws -> [TableMove] {
        var moves = new.tables.map { _ in TableMove(base: nil, sources: []) }
        for entity in oldEntities {
            guard let successor = successor(of: entity) else { continue }
            let move = EntityMove(
                old: entity,
                new: successor,
                columns: try columns(of: entity, successor)
            )
            let place = moves[successor.table].sources.firstIndex { $0.table == entity.table }
            if let place {
                moves[successor.table].sources[place].entities.append(move)
            } else {
                moves[successor.table].sources.append(
                    TableSource(table: entity.table, entities: [move])
                )
            }
        }
        chooseBases(&moves)
        return moves
    }

    /// An old table goes on as the one in which its topmost entity's rows are, else as the first.
    private func chooseBases(_ moves: inout [TableMove]) {
        var taken: Set<Int> = []
        for place in moves.indices {
            let former = match.oldEntity(new.tables[place].name)?.name
            let table = old.tables.firstIndex { $0.name == former }
            if let table, taken.insert(table).inserted { moves[place].base = table }
        }
        for place in moves.indices where moves[place].base == nil {
            let table = moves[place].sources.map(\.table).first { !taken.contains($0) }
            if let table, taken.insert(table).inserted { moves[place].base = table }
        }
    }

    private mutating func columns(
        of old: EntityLayout,
        _ new: EntityLayout
    ) throws -> [ColumnSource] {
        var columns = self.new.tables[new.table].columns.map { _ in ColumnSource.nothing }
        for attribute in new.attributes {
            columns[attribute.column] = try source(of: attribute, old, new)
        }
        return columns
    }

    private mutating func source(
        of layout: AttributeLayout,
        _ old: EntityLayout,
        _ new: EntityLayout
    ) throws -> ColumnSource {
        let attribute = layout.attribute
        let former = match.oldAttribute(attribute.name, of: new.name)
            .flatMap { old.attribute($0.name) }
        let isKey = new.key.contains(layout.column)
        let isFilled =
            attribute.defaultValue != nil && !isKey
            && (former == nil || isRequired(attribute, new) && !wasRequired(former, old))
        let isConverted =
            former.map { ValueConversion.isNeeded($0.attribute.type, attribute.type) } ?? false
        guard isFilled || isConverted else { return former.map { .column($0.column) } ?? .nothing }
        conversions.append(
            try ValueConversion(
                former?.attribute.type,
                to: attribute,
                isKey: isKey,
                isFilled: isFilled
            )
        )
        return .converted(former?.column, conversions.count - 1)
    }

    /// Whether the rows of an entity must have an attribute; a key they may lack.
    func isRequired(_ attribute: Attribute, _ entity: EntityLayout) -> Bool {
        guard !attribute.isOptional, let column = entity.attribute(attribute.name)?.column else {
            return false
        }
        return !entity.key.contains(column)
    }

    private func wasRequired(_ layout: AttributeLayout?, _ entity: EntityLayout) -> Bool {
        layout.map { isRequired($0.attribute, entity) } ?? false
    }

    /// Copies the columns of links that stay where they are.
    private mutating func placeLinks() {
        for link in links where link.way == .column {
            let table = link.relationship.table
            for source in tables[table].sources.indices {
                for place in tables[table].sources[source].entities.indices {
                    let move = tables[table].sources[source].entities[place]
                    for (column, former) in columns(of: link.relationship, in: move) {
                        tables[table].sources[source].entities[place].columns[column] =
                            .column(former)
                    }
                }
            }
        }
    }

    /// The new columns of a relationship and its order, with the old ones.
    private func columns(
        of relationship: RelationshipLayout,
        in move: EntityMove
    ) -> [(new: Int, old: Int)] {
        guard let former = oldLayout(of: relationship, in: move),
            case .column(let column) = relationship.storage,
            case .column(let source) = former.storage
        else { return [] }
        let positions = new.position(behind: relationship).flatMap { position in
            old.position(behind: former).map { (position, $0) }
        }
        return [(column, source)] + (positions.map { [$0] } ?? [])
    }

    /// The old relationship that goes on in a new one, for the rows of an entity.
    func oldLayout(of relationship: RelationshipLayout, in move: EntityMove) -> RelationshipLayout?
    {
        let name = relationship.relationship.name
        guard move.new.relationship(name)?.identifier == relationship.identifier else { return nil }
        return match.oldRelationship(name, of: move.new.name)
            .flatMap { move.old.relationship($0.name) }
    }
}
