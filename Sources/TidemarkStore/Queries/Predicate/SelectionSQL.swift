public import GRDB
public import TidemarkModel

/// The rows that an entity's predicate selects, as SQL for a query of one's own.
///
/// ```swift
/// let selection = try SelectionSQL(store.layout, "User", where: predicate)
/// let sql = "SELECT max(age) FROM \(selection.source) WHERE \(selection.condition)"
/// let oldest = try Int.fetchOne(db, sql: sql, arguments: selection.bindings)
/// ```
///
/// The functions and collations it names must be known to the connection; see
/// ``Store/prepareQueries(_:)``.
public struct SelectionSQL: Sendable, Hashable {
    /// The entity's table under the alias that the condition uses.
    public let source: String

    /// What holds for the rows: of the entity or one that inherits from it, and the predicate.
    public let condition: String

    /// The values for the condition's question marks, in their order.
    public let arguments: [Value]

    /// The values in the form that GRDB binds.
    public var bindings: StatementArguments {
        StatementArguments(arguments.map(\.databaseValue))
    }

    /// Compiles a predicate for an entity.
    ///
    /// - Parameters:
    ///   - layout: Where the entity lies.
    ///   - entity: The entity's name.
    ///   - predicate: What its rows must meet; nil for all of them.
    /// - Throws: ``StoreError/Code/unknownEntity``, or ``RecordPredicateError`` when the predicate
    ///   does not fit the entity.
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
    /// The condition on a row of an entity.
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
    /// What tells this entity's rows from others of its table; nil when all are.
    func family(of alias: String) -> String? {
        family.map { names in
            "\(alias)._entity IN (\(names.map(\.quotedText).joined(separator: ", ")))"
        }
    }
}
