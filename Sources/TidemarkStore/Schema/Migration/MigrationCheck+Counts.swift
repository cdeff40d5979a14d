import GRDB
import TidemarkModel

extension MigrationCheck {
    /// Returns the differences between the models, each with the amount of data that it affects.
    func steps() throws -> [MigrationStep] {
        try plan.changes.map { change in
            let count = try count(change)
            return MigrationStep(
                change: change,
                count: count,
                losesData: change.isLoss && count ?? 0 > 0
            )
        }
    }

    private func count(_ change: ModelChange) throws -> Int? {
        switch change.property {
        case nil: try countRows(change)
        case .attribute(let name): try countValues(change, of: name)
        case .relationship(let name): try countLinks(change, of: name)
        case .index, .uniqueness: nil
        }
    }

    private func countRows(_ change: ModelChange) throws -> Int? {
        switch change.kind {
        case .dropped:
            try plan.oldEntities.filter { $0.name == change.entity }.map(count).reduce(0, +)
        case .table:
            try moves(of: change.entity).filter { $0.new.name == change.entity }
                .map { try count(rows: $0.old) }.reduce(0, +)
        case .added, .renamed, .parent, .abstract, .concrete, .key, .type, .required, .optional,
            .destination, .toOne, .toMany, .ordered, .unordered, .deleteRule, .inverse, .annotated:
            nil
        }
    }

    /// Returns the moves of rows into a new entity and its sub-entities.
    private func moves(of entity: String) -> [EntityMove] {
        let family = plan.new.model[entity].map(plan.new.model.family)?.map(\.name) ?? []
        return plan.tables.flatMap(\.sources).flatMap(\.entities)
            .filter { family.contains($0.new.name) }
    }

    // MARK: Values

    private func countValues(_ change: ModelChange, of name: String) throws -> Int? {
        let moves = moves(of: change.entity)
        switch change.kind {
        case .dropped:
            return try moves.map { try countDropped(name, in: $0) }.reduce(0, +)
        case .type:
            return try moves.map { move in
                guard let attribute = move.new.attribute(name) else { return 0 }
                switch move.columns[attribute.column] {
                case .column(let column), .converted(let column?, _):
                    return try count(move.old, column: column, where: "IS NOT NULL")
                case .nothing, .converted(nil, _):
                    return 0
                }
            }
            .reduce(0, +)
        case .added, .required:
            return try moves.map { move in
                guard let attribute = move.new.attribute(name),
                    case .converted(let column, let conversion) = move.columns[attribute.column],
                    plan.conversions[conversion].fill != nil
                else { return 0 }
                guard let column else { return try count(rows: move.old) }
                return try count(move.old, column: column, where: "IS NULL")
            }
            .reduce(0, +)
        case .renamed, .parent, .table, .abstract, .concrete, .key, .optional, .destination,
            .toOne, .toMany, .ordered, .unordered, .deleteRule, .inverse, .annotated:
            return nil
        }
    }

    private func countDropped(_ name: String, in move: EntityMove) throws -> Int {
        let successor = plan.match.newAttribute(name, of: move.new.name)
        guard successor?.isTransient ?? true, let attribute = move.old.attribute(name) else {
            return 0
        }
        return try count(move.old, column: attribute.column, where: "IS NOT NULL")
    }

    private func count(_ entity: EntityLayout, column: Int, where test: String) throws -> Int {
        let name = plan.old.name(of: column, in: entity.table)
        return try count(of: "SELECT 1 FROM \(rows(of: entity, and: "\(name) \(test)"))")
    }

    // MARK: Links

    private func countLinks(_ change: ModelChange, of name: String) throws -> Int? {
        switch change.kind {
        case .dropped:
            return try moves(of: change.entity).map { try countDroppedLinks(name, in: $0) }
                .reduce(0, +)
        case .toOne, .toMany, .destination:
            return try former(change.entity, of: name).map { relationship, entities in
                try count(of: sql.pairs(relationship, of: entities))
            }
        case .unordered:
            return try former(change.entity, of: name).map { relationship, entities in
                try count(
                    of: """
                        SELECT 1 FROM (\(sql.pairs(relationship, of: entities))) \
                        WHERE position IS NOT NULL
                        """
                )
            }
        case .added, .renamed, .parent, .table, .abstract, .concrete, .key, .type, .required,
            .optional, .ordered, .deleteRule, .inverse, .annotated:
            return nil
        }
    }

    /// Returns the old relationship that becomes a new one, with the entities whose links it has.
    private func former(
        _ entity: String,
        of name: String
    ) -> (relationship: RelationshipLayout, entities: [String])? {
        let moves = moves(of: entity)
        let found = moves.compactMap { move in
            plan.match.oldRelationship(name, of: move.new.name)
                .flatMap { move.old.relationship($0.name) }
        }
        return found.first.map { ($0, moves.map(\.old.name)) }
    }

    private func countDroppedLinks(_ name: String, in move: EntityMove) throws -> Int {
        guard plan.match.newRelationship(name, of: move.new.name) == nil,
            let relationship = move.old.relationship(name)
        else { return 0 }
        let links = sql.pairs(relationship, of: [move.old.name])
        guard let inverse = plan.old.inverse(of: relationship), isGoingOn(inverse) else {
            return try count(of: links)
        }
        // The other side keeps the links, but not their order.
        return try count(of: "SELECT 1 FROM (\(links)) WHERE position IS NOT NULL")
    }

    private func isGoingOn(_ relationship: RelationshipLayout) -> Bool {
        plan.links.contains { link in
            link.sources.contains { $0.relationship.identifier == relationship.identifier }
        }
    }
}

extension ModelChange {
    /// Whether the affected data is deleted.
    fileprivate var isLoss: Bool {
        switch kind {
        case .dropped, .unordered: true
        case .added, .renamed, .parent, .table, .abstract, .concrete, .key, .type, .required,
            .optional, .destination, .toOne, .toMany, .ordered, .deleteRule, .inverse, .annotated:
            false
        }
    }
}
