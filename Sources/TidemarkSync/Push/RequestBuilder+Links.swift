import TidemarkStore

/// Links that a request leaves out.
extension RequestBuilder {
    /// Records which links a request does not contain, so that they are sent later.
    ///
    /// - Parameters:
    ///   - names: The names of the relationships that were left out.
    ///   - properties: The properties that have changed; nil for a new object.
    ///   - change: The change.
    ///   - request: The request.
    /// - Throws: `StoreError`, `DatabaseError`.
    func leave(
        _ names: Set<String>,
        of properties: Set<String>?,
        in change: CapturedChange,
        outOf request: inout StoredRequest
    ) throws {
        if change.kind == .create {
            request.omitted = try links(names, of: change)
        } else {
            request.waiting = try bases(of: names.intersection(properties ?? []), in: change)
        }
    }

    /// Returns relationships as a base value names them.
    private func links(
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
    private func bases(of names: Set<String>, in change: CapturedChange) throws -> [String] {
        let entity = try reader.layout.entity(change.row.entity)
        return names.sorted().compactMap { name in
            guard let relationship = entity.relationship(name) else { return nil }
            guard case .column(let column) = relationship.storage else {
                return relationship.identifier
            }
            return reader.layout.tables[relationship.table].columns[column].name
        }
    }

    /// Returns why an update waits, with what to do; nil if it has properties that are sent.
    ///
    /// - Parameters:
    ///   - properties: The properties that have changed; nil for a new object.
    ///   - change: The change.
    /// - Returns: The reason.
    /// - Throws: `StoreError`.
    func waitingReason(
        for properties: Set<String>?,
        of change: CapturedChange
    ) throws -> String? {
        guard change.kind == .update, let names = properties, !names.isEmpty,
            names.isSubset(of: resources.undecidedLinks(of: change.row.entity))
        else { return nil }
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
