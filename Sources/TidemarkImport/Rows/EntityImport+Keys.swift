import GRDB
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// Primary keys with parts that may be stored in the row of a parent.
extension EntityImport {
    /// Converts a value of a primary key, which may be stored in the row of a parent.
    func coerceKeyPart(_ place: Int, _ value: JSONNode, into arena: ValueArena) -> CoercionResult {
        if let slot = plan.keyParts[place].slot { return coerceKey(slot, value, into: arena) }
        return plan.keyParts[place].coercion.coerceKey(value, into: arena)
    }

    /// Finds the row with the key of a frame whose parent was not stored when the row was inserted,
    /// and compares it with the frame.
    ///
    /// The row is found by its unresolved reference to the parent.
    func compareHeld(_ frame: ObjectFrame, _ context: ObjectContext) throws -> Comparison? {
        guard try awaitsParents else { return nil }
        var values: [StoredValue] = []
        func mark(_ value: StoredValue) -> String {
            values.append(value)
            return "?\(values.count)"
        }
        var conditions = plan.key.filter { $0 < plan.attributeCount }
            .map { "\(name($0)) = \(mark(frame.values[$0]))" }
        for place in plan.keyRelationships {
            let relationship = relationships[place]
            guard let slot = relationship.slot else { continue }
            let key: String
            var isStored = ""
            if case .integer = frame.values[slot] {
                let parent = writer.layout.entities[relationship.layout.destination]
                let table = writer.layout.tables[parent.table].name.quotedDatabaseIdentifier
                let parts = writer.layout.keyExpressions(of: parent, in: table)
                let number = mark(frame.values[slot])
                key = "(SELECT \(writer.keyExpression(parts)) FROM \(table) WHERE _id = \(number))"
                // A single parent has no row with this key: the index on the key was searched
                // before.
                if plan.keyRelationships.count > 1 { isStored = "\(name(slot)) = \(number) OR " }
            } else {
                let parts = (0..<relationship.keyPartCount).map {
                    mark(frame.missingKeys[relationship.firstPart + $0])
                }
                key = writer.keyExpression(parts)
            }
            conditions.append(
                "(\(isStored)\(name(slot)) IS NULL AND EXISTS (SELECT 1 FROM _tidemark_held AS h "
                    + "WHERE h.relationship = '\(relationship.layout.identifier)' "
                    + "AND h.owner = \(tableName)._id AND h.key = \(key)))"
            )
        }
        let find = try writer.statement(
            "SELECT \(columns) FROM \(tableName) WHERE \(conditions.joined(separator: " AND "))"
        )
        for (index, value) in values.enumerated() { find.bind(value, at: index + 1) }
        return try compare(find, frame, context)
    }

    /// Returns whether the index on the key finds a row with the key of a frame.
    ///
    /// It does not contain rows whose parent is not stored yet.
    func isKeyIndexed(_ frame: ObjectFrame) throws -> Bool {
        try plan.keyRelationships.isEmpty
            || !awaitsParents
                && plan.keyRelationships.allSatisfy { place in
                    relationships[place].slot.map { !frame.values[$0].isNull } ?? false
                }
    }

    /// Whether there are unresolved references to parents within which the key is unique.
    var awaitsParents: Bool {
        get throws {
            for place in plan.keyRelationships
            where try writer.hasUnresolved(relationships[place].layout) { return true }
            return false
        }
    }

    /// Returns the row with a key of these parts, or nil.
    func number(ofKey parts: UnsafeMutablePointer<StoredValue>) throws -> Int64? {
        let statement = try findReferenced.get()
        for index in plan.keyParts.indices {
            statement.bind(parts[index], at: index + 1)
        }
        defer { statement.reset() }
        return try statement.step() ? statement.integer(at: 0) : nil
    }
}
