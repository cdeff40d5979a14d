import Foundation
import GRDB
import TidemarkModel

/// Functions and a collation for queries that SQLite does not have.
///
/// Only queries use them, never the schema: other tools could not read a database whose schema
/// does.
enum QueryFunction {
    static let fold = "tidemark_fold"
    static let matches = "tidemark_matches"
    static let decimalOrder = "tidemark_decimal"

    /// Adds the functions and collations to a connection that lacks them.
    static func prepare(_ db: Database) throws {
        // SQLite cannot replace a function while a statement of the connection is running.
        let isKnown = try Bool.fetchOne(
            db,
            sql: "SELECT 1 FROM pragma_collation_list WHERE name = ?",
            arguments: [decimalOrder]
        )
        if isKnown == nil { add(to: db) }
    }

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
                    for: String.fromDatabaseValue(values[1]) ?? "",
                    syntax: Int.fromDatabaseValue(values[2]).flatMap(PatternSyntax.init)
                        ?? .wildcards,
                    folding: TextFolding(rawValue: Int.fromDatabaseValue(values[3]) ?? 0)
                )
                return try pattern.matches(text)
            }
        )
        // The collation is added last: if it exists, the functions do too.
        db.add(collation: DatabaseCollation(decimalOrder, function: DecimalOrder.compare))
    }
}

/// A cache of the last pattern used: a query matches every row with the same one.
private final class TextPatternCache: Sendable {
    private struct Key: Equatable {
        let text: String
        let syntax: PatternSyntax
        let folding: TextFolding
    }

    private let recent: Locked<(key: Key, pattern: TextPattern)?> = Locked(nil)

    func pattern(
        for text: String,
        syntax: PatternSyntax,
        folding: TextFolding
    ) throws -> TextPattern {
        let key = Key(text: text, syntax: syntax, folding: folding)
        return try recent.withLock { recent in
            if let recent, recent.key == key { return recent.pattern }
            let pattern = try TextPattern(text, syntax: syntax, folding: folding)
            recent = (key, pattern)
            return pattern
        }
    }
}
