import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The result of resolving a reference by key.
enum Reference {
    /// A stored row.
    case row(Int64)
    /// A row with this key that is not stored.
    case missing(key: [StoredValue])
    /// No row.
    case null
    /// The value is not a key of the entity.
    case unusable(Reason)

    /// Whether it is the key of a row, stored or not.
    var namesRow: Bool {
        switch self {
        case .row, .missing: true
        case .null, .unusable: false
        }
    }

    /// The reason why a value is not a key.
    enum Reason {
        case failure(CoercionFailure)
        case noKey
        case ignored

        var sentence: String {
            switch self {
            case .failure(let failure): failure.sentence()
            case .noKey: "The entity it leads to has no primary key, so nothing can refer to it."
            case .ignored: "The value is not a key."
            }
        }
    }
}

extension EntityImport {
    /// Resolves a reference to this entity, whose key has one part.
    func reference(
        _ value: JSONNode,
        by relationship: RelationshipPlan,
        arena: ValueArena
    ) throws -> Reference {
        let parts = plan.keyParts.count
        guard parts == 1 else { return .unusable(parts == 0 ? .noKey : .ignored) }
        // A list of one part would be allocated for every reference.
        switch keyPart(0, value: value, by: relationship, arena: arena) {
        case .value(let part):
            guard let row = try rows.number(ofKey: part) else {
                return .missing(key: [part])
            }
            return .row(row)
        case .null: return .null
        case .unusable(let reason): return .unusable(reason)
        }
    }

    /// Resolves a reference to this entity, whose key has several parts.
    func reference(
        _ values: [JSONNode],
        by relationship: RelationshipPlan,
        arena: ValueArena
    ) throws -> Reference {
        var key: [StoredValue] = []
        for (index, value) in values.enumerated() {
            switch keyPart(index, value: value, by: relationship, arena: arena) {
            case .value(let part): key.append(part)
            case .null: return .null
            case .unusable(let reason): return .unusable(reason)
            }
        }
        return try rows.number(ofKey: key).map(Reference.row) ?? .missing(key: key)
    }

    /// A part of a reference.
    private enum Part {
        case value(StoredValue)
        case null
        case unusable(Reference.Reason)
    }

    private func keyPart(
        _ index: Int,
        value: JSONNode,
        by relationship: RelationshipPlan,
        arena: ValueArena
    ) -> Part {
        if relationship.nullValues.contains(value, in: arena) { return .null }
        switch coerceKey(value, part: index, into: arena) {
        case .value(.null): return .null
        case .value(let part): return .value(part)
        case .failure(let failure): return .unusable(.failure(failure))
        case .ignored: return .unusable(.ignored)
        }
    }
}
