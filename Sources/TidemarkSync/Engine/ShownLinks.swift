import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkStore

/// What the service's objects have shown of links.
struct ShownLinks {
    private let importer: Importer
    private let names: [String: ObservedNames]

    /// Reads what a store has recorded.
    ///
    /// - Throws: `DatabaseError`.
    init(_ db: Database, in importer: Importer) throws {
        self.importer = importer
        names = try ObservedNames.read(db)
    }

    private var layout: StoreLayout { importer.store.layout }

    /// Returns whether objects had the links of a relationship as keys, so that a request may
    /// contain them.
    ///
    /// Whole objects in the list of a parent do not show that it keeps links: they may have the
    /// reference themselves.
    func areKeys(_ relationship: RelationshipLayout) -> Bool {
        let isChildList = if case .inverse = relationship.storage { true } else { false }
        return contains(relationship) { name, names in
            !isChildList || !names.embedded.contains(name)
        }
    }

    /// Returns whether objects had a member with the links of a relationship, in whatever form.
    ///
    /// The names of members within others are not recorded: such links count as shown.
    func areShown(_ relationship: RelationshipLayout) -> Bool {
        let json = relationship.relationship.json
        let keys = [json.remoteKey].compactMap(\.self) + json.referenceKeys
        return keys.contains(where: \.isNestedKeyPath) || contains(relationship) { _, _ in true }
    }

    /// Returns whether objects were received that would have the links of a relationship even if
    /// there were none: they have had null, or an empty list, for another property.
    func wouldBeShown(_ relationship: RelationshipLayout) -> Bool {
        entities(with: relationship).contains { names[$0.name]?.empty.isEmpty == false }
    }

    /// Returns whether objects were received that could have the links of a relationship.
    func areExpected(_ relationship: RelationshipLayout) -> Bool {
        entities(with: relationship).contains { names[$0.name]?.all.isEmpty == false }
    }

    /// Returns the ordered relationships whose order no request contains, of entities whose objects
    /// were received; none of a store that records no local changes.
    func unsentOrders(_ db: Database) throws -> [String] {
        guard try Capture.isInstalled(db) else { return [] }
        return try layout.unsentOrders(LinkSides.read(db)).filter(areExpected).map(\.identifier)
    }

    private func contains(
        _ relationship: RelationshipLayout,
        where isMatch: (String, ObservedNames) -> Bool
    ) -> Bool {
        entities(with: relationship).contains { entity in
            guard let observed = names[entity.name], let mapping = importer.mapping(of: entity.name)
            else { return false }
            return observed.all.contains { name in
                guard let index = mapping.target(at: name)?.relationship else { return false }
                return mapping.relationships[index].relationship.name
                    == relationship.relationship.name && isMatch(name, observed)
            }
        }
    }

    private func entities(with relationship: RelationshipLayout) -> [EntityLayout] {
        layout.entities.filter { entity in
            entity.relationships.contains { $0.identifier == relationship.identifier }
        }
    }
}
