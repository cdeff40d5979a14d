import TidemarkModel

/// A key path whose names have been resolved for an entity.
struct ResolvedPath {
    /// The row at which the path begins.
    let origin: TypedPath.Origin

    /// The relationships up to the last to-many one.
    var collection: [RelationshipLayout] = []

    /// The to-one relationships after those.
    var hops: [RelationshipLayout] = []

    let end: TypedPath.End
    var kind: TypedKind

    /// The attribute at the end.
    ///
    /// An integer in a primary key has the type `integer64`, because the store keeps keys that are
    /// too large for the attribute's own type.
    var attribute: Attribute?

    /// The entity of the attribute, or the destination of the last relationship.
    let entity: EntityLayout

    /// Whether the path leads to the rows of a to-many relationship.
    var isMembers: Bool {
        guard case .row = end else { return false }
        return !collection.isEmpty && hops.isEmpty
    }

    /// The same path, with its value compared as text.
    var asText: ResolvedPath {
        var path = self
        path.kind = .value(.string)
        path.attribute?.type = .string
        return path
    }

    /// Returns the operand, which begins after the last to-many relationship, if any.
    func operand(from origin: TypedPath.Origin) -> TypedOperand {
        TypedOperand(
            kind: kind,
            content: .path(TypedPath(origin: origin, hops: hops, end: end))
        )
    }

    /// The text of the path in errors.
    var shown: String {
        switch end {
        case .row: (hops.last ?? collection.last)?.identifier ?? "SELF"
        case .column: "\(entity.name).\(attribute?.name ?? "")"
        case .count(let relationship, _): "\(relationship.identifier).@count"
        }
    }

    /// The text of the kind in errors.
    var shownKind: String {
        switch kind {
        case .row: "a row"
        case .value(let type): "of type \(type.rawValue)"
        }
    }
}

extension PredicateTyping {
    /// Resolves the key path of an operand; nil if the operand is not a key path.
    func path(of operand: PredicateOperand) throws(PredicateFault) -> ResolvedPath? {
        switch operand.content {
        case .literal, .list: return nil
        case .path(let path): return try resolved(path, at: operand.location)
        case .subquery(let subquery): return try resolved(subquery, at: operand.location)
        }
    }

    private func resolved(
        _ subquery: PredicateSubquery,
        at location: TextLocation
    ) throws(PredicateFault) -> ResolvedPath {
        let collection = try resolved(subquery.collection, at: location)
        guard collection.isMembers, let last = collection.collection.last,
            collection.collection.dropLast().allSatisfy({ !$0.relationship.isToMany })
        else {
            throw PredicateFault(
                "SUBQUERY needs a key path to a to-many relationship",
                at: location,
                hint: "To lead through two of them, write a SUBQUERY within another."
            )
        }
        let condition = try condition(of: subquery, on: layout.entities[last.destination])
        return ResolvedPath(
            collection.collection.dropLast(),
            from: collection.origin,
            end: .count(last, where: condition),
            kind: .value(.integer64),
            attribute: Attribute("@count", .integer64),
            entity: layout.entities[last.destination]
        )
    }

    private func resolved(
        _ path: PredicatePath,
        at location: TextLocation
    ) throws(PredicateFault) -> ResolvedPath {
        let (origin, first) = try start(of: path, at: location)
        var entity = first
        var hops: [RelationshipLayout] = []
        for (index, name) in path.names.enumerated() {
            if let attribute = entity.attribute(name.text) {
                let isLast = index == path.names.count - 1 && !path.isCounted
                guard isLast else { throw throughAttribute(name, of: entity) }
                return resolved(hops, from: origin, attribute: attribute, of: entity)
            }
            guard let relationship = entity.relationship(name.text) else {
                throw unknown(name, in: entity)
            }
            hops.append(relationship)
            entity = layout.entities[relationship.destination]
        }
        return path.isCounted
            ? try counted(hops, from: origin, entity: entity, at: location)
            : ResolvedPath(
                hops,
                from: origin,
                end: .row,
                kind: .row(table: entity.table),
                attribute: nil,
                entity: entity
            )
    }

    private func resolved(
        _ hops: [RelationshipLayout],
        from origin: TypedPath.Origin,
        attribute layout: AttributeLayout,
        of entity: EntityLayout
    ) -> ResolvedPath {
        var attribute = layout.attribute
        // A key may be larger than its attribute's type, see Coercion.coerceKey.
        if entity.key.contains(layout.column),
            TypedKind.value(attribute.type).isWholeNumber
        {
            attribute.type = .integer64
        }
        let end = TypedPath.End.column(table: entity.table, layout.column)
        return ResolvedPath(
            hops,
            from: origin,
            end: end,
            kind: .value(attribute.type),
            attribute: attribute,
            entity: entity
        )
    }

    private func counted(
        _ hops: [RelationshipLayout],
        from origin: TypedPath.Origin,
        entity: EntityLayout,
        at location: TextLocation
    ) throws(PredicateFault) -> ResolvedPath {
        guard let last = hops.last, last.relationship.isToMany else {
            throw PredicateFault("@count must follow a to-many relationship", at: location)
        }
        let attribute = Attribute("@count", .integer64)
        return ResolvedPath(
            hops.dropLast(),
            from: origin,
            end: .count(last, where: nil),
            kind: .value(.integer64),
            attribute: attribute,
            entity: entity
        )
    }

    private func throughAttribute(
        _ name: PredicatePath.Name,
        of entity: EntityLayout
    ) -> PredicateFault {
        PredicateFault(
            "\(entity.name).\(name.text) is an attribute: nothing can follow it",
            at: name.location
        )
    }

    private func unknown(_ name: PredicatePath.Name, in entity: EntityLayout) -> PredicateFault {
        let names =
            entity.attributes.map(\.attribute.name)
            + entity.relationships.map(\.relationship.name)
        let nearest = name.text.nearest(of: names.sorted())
        return PredicateFault(
            "\(entity.name) has no attribute or relationship \(name.text)",
            at: name.location,
            hint: nearest.map { "Did you mean \($0)?" }
                ?? "It has \(names.sorted().joined(separator: ", "))."
        )
    }
}

extension ResolvedPath {
    fileprivate init(
        _ relationships: [RelationshipLayout],
        from origin: TypedPath.Origin,
        end: TypedPath.End,
        kind: TypedKind,
        attribute: Attribute?,
        entity: EntityLayout
    ) {
        let last = relationships.lastIndex { $0.relationship.isToMany }
        let split = last.map { $0 + 1 } ?? 0
        self.init(
            origin: origin,
            collection: Array(relationships[..<split]),
            hops: Array(relationships[split...]),
            end: end,
            kind: kind,
            attribute: attribute,
            entity: entity
        )
    }
}

extension String {
    /// Returns the most similar name; nil if none of the names is similar enough.
    func nearest(of names: [String]) -> String? {
        // The distance takes quadratic time, so long texts are cut.
        let text = Array(lowercased().unicodeScalars.prefix(64))
        let ranked = names.map { name in
            (
                name: name,
                distance: Self.distance(from: text, to: Array(name.lowercased().unicodeScalars))
            )
        }
        let best = ranked.min { $0.distance < $1.distance }
        return best.flatMap {
            $0.distance <= Swift.min(3, Swift.max(1, text.count / 2)) ? $0.name : nil
        }
    }

    /// Returns the Levenshtein distance of two texts: the number of letters to add, remove or
    /// replace.
    private static func distance(from left: [Unicode.Scalar], to right: [Unicode.Scalar]) -> Int {
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let changed = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(changed, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
