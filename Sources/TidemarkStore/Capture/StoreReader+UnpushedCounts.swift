import GRDB

extension StoreReader {
    /// Returns how many objects of an entity the service has more than the store has rows with a
    /// key, because of local changes that were not pushed; a negative number if it has less.
    ///
    /// - Parameters:
    ///   - entity: The entity. Rows of entities that inherit from it are counted, too.
    ///   - relationship: A to-one relationship; nil for all rows.
    ///   - parent: The number of the row to which the relationship leads from the counted rows.
    /// - Returns: The difference.
    /// - Throws: `DatabaseError`.
    package func unpushedDifference(
        of entity: EntityLayout,
        linkedBy relationship: RelationshipLayout? = nil,
        to parent: Int64 = 0
    ) throws -> Int {
        guard try Capture.isInstalled(db) else { return 0 }
        let counts = UnpushedCounts(layout, entity, relationship)
        return try [counts.deleted, counts.moved].reduce(0) { sum, sql in
            guard let sql else { return sum }
            return try sum + count(sql, parent)
        } - count(counts.created, parent) - count(counts.uncollected, parent)
    }

    private func count(_ sql: String, _ parent: Int64) throws -> Int {
        // Not every query has the parameter.
        try Int.fetchOne(
            db,
            sql: "WITH _p(parent) AS (SELECT ?) \(sql)",
            arguments: [parent]
        ) ?? 0
    }
}

/// The queries that count rows with local changes.
private struct UnpushedCounts {
    private let table: String
    private let tree: String
    private let isKeyed: String
    private let family: String
    private let entities: String

    /// The column that refers to the parent; nil for all rows.
    private let column: String?

    init(_ layout: StoreLayout, _ entity: EntityLayout, _ relationship: RelationshipLayout?) {
        table = layout.name(of: entity.table)
        tree = layout.tables[entity.table].name.quotedText
        isKeyed = entity.key.isEmpty ? "0" : layout.hasKeyCondition(entity, in: "t")
        family = entity.familyCondition
        entities =
            entity.family
            .map { " AND c.entity IN (\($0.map(\.quotedText).joined(separator: ", ")))" } ?? ""
        if case .column(let index) = relationship?.storage {
            column = layout.tables[entity.table].columns[index].name
        } else {
            column = nil
        }
    }

    /// A condition on the present parent of a row.
    private var isChild: String {
        column.map { " AND t.\($0.quotedDatabaseIdentifier) = (SELECT parent FROM _p)" } ?? ""
    }

    /// A condition on the parent that the service knows.
    private func wasChild(_ column: String, _ comparison: String) -> String {
        """
        EXISTS (SELECT 1 FROM _tidemark_base b WHERE b.change = c._id \
        AND b.property = \(column.quotedText) AND b.member = 0 \
        AND b.value \(comparison) (SELECT parent FROM _p))
        """
    }

    /// Rows that were deleted, unless the service does not have them.
    var deleted: String {
        """
        SELECT count(*) FROM _tidemark_change c WHERE c.tree = \(tree) AND c.kind = 'delete'\
        \(entities) AND NOT EXISTS (SELECT 1 FROM _tidemark_change f WHERE f.tree = c.tree \
        AND f.row = c.row AND f.frozen AND f.kind = 'create')\
        \(column.map { " AND \(wasChild($0, "="))" } ?? "")
        """
    }

    /// Rows that were moved from the parent to another one, less those that were moved to it.
    var moved: String? {
        guard let column else { return nil }
        let name = "t.\(column.quotedDatabaseIdentifier)"
        return """
            SELECT coalesce(sum(CASE WHEN \(wasChild(column, "=")) \
            AND \(name) IS NOT (SELECT parent FROM _p) THEN 1 WHEN \(wasChild(column, "IS NOT")) \
            AND \(name) = (SELECT parent FROM _p) THEN -1 ELSE 0 END), 0) \
            FROM _tidemark_change c JOIN \(table) t ON t._id = c.row \
            WHERE c.tree = \(tree) AND c.kind = 'update'\(entities)
            """
    }

    /// Rows that were created and got a key of their own.
    var created: String {
        """
        SELECT count(*) FROM _tidemark_change c JOIN \(table) t ON t._id = c.row \
        WHERE c.tree = \(tree) AND c.kind = 'create' AND \(isKeyed)\(entities)\(isChild)
        """
    }

    /// Rows that were created since changes were last collected.
    var uncollected: String {
        """
        SELECT count(*) FROM \(table) t WHERE t._id > (SELECT watermark FROM _tidemark_capture \
        WHERE tree = \(tree)) AND \(isKeyed)\(family)\(isChild)
        """
    }
}
