import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The result of resolving a reference by key.
enum Reference {
    /// A stored row.
    case row(Int64)
    /// A row that is not stored.
    ///
    /// The parts of its key are in ``ImportRun/keyParts``.
    case missing
    /// No row.
    case null
    /// The value is not a key of the entity.
    case unusable(Reason)

    /// The reason why a value is not a key.
    enum Reason {
        case failure(CoercionFailure)
        case noKey
        case ignored

        var sentence: String {
            switch self {
            case .failure(let failure): failure.sentence()
            case .noKey: "The entity it leads to has no primary key, so nothing can refer to it."
            case .ignored: "The value is no key."
            }
        }
    }
}

extension ImportRun {
    /// Resolves a reference to an entity whose key has one part.
    func reference(
        _ value: JSONNode,
        _ destination: EntityImport,
        _ relationship: RelationshipPlan
    ) throws -> Reference {
        let parts = destination.plan.keyParts
        guard parts.count == 1 else { return .unusable(parts.isEmpty ? .noKey : .ignored) }
        if relationship.nullValues.contains(value, in: arena) { return .null }
        switch destination.coerceKeyPart(0, value, into: arena) {
        case .value(.null): return .null
        case .value(let part):
            keyParts[0] = part
            return try find(destination)
        case .failure(let failure): return .unusable(.failure(failure))
        case .ignored: return .unusable(.ignored)
        }
    }

    /// Resolves a reference to an entity whose key has several parts.
    func reference(
        _ values: [JSONNode],
        _ destination: EntityImport,
        _ relationship: RelationshipPlan
    ) throws -> Reference {
        for (place, value) in values.enumerated() {
            if relationship.nullValues.contains(value, in: arena) { return .null }
            switch destination.coerceKeyPart(place, value, into: arena) {
            case .value(.null): return .null
            case .value(let part): keyParts[place] = part
            case .failure(let failure): return .unusable(.failure(failure))
            case .ignored: return .unusable(.ignored)
            }
        }
        return try find(destination)
    }

    private func find(_ destination: EntityImport) throws -> Reference {
        guard let number = try destination.number(ofKey: keyParts) else { return .missing }
        return .row(number)
    }
}
