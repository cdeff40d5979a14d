import GRDB
import TidemarkModel

/// Local changes that were not pushed and that the new model cannot represent.
extension MigrationCheck {
    /// Rejects the migration if it would lose a local change.
    ///
    /// A change whose request is being sent cannot be discarded: it is unknown whether the service
    /// has applied it.
    mutating func checkChanges(_ policy: UnpushedChangePolicy) throws {
        guard try Capture.isInstalled(db) else { return }
        let moves = ChangeMoves(plan, sides: try StoreMetadata.linkSides(db))
        let changes = try Row.fetchAll(
            db,
            sql: "SELECT _id, row, entity, kind, frozen FROM _tidemark_change ORDER BY _id"
        )
        var lost: [String: (count: Int, first: RowReference)] = [:]
        for change in changes {
            let entity: String = change["entity"]
            let row = RowReference(entity, change["row"])
            guard let move = moves.move(ofEntity: entity) else {
                if change["frozen"] == true {
                    reject(
                        at: entity,
                        because: "A change of \(row) may have been applied by the service.",
                        hint: "Push first, which finds out whether it was.",
                        row: row,
                        count: 1
                    )
                }
                lost[entity, default: (0, row)].count += 1
                continue
            }
            guard change["kind"] == CapturedChange.Kind.update.rawValue else { continue }
            let names = try base(of: change["_id"])
                .filter { moves.moved($0.value, of: $0.property, in: move) == nil }
                .compactMap { Self.name(of: $0.property, in: entity) }
            for name in Set(names) { lost[name, default: (0, row)].count += 1 }
        }
        guard policy == .reject else { return }
        for (location, changes) in lost.sorted(by: { $0.key < $1.key }) {
            reject(
                at: location,
                because: "\(counted(changes.count, noun: "local change")) of it "
                    + "\(changes.count == 1 ? "was" : "were") not pushed, the first of "
                    + "\(changes.first).",
                hint: "Push first, or discard the changes.",
                row: changes.first,
                count: changes.count
            )
        }
    }

    private func base(
        of change: Int64
    ) throws -> [(property: String, value: DatabaseValue)] {
        try Row.fetchAll(
            db,
            sql: "SELECT property, value FROM _tidemark_base WHERE change = ?",
            arguments: [change]
        ).map { ($0[0], $0[1]) }
    }

    /// Returns the name of a property in messages, such as `Note.text`; nil for a position, which
    /// is not a change by itself.
    private static func name(of property: String, in entity: String) -> String? {
        switch CapturedProperty(property) {
        case .column(let column): "\(entity).\(column)"
        case .links(let identifier): identifier
        case .position: nil
        case .part(let table, let column): "\(table).\(column)"
        case .ofPart: entity
        }
    }
}
