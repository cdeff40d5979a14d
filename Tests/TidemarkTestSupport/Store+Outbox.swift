import GRDB
package import TidemarkStore

extension Store {
    /// The local changes, a line each with its base values.
    package func outbox() throws -> String {
        try read { reader in
            try reader.capturedChanges().map { change in
                let base = change.base.map(\.text).sorted().joined(separator: ", ")
                let state = change.state == .pending ? "" : " \(change.state.rawValue)"
                return "\(change.row) \(change.kind.rawValue)\(state)"
                    + (base.isEmpty ? "" : ": \(base)")
            }
            .joined(separator: "\n")
        }
    }

    /// The recorded conflicts, a line for each property with its base, local and remote value, the
    /// one that was kept, and the decision.
    package func conflicts() throws -> String {
        try read { reader in
            try Row.fetchAll(
                reader.db,
                sql: """
                    SELECT entity, row, kind, property, base, local, remote, kept, \
                    coalesce(decision, 'open'), decidedBy FROM _tidemark_conflict \
                    LEFT JOIN _tidemark_conflict_value ON conflict = _id ORDER BY _id, property
                    """
            )
            .map { row in
                let text = row.map { _, value in
                    value.isNull ? "–" : String.fromDatabaseValue(value) ?? value.description
                }
                return "\(text[0])#\(text[1]) \(text[2]) \(text[3]): "
                    + "\(text[4...6].joined(separator: ", ")) → \(text[7]), \(text[8]) by \(text[9])"
            }
            .joined(separator: "\n")
        }
    }
}

extension BaseValue {
    fileprivate var text: String { "\(property.text)\(member == 0 ? "" : "[\(member)]")=\(value)" }
}

extension CapturedProperty {
    fileprivate var text: String {
        switch self {
        case .column(let name), .links(let name): name
        case .position(let relationship, let column): "\(relationship):\(column)"
        case .part(let table, let column): "\(table):\(column)"
        case .ofPart(let row, let property): "\(property.text):\(row)"
        }
    }
}
