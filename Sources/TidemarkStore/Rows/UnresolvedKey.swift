import Foundation
import GRDB
package import TidemarkModel

/// The primary key of a row that an unresolved reference refers to.
package struct UnresolvedKey: Sendable {
    /// The values of its parts.
    package let parts: [Value]

    /// The position in an ordered list; nil if the list is not ordered.
    package let position: Int?
}

extension StoreReader {
    /// Returns the keys of the unresolved references of a row in a relationship, in the order of
    /// the list.
    package func unresolvedKeys(
        _ relationship: RelationshipLayout,
        of row: Int64
    ) throws -> [UnresolvedKey] {
        guard try hasAnyUnresolved() else { return [] }
        let destination = layout.entities[relationship.destination]
        let types = destination.keyParts.map(\.attribute.type)
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT key, position FROM _tidemark_held WHERE relationship = ? AND owner = ? \
                    ORDER BY position IS NULL, position, _id
                    """
            ),
            arguments: [relationship.identifier, row]
        )
        return rows.compactMap { row in
            UnresolvedKey.parts(of: row[0], count: types.count).map { parts in
                UnresolvedKey(parts: zip(parts, types).map(Value.init), position: row[1])
            }
        }
    }

    /// Returns whether the store has any unresolved references.
    package func hasAnyUnresolved() throws -> Bool {
        if let anyUnresolved { return anyUnresolved }
        let find = try statement("SELECT 1 FROM _tidemark_held LIMIT 1")
        defer { find.reset() }
        let found = try find.step()
        anyUnresolved = found
        return found
    }
}

extension UnresolvedKey {
    /// Splits the key of an unresolved reference into its parts.
    ///
    /// A key with one part is stored unchanged. Several parts are stored as a list of SQL literals,
    /// separated by commas.
    ///
    /// - Returns: The parts; nil if there are not exactly `count` valid ones.
    static func parts(of key: DatabaseValue, count: Int) -> [DatabaseValue]? {
        guard count > 1 else { return [key] }
        guard let text = String.fromDatabaseValue(key) else { return nil }
        var parts: [DatabaseValue] = []
        // Scalars, because a combining mark forms one character with the quote or comma before it.
        var rest = Substring.UnicodeScalarView(text.unicodeScalars)
        while let part = literal(&rest) {
            parts.append(part)
            guard rest.first == "," else { break }
            rest = rest.dropFirst()
        }
        return parts.count == count && rest.isEmpty ? parts : nil
    }

    /// Removes a literal from the beginning of a text and returns its value.
    ///
    /// The format is that of SQLite's `quote` function.
    private static func literal(_ rest: inout Substring.UnicodeScalarView) -> DatabaseValue? {
        if rest.first == "X" {
            rest = rest.dropFirst()
            return quoted(&rest).flatMap { bytes($0) }?.databaseValue
        }
        guard rest.first == "'" else {
            let text = rest.prefix { $0 != "," }
            rest = rest.dropFirst(text.count)
            let number = String(text)
            return Int64(number).map(\.databaseValue) ?? Double(number).map(\.databaseValue)
        }
        return quoted(&rest)?.databaseValue
    }

    private static func quoted(_ rest: inout Substring.UnicodeScalarView) -> String? {
        var text = String.UnicodeScalarView()
        rest = rest.dropFirst()
        while let scalar = rest.popFirst() {
            guard scalar == "'" else {
                text.append(scalar)
                continue
            }
            guard rest.first == "'" else { return String(text) }
            text.append("'")
            rest = rest.dropFirst()
        }
        return nil
    }

    private static func bytes(_ digits: String) -> Data? {
        let digits = Array(digits)
        let pairs = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0...$0 + 1] }
        let bytes = pairs.compactMap { UInt8(String($0), radix: 16) }
        return bytes.count * 2 == digits.count ? Data(bytes) : nil
    }
}
