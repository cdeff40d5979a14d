package import TidemarkModel

/// The mappings of a model's entities, cached because many samples share a model.
package struct Mappings: Sendable {
    private static let latest: Locked<[Model: Mappings]> = Locked([:])

    private let byEntity: [String: EntityMapping]

    /// Returns the mappings of a model.
    package static func of(_ model: Model) -> Mappings {
        latest.withLock { latest in
            if let mappings = latest[model] { return mappings }
            if latest.count > 7 { latest = [:] }
            let mappings = Mappings(
                byEntity: Dictionary(
                    model.entities.map { ($0.name, EntityMapping(entity: $0, in: model)) },
                    uniquingKeysWith: { first, _ in first }
                )
            )
            latest[model] = mappings
            return mappings
        }
    }

    package subscript(entity: String) -> EntityMapping? { byEntity[entity] }
}
