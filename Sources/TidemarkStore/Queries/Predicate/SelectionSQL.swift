public import GRDB
public import TidemarkModel

/// The SQL that selects the rows of an entity that satisfy a predicate, for use in custom queries.
///
/// ```swift
/// let selection = try SelectionSQL(store.layout, "User", where: predicate)
/// let sql = "SELECT max(age) FROM \(selection.source) WHERE \(selection.condition)"
/// let oldest = try Int.fetchOne(db, sql: sql, arguments: selection.bindings)
/// ```
///
/// The connection must have the functions and collations that the SQL uses; see
/// ``Store/prepareQueries(_:)``.
public struct SelectionSQL: Sendable, Hashable {
    /// The entity's table with the alias that the condition uses, for a `FROM` clause.
    public let source: String

    /// The condition for a `WHERE` clause.
    ///
    /// It restricts the rows to the entity and those that inherit from it, and includes the
    /// predicate.
    public let condition: String

    /// The values for the parameters of the condition, in order.
    public let arguments: [Value]

    /// The values as arguments of a GRDB statement.
    public var bindings: StatementArguments {
        StatementArguments(arguments.map(\.databaseValue))
    }

    /// Compiles a predicate for an entity.
    ///
    /// - Parameters:
    ///   - layout: The layout of the store.
    ///   - entity: The name of the entity.
    ///   - predicate: The condition on its rows; nil for all rows.
    /// - Throws: ``StoreError/Code/unknownEntity``, or ``RecordPredicateError`` if the predicate
    ///   does not match the entity.
    public init(
        _ layout: StoreLayout,
        _ entity: String,
        where predicate: RecordPredicate? = nil
    ) throws {
        let entity = try layout.entity(entity)
        source = "\(layout.name(of: entity.table)) AS \(PredicateSQL.row)"
        let family = entity.family(of: PredicateSQL.row)
        guard let predicate else {
            condition = family ?? "1"
            arguments = []
            return
        }
        let sql = try predicate.sql(for: entity, in: layout)
        condition = family.map { "\($0) AND (\(sql.text))" } ?? sql.text
        arguments = sql.arguments
    }
}

extension RecordPredicate {
    /// Returns the SQL condition on a row of an entity.
    func sql(
        for entity: EntityLayout,
        in layout: StoreLayout
    ) throws(RecordPredicateError) -> SQLText {
        do throws(PredicateFault) {
            let typed = try PredicateTyping(layout: layout, entity: entity).typed(tree)
            return PredicateSQL(layout: layout).condition(typed)
        } catch {
            throw RecordPredicateError(error, in: text)
        }
    }
}

extension EntityLayout {
    /// Returns the condition that selects the rows of this entity and of those that inherit from
    /// it; nil if that is the whole table.
    func family(of alias: String) -> String? {
        family.map { names in
            "\(alias)._entity IN (\(names.map(\.quotedText).joined(separator: ", ")))"
        }
    }
}
