import GRDB
import TidemarkModel

/// What a store with a layout records of local changes.
///
/// A change of a row with a primary key is recorded for the row. A change of a row without one,
/// which exists only as a part of other rows, is recorded for the rows that contain it. A link is
/// recorded for the row whose object a push sends. See `Relationship.JSONRepresentation.push`.
///
/// A base value is recorded for a property and a member, which is 0 for a column:
///
/// | property | member | value |
/// |---|---|---|
/// | `text`, a column | 0 | the value |
/// | `Note.tags`, links | the linked row | 1: was linked, 0: was not |
/// | `User.addresses`, contained rows | the row | also 2: was contained in another row |
/// | `Note.tags` | −1 | NULL: the order has changed; 2: the list is sent again as a whole |
/// | `Note.tags` | less than −1 | the key of an unresolved reference |
/// | `Note.tags:position` | the linked row | the column of the link |
/// | `Address:city` | the contained row | the column of that row |
/// | `Address.tags:12` | the linked row | as `Note.tags`, for the contained row 12 |
struct CapturePlan: Sendable {
    let layout: StoreLayout

    /// The indexes of the tables with a keyed entity.
    let trees: [Int]

    /// The columns whose changes are recorded, by table.
    let columns: [[Int]]

    /// The relationships whose links are recorded for the rows that have the relationship.
    let lists: [CapturedList]

    /// The relationships by which rows without a primary key are parts of others.
    let parts: [ContainedRows]

    init(_ layout: StoreLayout, sides: LinkSides = LinkSides()) {
        self.layout = layout
        trees = layout.tables.indices.filter { !layout.tables[$0].keys.isEmpty }
        let relationships = layout.relationships.values.sorted { $0.identifier < $1.identifier }
        columns = layout.tables.indices.map {
            layout.pushedColumns(of: $0, relationships, sides: sides)
        }
        lists = relationships.compactMap { layout.capturedList(of: $0, sides: sides) }
        parts = ContainedRows.all(in: layout, relationships)
    }

    /// Returns the plan of a store that records local changes.
    static func of(_ db: Database, _ layout: StoreLayout) throws -> CapturePlan {
        CapturePlan(layout, sides: try StoreMetadata.linkSides(db))
    }

    /// Returns the ways in which rows of a table are contained in rows with a primary key.
    func parts(in table: Int) -> [ContainedRows] { parts.filter { $0.table == table } }
}

extension StoreLayout {
    /// Returns the names of an entity's relationships that requests for its rows do not contain,
    /// because their links are sent with the rows on the other side.
    package func relationshipsNotPushed(
        of entity: EntityLayout,
        sides: LinkSides
    ) -> Set<String> {
        let plan = CapturePlan(self, sides: sides)
        let pushed = Set(
            plan.lists.map(\.relationship.identifier)
                + plan.parts.compactMap(\.path.first?.identifier)
        )
        let others = entity.relationships.filter { relationship in
            if case .column(let column) = relationship.storage,
                plan.columns[entity.table].contains(column)
            {
                return false
            }
            return !pushed.contains(relationship.identifier)
        }
        return Set(others.map(\.relationship.name))
    }
}

/// A relationship whose links are recorded for the row that has the relationship.
struct CapturedList: Sendable {
    let relationship: RelationshipLayout

    /// The table that stores the links.
    let source: String

    /// The column of the row that has the relationship.
    let owner: String

    /// The column of the linked row.
    let member: String

    /// The columns that order the links, by which they are restored.
    let positions: [String]

    /// The column whose changes are changes of the list; nil if its order is not pushed.
    let order: String?
}

/// Rows without a primary key that are contained in rows with one.
struct ContainedRows: Sendable {
    /// The relationships that lead from a row with a primary key to the contained rows.
    let path: [RelationshipLayout]

    /// The index of the table of the contained rows.
    let table: Int

    /// The relationship that the containing row has.
    let relationship: RelationshipLayout

    /// How many relationships a path may have.
    ///
    /// Changes of rows that are nested more deeply are not recorded.
    private static let longestPath = 3

    private init(path: [RelationshipLayout], last: RelationshipLayout, layout: StoreLayout) {
        self.path = path
        relationship = last
        table = layout.entities[last.destination].table
    }

    static func all(
        in layout: StoreLayout,
        _ relationships: [RelationshipLayout]
    ) -> [ContainedRows] {
        let containing = relationships.filter { layout.containsParts($0) }
        var found: [ContainedRows] = []
        var paths = containing.filter { !layout.tables[$0.table].keys.isEmpty }.map { [$0] }
        for _ in 0..<longestPath {
            found += paths.compactMap { path in
                path.last.map { ContainedRows(path: path, last: $0, layout: layout) }
            }
            paths = paths.flatMap { path in
                containing.filter { next in
                    path.last.map { layout.entities[$0.destination].table } == next.table
                        && !path.contains {
                            $0.identifier == next.identifier
                                || layout.inverse(of: $0)?.identifier == next.identifier
                        }
                }
                .map { path + [$0] }
            }
        }
        return found
    }
}

extension StoreLayout {
    /// Returns whether the linked rows of a relationship are parts of the rows that have it.
    fileprivate func containsParts(_ relationship: RelationshipLayout) -> Bool {
        guard entities[relationship.destination].key.isEmpty,
            relationship.relationship.json.isExportable
        else { return false }
        // The member of a list does not contain the row that has the list.
        if case .column = relationship.storage, let inverse = inverse(of: relationship) {
            return !inverse.relationship.isToMany
        }
        return true
    }

    /// Returns the columns of a table whose values a push sends, and its keys.
    fileprivate func pushedColumns(
        of table: Int,
        _ relationships: [RelationshipLayout],
        sides: LinkSides
    ) -> [Int] {
        var columns = Set(tables[table].keys.joined())
        for entity in entities where entity.table == table {
            for attribute in entity.attributes where attribute.attribute.json.isExportable {
                columns.insert(attribute.column)
            }
        }
        for relationship in relationships where relationship.table == table {
            if case .column(let column) = relationship.storage,
                pushesColumn(relationship, sides: sides)
            {
                columns.insert(column)
            }
        }
        return columns.sorted()
    }

    /// Returns whether a push sends the rows that have the foreign key of a relationship.
    private func pushesColumn(_ relationship: RelationshipLayout, sides: LinkSides) -> Bool {
        guard relationship.relationship.json.isExportable else { return false }
        guard let inverse = inverse(of: relationship) else { return true }
        return inverse.relationship.json.push != .thisSide
            && (!sides.contains(inverse) || sides.contains(relationship))
    }

    /// Returns how the links of a relationship are recorded for the rows that have it; nil if they
    /// are recorded for the linked rows, or by a column of the rows themselves.
    fileprivate func capturedList(
        of relationship: RelationshipLayout,
        sides: LinkSides
    ) -> CapturedList? {
        switch relationship.storage {
        case .column:
            return nil
        case .inverse(let table, let column, let position):
            guard pushesList(relationship, sides: sides), !tables[table].keys.isEmpty else {
                return nil
            }
            let order = position.map { tables[table].columns[$0].name }
            return CapturedList(
                relationship: relationship,
                source: tables[table].name,
                owner: tables[table].columns[column].name,
                member: "_id",
                positions: order.map { [$0] } ?? [],
                order: order
            )
        case .join(let index, let side):
            guard pushesPairs(relationship, sides: sides) else { return nil }
            let join = joins[index]
            return CapturedList(
                relationship: relationship,
                source: join.name,
                owner: side.ownColumn,
                member: side.otherColumn,
                positions: [JoinSide.owner, .member].compactMap(join.positionColumn),
                order: join.positionColumn(side)
            )
        }
    }

    /// Returns whether a push sends the list of a relationship whose inverse has the foreign key.
    private func pushesList(_ relationship: RelationshipLayout, sides: LinkSides) -> Bool {
        if sides.contains(relationship) { return true }
        let json = relationship.relationship.json
        guard json.push == nil, let inverse = inverse(of: relationship) else {
            return json.push != nil
        }
        return json.isExportable && !inverse.relationship.json.isExportable
    }

    /// Returns whether a push sends the rows that have a relationship when pairs of its join table
    /// change.
    private func pushesPairs(_ relationship: RelationshipLayout, sides: LinkSides) -> Bool {
        let json = relationship.relationship.json
        guard json.isExportable else { return false }
        guard let inverse = inverse(of: relationship),
            inverse.identifier != relationship.identifier
        else { return true }
        let hasKeys = [relationship.table, inverse.table].map { !tables[$0].keys.isEmpty }
        // A link of a row without a primary key is a part of the rows that contain it.
        guard hasKeys == [true, true] else { return true }
        if sides.contains(relationship) || sides.contains(inverse) {
            return sides.contains(relationship)
        }
        let other = inverse.relationship.json
        guard other.isExportable, other.push == nil else { return other.push == nil }
        return json.push != nil || relationship.storage.isOwner
    }
}

extension RelationshipStorage {
    /// Whether the row that has the relationship is the owner of the pairs of a join table.
    fileprivate var isOwner: Bool {
        if case .join(_, .owner) = self { true } else { false }
    }

    /// Whether either row of a pair of a join table has the relationship.
    var isSymmetric: Bool {
        if case .join(_, .either) = self { true } else { false }
    }
}
