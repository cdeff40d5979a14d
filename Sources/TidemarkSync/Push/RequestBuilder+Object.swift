import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// What a request contains of an object that was read before.
extension RequestBuilder {
    /// Returns whether an object has to be read before a change, because the request contains more
    /// of it than the properties that have changed.
    func needsObject(_ change: CapturedChange, in resource: RemoteResource) throws -> Bool {
        guard change.kind == .update else { return false }
        if resource.push.update?.content == .whole { return true }
        let unmapped = resources.unmappedProperties(of: change.row.entity)
        guard !unmapped.isEmpty else { return false }
        return try !reader.changedProperties(of: change).isDisjoint(with: unmapped)
    }

    /// Returns the object of an update with all that the request contains.
    ///
    /// - Parameters:
    ///   - object: The changed properties.
    ///   - change: The change.
    ///   - operation: The request.
    ///   - resource: The list that contains the object.
    ///   - known: The object that was read; nil without one.
    /// - Returns: The object; nil if it would have to be read first.
    /// - Throws: ``ImportError`` if a value cannot be written; `StoreError`, `DatabaseError`.
    func whole(
        _ object: ChangedObject,
        of change: CapturedChange,
        by operation: PushStyle.Operation,
        in resource: RemoteResource,
        knowing known: OutboxPush.KnownObject?
    ) throws -> ChangedObject? {
        guard let (document, envelope) = known?.document else {
            return try needsObject(change, in: resource) ? nil : object
        }
        let former = try formerParts(of: change, like: names(for: change, knowing: known))
        return resource.withOriginalObject(in: document, at: envelope) { original in
            switch operation.content {
            case .whole: object.laid(over: original, since: former)
            case .changes: object.completed(from: original, resource.push.nesting, since: former)
            }
        }
    }

    /// Returns the objects without a key that an update changes, as the service has them; nil
    /// without any.
    ///
    /// The elements of a list are laid over those from which their rows were read.
    private func formerParts(
        of change: CapturedChange,
        like names: ObservedNames?
    ) throws -> ChangedObject? {
        let store = importer.store
        var former: ChangedObject?
        for relationship in try reader.layout.entity(change.row.entity).relationships
        where reader.changesParts(change, of: relationship) {
            let known = try StoreWriter.prepare(reader.db, in: store)
                .knownParts(relationship, before: change, in: store) { reader in
                    try resources.object(
                        of: change.row,
                        only: [relationship.relationship.name],
                        omitting: [],
                        like: names,
                        reader: reader
                    )
                }
            guard let object = known.value else { continue }
            if former == nil { former = object } else { former?.add(object) }
        }
        return former
    }

    /// Returns what the object of a change has shown, if it is written in another way than others;
    /// nil otherwise.
    func names(
        for change: CapturedChange,
        knowing known: OutboxPush.KnownObject?
    ) -> ObservedNames? {
        let accepted = references.accepted(of: change)
        guard !accepted.isEmpty else { return known?.names }
        var names = known?.names ?? resources.names(of: change.row.entity)
        for (member, key) in accepted { names.forms[member] = ObservedForm(.keyUnder(key)) }
        return names
    }
}

extension [String: Value] {
    /// The members as a JSON object, sorted by name.
    var json: [UInt8] { ChangedObject.empty.json(with: self) }
}
