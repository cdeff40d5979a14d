import Foundation
public import GRDB
import TidemarkModel

/// What queries use that SQLite does not have; only queries name it, never the schema.
enum QueryFunction {
    static let fold = "tidemark_fold"
    static let matches = "tidemark_matches"
    static let decimalOrder = "tidemark_decimal"

    static func add(to db: Database) {
        let patterns = TextPatternCache()
        db.add(
            function: DatabaseFunction(fold, argumentCount: 2, pure: true) { values in
                guard let text = String.fromDatabaseValue(values[0]) else { return nil }
                return TextFolding(rawValue: Int.fromDatabaseValue(values[1]) ?? 0).fold(text)
            }
        )
        db.add(
            function: DatabaseFunction(matches, argumentCount: 4, pure: true) { values in
                guard let text = String.fromDatabaseValue(values[0]) else { return nil }
                let pattern = try patterns.pattern(
                    String.fromDatabaseValue(values[1]) ?? "",
                    Int.fromDatabaseValue(values[2]).flatMap(PatternSyntax.init) ?? .wildcards,
                    TextFolding(rawValue: Int.fromDatabaseValue(values[3]) ?? 0)
                )
                return try pattern.matches(text)
            }
        )
        // Last: where it is known, the functions are too.
        db.add(collation: DatabaseCollation(decimalOrder, function: DecimalOrder.compare))
    }
}

/// The pattern that was used last: a query asks for the same one row after row.
private final class TextPatternCache: Sendable {
    private struct Key: Equatable {
        let text: String
        let syntax: PatternSyntax
        let folding: TextFolding
    }

    private let recent: Locked<(key: Key, pattern: TextPattern)?> = Locked(nil)

    func pattern(
        _ text: String,
        _ syntax: PatternSyntax,
        _ folding: TextFolding
    ) throws -> TextPattern {
        let key = Key(text: text, syntax: syntax, folding: folding)
        return try recent.withLock { recent in
            if let recent, recent.key == key { return recent.pattern }
            let pattern = try TextPattern(text, syntax, folding)
            recent = (key, pattern)
            return pattern
        }
    }
}

extension Store {
    /// Makes the functions and collations of queries known to a connection.
    ///
    /// A store's own connections know them from the start; an app's own do after the first request
    /// with a predicate or an order. Only queries of one's own made of ``SelectionSQL`` need this.
    public func prepareQueries(_ db: Database) throws {
        let isKnown = try Bool.fetchOne(
            db,
            sql: "SELECT 1 FROM pragma_collation_list WHERE name = ?",
            arguments: [QueryFunction.decimalOrder]
        )
        if isKnown == nil { QueryFunction.add(to: db) }
    }
}
