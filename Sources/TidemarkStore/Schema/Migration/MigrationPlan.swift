import TidemarkModel

/// A plan for turning the tables of one layout into those of another.
struct MigrationPlan {
    let old: StoreLayout
    let new: StoreLayout
    let match: ModelMatch

    /// The differences between the models.
    let changes: [ModelChange]

    /// The source of the rows of each new table.
    private(set) var tables: [TableMove] = []

    /// The conversions to which columns refer by index.
    private(set) var conversions: [ValueConversion] = []

    /// The source of the links in each new column and join table that had links before.
    private(set) var links: [LinkMove] = []

    /// Plans a migration.
    ///
    /// - Throws: `ModelError` if the date format or the default value of a new attribute is
    ///   invalid.
    init(from old: StoreLayout, to new: StoreLayout) throws {
        self.old = old
        self.new = new
        match = ModelMatch(from: old.model, to: new.model)
        changes = old.model.changes(to: new.model)
        tables = try moves()
        links = linkMoves()
        placeLinks()
        // Last, as it depends on the source of every column.
        for table in tables.indices { tables[table].isKept = isKept(table) }
    }

    // MARK: Entities

    /// The old entities that are not abstract, and so may have rows of their own.
    var oldEntities: [EntityLayout] { old.entities.filter { !$0.isAbstract } }

    /// Returns the new entity of an old one's rows, or nil if the rows are dropped.
    func successor(of entity: EntityLayout) -> EntityLayout? {
        guard let name = match.newEntity(entity.name)?.name, let index = new.index(of: name),
            !new.entities[index].isAbstract
        else { return nil }
        return new.entities[index]
    }

    /// Returns the old entities of a table whose rows are dropped.
    func droppedEntities(in table: Int) -> [EntityLayout] {
        oldEntities.filter { $0.table == table && successor(of: $0) == nil }
    }

    /// Returns the new table that an old one becomes, or nil if the old one is dropped.
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
            let index = moves[successor.table].sources.firstIndex { $0.table == entity.table }
            if let index {
                moves[successor.table].sources[index].entities.append(move)
            } else {
                moves[successor.table].sources.append(
                    TableSource(table: entity.table, entities: [move])
                )
            }
        }
        chooseBases(&moves)
        return moves
    }

    /// Decides which new table each old one becomes: the one that is named after its topmost
    /// entity, else the first that takes rows of it.
    private func chooseBases(_ moves: inout [TableMove]) {
        var taken: Set<Int> = []
        for index in moves.indices {
            let former = match.oldEntity(new.tables[index].name)?.name
            let table = old.tables.firstIndex { $0.name == former }
            if let table, taken.insert(table).inserted { moves[index].base = table }
        }
        for index in moves.indices where moves[index].base == nil {
            let table = moves[index].sources.map(\.table).first { !taken.contains($0) }
            if let table, taken.insert(table).inserted { moves[index].base = table }
        }
    }

    private mutating func columns(
        of old: EntityLayout,
        _ new: EntityLayout
    ) throws -> [ColumnSource] {
        var columns = self.new.tables[new.table].columns.map { _ in ColumnSource.nothing }
        for attribute in new.attributes {
            columns[attribute.column] = try source(of: attribute, from: old, to: new)
        }
        return columns
    }

    private mutating func source(
        of layout: AttributeLayout,
        from old: EntityLayout,
        to new: EntityLayout
    ) throws -> ColumnSource {
        let attribute = layout.attribute
        let former = match.oldAttribute(attribute.name, of: new.name)
            .flatMap { old.attribute($0.name) }
        let isKey = new.key.contains(layout.column)
        // Rows that could be null before stay null, and a default in a key would make the rows
        // equal.
        let isFilled =
            attribute.defaultValue != nil && !isKey
            && (former == nil || isRequired(attribute, in: new) && !wasRequired(former, in: old))
        let isConverted =
            former.map { ValueConversion.isNeeded(from: $0.attribute.type, to: attribute.type) }
            ?? false
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

    /// Returns whether the rows of an entity must have a value for an attribute.
    ///
    /// A part of the primary key may be null in any row.
    func isRequired(_ attribute: Attribute, in entity: EntityLayout) -> Bool {
        guard !attribute.isOptional, let column = entity.attribute(attribute.name)?.column else {
            return false
        }
        return !entity.key.contains(column)
    }

    private func wasRequired(_ layout: AttributeLayout?, in entity: EntityLayout) -> Bool {
        layout.map { isRequired($0.attribute, in: entity) } ?? false
    }

    /// Adds the columns of links that are copied with their rows.
    private mutating func placeLinks() {
        for link in links where link.way == .column {
            let table = link.relationship.table
            for source in tables[table].sources.indices {
                for index in tables[table].sources[source].entities.indices {
                    let move = tables[table].sources[source].entities[index]
                    for (column, former) in columns(of: link.relationship, in: move) {
                        tables[table].sources[source].entities[index].columns[column] =
                            .column(former)
                    }
                }
            }
        }
    }

    /// Returns the new columns of a relationship and its position, each with the old column.
    private func columns(
        of relationship: RelationshipLayout,
        in move: EntityMove
    ) -> [(new: Int, old: Int)] {
        guard let former = oldLayout(of: relationship, in: move),
            case .column(let column) = relationship.storage,
            case .column(let source) = former.storage
        else { return [] }
        let positions = new.positionColumn(inInverseOf: relationship).flatMap { position in
            old.positionColumn(inInverseOf: former).map { (position, $0) }
        }
        return [(column, source)] + (positions.map { [$0] } ?? [])
    }

    /// Returns the old relationship that becomes a new one, for the rows of an entity.
    func oldLayout(of relationship: RelationshipLayout, in move: EntityMove) -> RelationshipLayout?
    {
        let name = relationship.relationship.name
        guard move.new.relationship(name)?.identifier == relationship.identifier else { return nil }
        return match.oldRelationship(name, of: move.new.name)
            .flatMap { move.old.relationship($0.name) }
    }
}
