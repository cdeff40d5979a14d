import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The links of an object, after its row was written.
extension ObjectImport {
    /// Writes the links and lists of the object, and returns the next nested object that has to be
    /// imported for that.
    func nextOfLinks() throws -> NestedObject? {
        guard let row = written else { return nil }
        if let list, let object = try next(of: list, row: row) { return object }
        while nextRelationship < entity.relationships.count {
            if let resolver = run.resolver { try finishPartsMerge(by: resolver) }
            let index = nextRelationship
            nextRelationship += 1
            if case .none = frame.links[index].pending { continue }
            let relationship = entity.relationships[index]
            if let resolver = run.resolver, relationship.leadsToKeyless, !row.isNew {
                guard try beginPartsMerge(relationship, of: row, resolver) else { continue }
            }
            switch frame.links[index].pending {
            case .none:
                continue
            case .list(let token, let isReferences):
                let list = try openList(
                    at: token,
                    of: relationship,
                    isReferences: isReferences,
                    row: row
                )
                self.list = list
                if let object = try next(of: list, row: row) { return object }
            case .one(.fill(let token)):
                // An unresolved reference would replace the link as soon as its row is inserted.
                try release(relationship, of: row)
                return try filling(node.node(at: token), of: relationship, row: row)
            case .one where row.isRejected && relationship.slot != nil:
                // The reference is a value of the row, which stays as it is.
                continue
            case .one(let link):
                try write(link, of: relationship, row: row)
                if let coverage = run.importer.coverage, relationship.slot == nil {
                    // A reference in a slot was recorded with the row.
                    let linked: [Int64] = if case .link(let other) = link { [other] } else { [] }
                    coverage.add(relationship.layout, of: row.number, to: linked)
                }
                try recordLinked(relationship, of: row)
            }
        }
        if let resolver = run.resolver { try finishPartsMerge(by: resolver) }
        return nil
    }

    /// Writes the link of a to-one relationship.
    private func write(
        _ link: ObjectFrame.PendingLink,
        of relationship: RelationshipPlan,
        row: WrittenRow
    ) throws {
        switch link {
        case .fill:
            // The object is imported first, and then linked: see `receive(_:filling:linked:)`.
            return
        case .release:
            try release(relationship, of: row)
        case .unlink:
            try release(relationship, of: row)
            try run.unlinkAll(relationship.layout, of: row.number)
        case .link(let other):
            try release(relationship, of: row)
            try run.writer.link(relationship.layout, of: row.number, to: other)
        case .unresolved:
            // A reference in a slot was set to null with the row.
            if relationship.slot == nil, run.options.unresolved == .deferred, !row.isNew {
                try run.unlinkAll(relationship.layout, of: row.number)
            }
            let key = relationship.parts.map { frame.missingKeys[$0] }
            try run.writer.setUnresolved(relationship.layout, of: row.number, keys: [key])
        }
    }

    /// Deletes the unresolved reference of a row.
    private func release(_ relationship: RelationshipPlan, of row: WrittenRow) throws {
        if !row.isNew { try run.writer.discardUnresolved(relationship.layout, of: row.number) }
    }

    /// Records that the document has specified the link of a row's to-one relationship.
    private func recordLinked(_ relationship: RelationshipPlan, of row: WrittenRow) throws {
        // Only unresolved references could change such a link afterwards. Without any, the record
        // is not used.
        guard relationship.inverse != nil, try run.writer.hasAnyUnresolved() else { return }
        entity.linked[relationship.index].insert(row.number)
    }

    // MARK: Objects without a key

    /// Returns an object without a key, to be written to the row that is already linked or to a new
    /// row.
    private func filling(
        _ object: JSONNode,
        of relationship: RelationshipPlan,
        row: WrittenRow
    ) throws -> NestedObject {
        let linked = try run.reader.linked(relationship.layout, of: row.number).first
        // What the object itself says about the row that contains it must not move the link: the
        // next import would find another row here.
        let isInverse = if case .inverse = relationship.layout.storage { true } else { false }
        let child = ObjectContext(
            operations: context.operationsOnOne,
            row: linked.map(ObjectContext.Row.number) ?? .new,
            parent: relationship.inverse.map {
                ObjectContext.ParentLink(relationship: $0, row: isInverse ? row.number : nil)
            },
            isWhole: context.isWhole
        )
        return nested(
            object,
            of: try run.destination(of: relationship),
            context: child,
            as: .filled(relationship.index, linked: linked)
        )
    }

    /// Links the row of an object without a key.
    func receive(
        _ object: ImportedObject,
        filling relationship: RelationshipPlan,
        linked: Int64?
    ) throws {
        guard let row = written else { return }
        if let other = object.row {
            // A list that is nested in the object may have removed the link.
            try run.writer.link(relationship.layout, of: row.number, to: other)
            if linked == nil, !relationship.leadsToKeyless {
                // It is deleted when it loses its last link, unlike a row without a key that the
                // app has inserted.
                let destination = try run.destination(of: relationship)
                try run.writer.markKeyless(other, in: destination.plan.entity.table)
            }
            let coverage = run.importer.coverage
            coverage?.add(relationship.layout, of: row.number, to: CollectionOfOne(other))
        }
        try recordLinked(relationship, of: row)
    }
}

extension ImportRun {
    /// Removes all links of a relationship from a row.
    func unlinkAll(_ relationship: RelationshipLayout, of row: Int64) throws {
        for linked in try reader.linked(relationship, of: row) {
            try writer.unlink(relationship, of: row, from: linked)
        }
    }
}
