import GRDB
import TidemarkModel

/// The clauses of the SQL that selects the rows of a request.
struct RequestSQL {
    /// The entity's table with its alias.
    let source: SQLText

    /// The condition: the predicate, restricted to the entity and those that inherit from it.
    let condition: SQLText

    /// The terms to order by, before the row number.
    let terms: [Term]

    /// The joins with the rows whose values the terms contain; empty without one.
    let joins: SQLText

    let limit: Int?
    let offset: Int

    /// Compiles a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - rows: The rows among which it selects; nil for all.
    ///   - layout: The layout of the store.
    /// - Throws: ``StoreError`` if an entity or an attribute is unknown, ``RecordPredicateError``
    ///   if the predicate does not match the entity.
    init(
        _ request: RecordRequest,
        among rows: ArraySlice<Int64>? = nil,
        in layout: StoreLayout
    ) throws {
        let entity = try layout.entity(request.entity)
        source = "\(sql: layout.name(of: entity.table)) AS \(sql: PredicateSQL.row)"
        let family = entity.family(of: PredicateSQL.row).map { "\(sql: $0)" as SQLText }
        let predicate = try request.predicate?.sql(for: entity, in: layout)
        let selected = rows.map { "\(sql: Self.number) IN (\(.each($0)))" as SQLText }
        let conditions = [selected, family, predicate].compactMap(\.self)
        condition =
            switch conditions.count {
            case 0: "1"
            case 1: conditions[0]
            default: conditions.map { "(\($0))" as SQLText }.joined(by: " AND ")
            }
        var joined = JoinedRows(layout: layout)
        terms = try request.sort.map { try $0.term(for: entity, joining: &joined) }
        joins = joined.sql
        limit = request.limit
        offset = request.offset
    }

    /// A term of an `ORDER BY` clause.
    struct Term {
        let value: SQLText

        /// The type of the attribute.
        let type: AttributeType

        /// How its values are compared.
        let order: OrderKey.Term

        var sql: SQLText {
            var sql = value
            // Decimals are stored as text, which SQLite would sort by its characters.
            if order.isDecimal { sql.append(" COLLATE \(sql: QueryFunction.decimalOrder)") }
            if order.isDescending { sql.append(" DESC") }
            return sql
        }
    }

    /// The terms to order by, before the row number.
    var order: [SQLText] { terms.map(\.sql) }

    /// Returns the statement that selects columns of the rows, in the order of the request.
    ///
    /// - Parameter columns: The SQL of the columns after the row number.
    /// - Returns: The statement.
    func select(_ columns: [String] = []) -> SQLText {
        select(columns.map { "\(sql: $0)" as SQLText })
    }

    /// Returns the statement that selects values of the rows, in the order of the request.
    ///
    /// - Parameter values: The values after the row number.
    /// - Returns: The statement.
    func select(_ values: [SQLText]) -> SQLText {
        let columns = (["\(sql: Self.number)"] + values).joined(by: ", ")
        let order = (order + ["\(sql: Self.number)"]).joined(by: ", ")
        var sql: SQLText = """
            SELECT \(columns) FROM \(source)\(joins) WHERE \(condition) ORDER BY \(order)
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
            : "SELECT count(*) FROM (\(select()))"
    }

    /// The name at the end of a path for the number of linked rows.
    static let countName = "@count"

    /// Returns the value at the end of a path: that of an attribute, or the number of linked rows.
    ///
    /// - Parameters:
    ///   - path: The names, joined by dots.
    ///   - entity: The entity at which the path begins.
    ///   - layout: The layout of the store.
    /// - Returns: The path and the type of the value.
    /// - Throws: ``StoreError/Code/unknownAttribute``.
    static func value(
        at path: String,
        of entity: EntityLayout,
        in layout: StoreLayout
    ) throws(StoreError) -> (path: TypedPath, type: AttributeType) {
        let names = path.split(separator: ".", omittingEmptySubsequences: false)
        if let found = entity.value(at: names.map(String.init), in: layout) { return found }
        let known = entity.attributes.map(\.attribute.name).sorted()
        throw StoreError(
            .unknownAttribute,
            "\(entity.name) cannot be sorted by \(path): it has no such attribute.",
            hint: "It has \(known.joined(separator: ", "))."
        )
    }

    /// The row number of a row.
    static let number = "\(PredicateSQL.row)._id"
}

extension SQLText {
    /// Returns the query for row numbers, as one value: the text of a statement then does not
    /// depend on how many there are.
    static func each(_ rows: some Sequence<Int64>) -> SQLText {
        let list = "[\(rows.map(String.init).joined(separator: ","))]"
        return "SELECT value FROM json_each(\(.string(list)))"
    }

    /// The values as arguments of a GRDB statement.
    var bindings: StatementArguments { StatementArguments(arguments.map(\.databaseValue)) }
}

extension RecordRequest.SortKey {
    /// Returns the term of an `ORDER BY` clause.
    ///
    /// Its columns are qualified: those of a joined or enclosing table may have the same names.
    fileprivate func term(
        for entity: EntityLayout,
        joining joined: inout JoinedRows
    ) throws -> RequestSQL.Term {
        let (path, type) = try RequestSQL.value(at: path, of: entity, in: joined.layout)
        var term = joined.value(path)
        if !folding.isEmpty {
            term = "\(sql: QueryFunction.fold)(\(term), \(.integer(Int64(folding.rawValue))))"
        }
        let isDescending = direction == .descending
        return RequestSQL.Term(
            value: term,
            type: type,
            order: OrderKey.Term(isDescending: isDescending, isDecimal: type == .decimal)
        )
    }
}

extension EntityLayout {
    /// Returns the attribute at the end of a path of to-one relationships, or the number of the
    /// rows of a to-many one; nil without one.
    fileprivate func value(
        at names: [String],
        in layout: StoreLayout
    ) -> (path: TypedPath, type: AttributeType)? {
        var entity = self
        var hops: [RelationshipLayout] = []
        let isCount = names.last == RequestSQL.countName
        for name in names.dropLast(isCount ? 2 : 1) {
            guard let hop = entity.relationship(name), !hop.relationship.isToMany else {
                return nil
            }
            hops.append(hop)
            entity = layout.entities[hop.destination]
        }
        if isCount {
            guard let list = names.dropLast().last.flatMap(entity.relationship),
                list.relationship.isToMany
            else { return nil }
            let end = TypedPath.End.count(list, where: nil)
            return (TypedPath(origin: .row, hops: hops, end: end), .integer64)
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
