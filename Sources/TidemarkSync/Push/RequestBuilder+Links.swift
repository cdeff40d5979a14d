import TidemarkStore

/// Links that a request leaves out.
extension RequestBuilder {
    /// Returns relationships as a base value names them.
    func links(
        _ names: Set<String>,
        of change: CapturedChange
    ) throws -> [StoredRequest.Link] {
        let entity = try reader.layout.entity(change.row.entity)
        return try names.sorted().flatMap { name -> [StoredRequest.Link] in
            guard let relationship = entity.relationship(name) else { return [] }
            let linked = try reader.linked(relationship, of: change.row.number)
            guard case .column(let column) = relationship.storage, !linked.isEmpty else {
                // Each link is owed: a list of the service that lacks it does not remove it.
                return linked.map {
                    StoredRequest.Link(property: relationship.identifier, member: $0)
                }
            }
            let columns = reader.layout.tables[relationship.table].columns
            return [StoredRequest.Link(property: columns[column].name, member: 0)]
        }
    }

    /// Returns the names under which the base values of relationships are recorded.
    func bases(of names: Set<String>, in change: CapturedChange) throws -> [String] {
        let entity = try reader.layout.entity(change.row.entity)
        return names.sorted().compactMap { name in
            guard let relationship = entity.relationship(name) else { return nil }
            guard case .column(let column) = relationship.storage else {
                return relationship.identifier
            }
            return reader.layout.tables[relationship.table].columns[column].name
        }
    }

    /// Returns why links wait, with what to do.
    func undecided(_ names: Set<String>, of change: CapturedChange) throws -> String {
        let entity = try reader.layout.entity(change.row.entity)
        let relationships = names.sorted().compactMap { entity.relationship($0) }
        let sides = relationships.flatMap { relationship in
            [relationship, reader.layout.inverse(of: relationship)].compactMap(\.?.identifier)
        }
        let links = relationships.map(\.identifier).joined(separator: ", ")
        return "objects of the service have shown the links of \(links) on neither side; set with "
            + "which they are sent: "
            + sides.map { "`links: \($0)`" }.joined(separator: " or ")
    }
}
