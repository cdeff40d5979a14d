extension ModelCheck {
    /// Reports a relationship whose destination or inverse is invalid, or whose settings contradict
    /// each other.
    mutating func check(_ relationship: Relationship, of entity: EntityDescription) {
        let path = "\(entity.name).\(relationship.name)"
        check(remoteKey: relationship.json.remoteKey, at: path)
        check(annotations: relationship.userInfo, at: path)
        for key in relationship.json.referenceKeys { check(remoteKey: key, at: path) }
        if relationship.isOrdered, !relationship.isToMany {
            warning("It is ordered, but leads to one object.", at: path, hint: "Remove the order.")
        }
        let (least, most) = (relationship.cardinality.minimum, relationship.cardinality.maximum)
        if let least, let most, least > most {
            error(
                "Nothing is at least \(least) and at most \(most).",
                at: path,
                hint: "Exchange the bounds."
            )
        }
        guard let destination = model[relationship.destination] else {
            return error(
                "Its destination “\(relationship.destination)” is not an entity of the model.",
                at: path,
                hint: "Declare the entity, or correct the name."
            )
        }
        checkReferenceKeys(relationship, to: destination, at: path)
        checkOrphans(relationship, to: destination, at: path)
        checkPush(relationship, to: destination, at: path)
        checkOrder(relationship, to: destination, at: path)
        checkInverse(of: relationship, of: entity, in: destination, at: path)
    }

    private mutating func checkReferenceKeys(
        _ relationship: Relationship,
        to destination: EntityDescription,
        at path: String
    ) {
        let parts = model.keyParts(of: destination).count
        let keys = relationship.json.referenceKeys.count
        // A key with one part may have any number of alternatives.
        guard keys > 0, keys != max(parts, 1), parts != 1 else { return }
        error(
            "It has \(keys) reference keys, but “\(destination.name)” has \(parts) key parts.",
            at: path,
            hint: "Give one for each part, in its order."
        )
    }

    /// Reports the policy to unlink orphans whose primary key contains their parent: without it
    /// they have no key.
    private mutating func checkOrphans(
        _ relationship: Relationship,
        to destination: EntityDescription,
        at path: String
    ) {
        guard relationship.orphans == .unlink, let inverse = relationship.inverse,
            model.isKeyPart(inverse, of: destination)
        else { return }
        warning(
            "Its orphans cannot be unlinked: “\(inverse)” is part of their primary key.",
            at: path,
            hint:
                "They are kept where the list of their parent leaves them out, or let them be deleted."
        )
    }

    /// Reports links that a push could not send as the model demands.
    private mutating func checkPush(
        _ relationship: Relationship,
        to destination: EntityDescription,
        at path: String
    ) {
        guard let push = relationship.json.push else { return }
        if push == .list, !relationship.isToMany {
            error(
                "Its push is “list”, but it leads to one object.",
                at: path,
                hint: "Let it be “thisSide”, or leave it out."
            )
        }
        if !relationship.json.isExportable {
            error(
                "A push is to send its links, but it is not exportable.",
                at: path,
                hint: "Remove “push” or “nonExportable”."
            )
        }
        let inverse = relationship.inverse.flatMap { model.relationship($0, of: destination) }
        if let inverse, inverse.json.push != nil, inverse.name != relationship.name {
            error(
                "A push is to send its links, and those of its inverse “\(inverse.name)”.",
                at: path,
                hint: "Set “push” on the side that the service accepts."
            )
        }
    }

    /// Reports an order that no push can send, because the links are sent with the other objects.
    private mutating func checkOrder(
        _ relationship: Relationship,
        to destination: EntityDescription,
        at path: String
    ) {
        guard relationship.isOrdered, relationship.isToMany, relationship.json.isExportable,
            relationship.json.push == nil,
            let inverse = relationship.inverse.flatMap({ model.relationship($0, of: destination) }),
            inverse.name != relationship.name, let push = inverse.json.push
        else { return }
        warning(
            "A push does not send its order: “push: \(push.rawValue)” of "
                + "“\(destination.name).\(inverse.name)” lets the links be sent with the objects on "
                + "the other side.",
            at: path,
            hint: "Set “push: list” here instead, if the service accepts the list."
        )
    }

    private mutating func checkInverse(
        of relationship: Relationship,
        of entity: EntityDescription,
        in destination: EntityDescription,
        at path: String
    ) {
        guard let name = relationship.inverse else {
            return warning(
                "It has no inverse.",
                at: path,
                hint: "Declare a relationship on “\(destination.name)” that leads back."
            )
        }
        guard let inverse = model.relationship(name, of: destination)
        else {
            return error(
                "Its inverse “\(name)” is not a relationship of “\(destination.name)”.",
                at: path,
                hint: "Declare it there, or correct the name."
            )
        }
        let leadsBack = model[inverse.destination].map { isFamily($0, with: entity) } ?? true
        guard inverse.inverse == relationship.name, leadsBack else {
            return error(
                "Its inverse “\(destination.name).\(name)” does not lead back to it.",
                at: path,
                hint:
                    "Let it lead to “\(entity.name)”, with “\(relationship.name)” as its inverse."
            )
        }
    }

    /// Returns whether one of the entities inherits from the other.
    private func isFamily(_ left: EntityDescription, with right: EntityDescription) -> Bool {
        model.lineage(of: left).contains { $0.name == right.name }
            || model.lineage(of: right).contains { $0.name == left.name }
    }

    /// Reports JSON keys that several attributes claim with the same rank.
    mutating func checkRemoteNames(_ entity: EntityDescription) {
        let mapping = EntityMapping(entity: entity, in: model)
        var claims: [RemoteName: [String]] = [:]
        for attribute in mapping.attributes {
            for name in attribute.remoteNames { claims[name, default: []].append(attribute.name) }
        }
        var reported: Set<[String]> = []
        for (name, claimants) in claims.sorted(by: {
            ($0.key.rank, $0.key.text) < ($1.key.rank, $1.key.text)
        })
        where claimants.count > 1 {
            let owners = claimants.sorted()
            let isOwn = owners.contains { owner in entity.attributes.contains { $0.name == owner } }
            let isBest = mapping.names[ByteExactString(name.text)]?.attributeRank == name.rank
            // Attributes that share one key usually share several; a single warning is sufficient.
            guard isOwn, isBest, reported.insert(owners).inserted else { continue }
            warning(
                "The JSON key “\(name.text)” falls on “\(owners[0])” as well, which gets it.",
                at: "\(entity.name).\(owners[1])",
                hint: "Give one of them another remoteKey."
            )
        }
        checkReach(of: entity, by: mapping)
    }

    /// Reports attributes whose JSON keys all belong to other attributes.
    private mutating func checkReach(of entity: EntityDescription, by mapping: EntityMapping) {
        let own = Set(entity.attributes.map(\.name))
        for (path, attribute) in mapping.attributes.enumerated() where own.contains(attribute.name)
        {
            let owners = attribute.remoteNames.map {
                mapping.names[ByteExactString($0.text)]?.attribute
            }
            guard !owners.contains(path), let owner = owners.compactMap(\.self).first else {
                continue
            }
            warning(
                "No JSON key fills it: “\(attribute.name)” goes to “\(mapping.attributes[owner].name)”.",
                at: "\(entity.name).\(attribute.name)",
                hint: "Give one of them another remoteKey."
            )
        }
    }
}
