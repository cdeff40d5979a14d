import GRDB
import TidemarkModel

/// A row without a link that its model requires.
///
/// A service may leave such a link out, or name a row that no list contains. The import stores the
/// row all the same, so that its other values are not lost. If the service named the missing row,
/// the link appears when that row is stored. Code that reads a required relationship must therefore
/// handle an empty one.
public struct MissingLink: Sendable, Hashable {
    /// The row without the link.
    public let row: RowReference

    /// The name of the to-one relationship, which is not optional in the model.
    public let relationship: String
}

extension StoreReader {
    /// Returns the rows that lack a required to-one link, entity by entity.
    ///
    /// Use it after a complete pull to find objects that the service does not list, or
    /// relationships that should be optional in the model.
    ///
    /// ```swift
    /// let missing = try store.read { reader in try reader.missingLinks() }
    /// for link in missing { print(link.row, link.relationship) }   // Film#4 director
    /// ```
    ///
    /// To-many relationships are never missing. Each required relationship is a query over its
    /// table.
    ///
    /// - Parameter limit: The maximum number of links that are returned; none if it is negative.
    ///   Defaults to 1,000.
    /// - Returns: The rows, each with the relationship that it lacks.
    /// - Throws: `DatabaseError`.
    public func missingLinks(limit: Int = 1_000) throws -> [MissingLink] {
        var missing: [MissingLink] = []
        for entity in layout.entities where !entity.isAbstract {
            for relationship in entity.relationships {
                guard let condition = lacks(relationship) else { continue }
                let rows = try Int64.fetchAll(
                    db,
                    sql: """
                        SELECT _id FROM \(layout.name(of: entity.table)) AS row \
                        WHERE \(condition)\(entity.ownCondition(in: layout)) ORDER BY _id LIMIT ?
                        """,
                    // A negative LIMIT means no limit in SQLite.
                    arguments: [max(0, limit - missing.count)]
                )
                missing += rows.map {
                    MissingLink(
                        row: RowReference(entity.name, $0),
                        relationship: relationship.relationship.name
                    )
                }
            }
        }
        return missing
    }

    /// Returns the condition that a row lacks the link of a required to-one relationship, or nil if
    /// the relationship is not of that kind.
    private func lacks(_ relationship: RelationshipLayout) -> String? {
        guard !relationship.relationship.isOptional, !relationship.relationship.isToMany else {
            return nil
        }
        switch relationship.storage {
        case .column(let column):
            return "row.\(layout.name(of: column, in: relationship.table)) IS NULL"
        case .inverse(let table, let column, _):
            return "NOT EXISTS (SELECT 1 FROM \(layout.name(of: table)) AS linked "
                + "WHERE linked.\(layout.name(of: column, in: table)) = row._id)"
        case .join:
            return nil
        }
    }
}
