import GRDB
import TidemarkModel

/// The clauses of the SQL that selects the rows of a request.
struct RequestSQL {
    /// The entity's table with its alias.
    private let source: SQLText

    /// The condition: the predicate, restricted to the entity and those that inherit from it.
    private let condition: SQLText

    /// The terms to order by, which end with the row number and so are never equal.
    private let order: SQLText

    private let limit: Int?
    private let offset: Int

    /// Compiles a request.
    ///
    /// - Throws: ``StoreError`` if an entity or an attribute is unknown, ``RecordPredicateError``
    ///   if the predicate does not match the entity.
    init(_ request: RecordRequest, in layout: StoreLayout) throws {
        let entity = try layout.entity(request.entity)
        source = "\(sql: layout.name(of: entity.table)) AS \(sql: PredicateSQL.row)"
        let family = entity.family(of: PredicateSQL.row).map { "\(sql: $0)" as SQLText }
        let predicate = try request.predicate?.sql(for: entity, in: layout)
        condition =
            switch (family, predicate) {
            case (let family?, let predicate?): "\(family) AND (\(predicate))"
            case (let part?, nil), (nil, let part?): part
            case (nil, nil): "1"
            }
        let terms = try request.sort.map { try $0.sql(for: entity, in: layout) }
        order = (terms + ["\(sql: PredicateSQL.row)._id"]).joined(by: ", ")
        limit = request.limit
        offset = request.offset
    }

    /// Returns the statement that selects columns of the rows, in the order of the request.
    func select(_ columns: [String]) -> SQLText {
        let columns = columns.map { "\(PredicateSQL.row).\($0)" }.joined(separator: ", ")
        var sql: SQLText = """
            SELECT \(sql: columns) FROM \(source) WHERE \(condition) ORDER BY \(order)
            """
        if limit != nil || offset != 0 {
            // In SQLite, OFFSET requires a LIMIT, and a negative LIMIT means no limit.
            sql.append(" LIMIT \(sql: String(limit ?? -1)) OFFSET \(sql: String(offset))")
        }
        return sql
    }

    /// The statement that counts the rows.
    var count: SQLText {
        limit == nil && offset == 0
            ? "SELECT count(*) FROM \(source) WHERE \(condition)"
            : "SELECT count(*) FROM (\(select(["_id"])))"
    }
}

extension SQLText {
    /// The values as arguments of a GRDB statement.
    var bindings: StatementArguments { StatementArguments(arguments.map(\.databaseValue)) }
}

extension RecordRequest.SortKey {
    /// Returns the term of an ORDER BY clause.
    ///
    /// Its columns are qualified: those of a joined or enclosing table may have the same names.
    fileprivate func sql(for entity: EntityLayout, in layout: StoreLayout) throws -> SQLText {
        let names = path.split(separator: ".", omittingEmptySubsequences: false)
        guard let attribute = entity.attribute(at: names.map(String.init), in: layout) else {
            let known = entity.attributes.map(\.attribute.name).sorted()
            throw StoreError(
                .unknownAttribute,
                "\(entity.name) cannot be sorted by \(path): it has no such attribute.",
                hint: "It has \(known.joined(separator: ", "))."
            )
        }
        var term = PredicateSQL(layout: layout).value(attribute.path)
        // Decimals are stored as text, which SQLite would sort by its characters.
        if attribute.type == .decimal { term.append(" COLLATE \(sql: QueryFunction.decimalOrder)") }
        if direction == .descending { term.append(" DESC") }
        return term
    }
}

extension EntityLayout {
    /// Returns the attribute at the end of a path of to-one relationships; nil without one.
    fileprivate func attribute(
        at names: [String],
        in layout: StoreLayout
    ) -> (path: TypedPath, type: AttributeType)? {
        var entity = self
        var hops: [RelationshipLayout] = []
        for name in names.dropLast() {
            guard let hop = entity.relationship(name), !hop.relationship.isToMany else {
                return nil
            }
            hops.append(hop)
            entity = layout.entities[hop.destination]
        }
        return names.last.flatMap(entity.attribute).map { attribute in
            let end = TypedPath.End.column(table: entity.table, attribute.column)
            return (TypedPath(origin: .row, hops: hops, end: end), attribute.attribute.type)
        }
    }

    /// Returns the condition that selects the rows of this entity and of those that inherit from
    /// it; nil if that is the whole table.
    func family(of alias: String) -> String? {
        family.map { names in
            "\(alias)._entity IN (\(names.map(\.quotedText).joined(separator: ", ")))"
        }
    }
}
