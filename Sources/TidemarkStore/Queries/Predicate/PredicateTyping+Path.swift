import TidemarkModel

/// A key path whose names have been resolved for an entity.
struct ResolvedPath {
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

    func operand(_ origin: TypedPath.Origin) -> TypedOperand {
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
        case .count(let relationship): "\(relationship.identifier).@count"
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
        guard case .path(let path) = operand.content else { return nil }
        var entity = entity
        var hops: [RelationshipLayout] = []
        for (index, name) in path.names.enumerated() {
            if let attribute = entity.attribute(name.text) {
                let isLast = index == path.names.count - 1 && !path.isCounted
                guard isLast else { throw throughAttribute(name, of: entity) }
                return resolved(hops, attribute: attribute, of: entity)
            }
            guard let relationship = entity.relationship(name.text) else {
                throw unknown(name, in: entity)
            }
            hops.append(relationship)
            entity = layout.entities[relationship.destination]
        }
        return path.isCounted
            ? try counted(hops, entity: entity, at: operand.location)
            : ResolvedPath(
                hops,
                end: .row,
                kind: .row(table: entity.table),
                attribute: nil,
                entity: entity
            )
    }

    private func resolved(
        _ hops: [RelationshipLayout],
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
            end: end,
            kind: .value(attribute.type),
            attribute: attribute,
            entity: entity
        )
    }

    private func counted(
        _ hops: [RelationshipLayout],
        entity: EntityLayout,
        at location: TextLocation
    ) throws(PredicateFault) -> ResolvedPath {
        guard let last = hops.last, last.relationship.isToMany else {
            throw PredicateFault("@count must follow a to-many relationship", at: location)
        }
        let attribute = Attribute("@count", .integer64)
        return ResolvedPath(
            hops.dropLast(),
            end: .count(last),
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
        end: TypedPath.End,
        kind: TypedKind,
        attribute: Attribute?,
        entity: EntityLayout
    ) {
        let last = relationships.lastIndex { $0.relationship.isToMany }
        let split = last.map { $0 + 1 } ?? 0
        self.init(
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
