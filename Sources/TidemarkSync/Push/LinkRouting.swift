import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// With which rows a push sends links, and which links wait because that is not known.
struct LinkRouting: Sendable {
    /// The sides that the store records.
    let sides: LinkSides

    /// The identifiers of the relationships whose links are sent with neither row.
    let undecided: Set<String>

    /// Reads what a store has recorded.
    ///
    /// Links are undecided if the service has sent objects of both entities, which do not leave out
    /// what is missing, and none of them had a member with the links. A request with the links
    /// would be a guess: a service ignores members that it does not know, and answers with success.
    ///
    /// - Parameters:
    ///   - db: A connection.
    ///   - resources: The lists of the service.
    ///   - importer: Reads the objects.
    /// - Returns: The routing.
    /// - Throws: ``SyncError/Code/invalidParent``; `DatabaseError`.
    static func read(
        _ db: Database,
        for resources: [RemoteResource],
        in importer: Importer
    ) throws -> LinkRouting {
        let (model, layout) = (importer.store.model, importer.store.layout)
        let shown = try ShownLinks(db, in: importer)
        let lists = PushResources.closest(among: resources, in: model)
        let parents = try Set(resources.compactMap { try $0.parentRelationship(in: model) })
        func mustShow(_ relationship: RelationshipLayout) -> Bool {
            shown.wouldBeShown(relationship) && !shown.areShown(relationship)
                && layout.entities.contains { entity in
                    entity.relationships.contains { $0.identifier == relationship.identifier }
                        && lists[entity.name]?.style.omitsNulls == false
                }
        }
        let undecided = layout.linkPairs.filter { pair in
            !pair.isDecidedByModel
                && pair.both.allSatisfy { relationship in
                    mustShow(relationship)
                        && !resources.configuredSides.contains(relationship.identifier)
                        && !parents.contains(relationship.identifier)
                }
        }
        return LinkRouting(
            sides: try LinkSides.read(db),
            undecided: Set(undecided.flatMap(\.both).map(\.identifier))
        )
    }
}

extension [RemoteResource] {
    /// The lists that accept changes.
    var writable: [RemoteResource] { filter { !$0.push.isReadOnly } }

    /// The identifiers of the relationships with whose rows links are sent by the configuration.
    var configuredSides: Set<String> {
        writable.reduce(into: []) { $0.formUnion($1.push.body.links) }
    }
}

extension RemoteResource {
    /// Returns the identifier of the relationship to the row that the path names, whose objects do
    /// not have to repeat it; nil for a list of all objects.
    fileprivate func parentRelationship(in model: Model) throws -> String? {
        guard let path = try ParentPath(of: self, in: model), let entity = model[self.entity] else {
            return nil
        }
        let owner = model.lineage(of: entity).first { owner in
            owner.relationships.contains { $0.name == path.relationship }
        }
        return owner.map { "\($0.name).\(path.relationship)" }
    }
}
