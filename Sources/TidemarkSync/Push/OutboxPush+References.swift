import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// References that the service has accepted in another form than that of its own objects.
extension OutboxPush {
    /// Remembers the forms in which references were accepted, if an object shows the new targets.
    ///
    /// A service may ignore members that it does not know: only an object that refers to the new
    /// target proves that it has taken the key. Without one in the response, the object is read
    /// once.
    ///
    /// - Parameter accepted: The updates that the service has accepted in a second form.
    /// - Throws: `CancellationError`; ``SyncError/Code/leaseLost``; `DatabaseError`.
    func remember(_ accepted: [SentChange]) async throws {
        for sent in accepted {
            let frozen = sent.frozen
            guard let keys = frozen.earlier.references?.keys, frozen.change.kind == .update,
                !keys.allSatisfy({ references(of: frozen.change)[$0.key] == $0.value })
            else { continue }
            var isShown = sent.shows(keys, to: run.importer)
            if isShown == nil, let read = try await object(of: frozen) {
                isShown = frozen.shows(keys, in: read.document, at: read.envelope, to: run.importer)
            }
            guard isShown == true else { continue }
            progress.references.accept(keys, of: frozen.change.row.entity)
            try await run.write { db in
                for (member, key) in keys {
                    let entity = frozen.change.row.entity
                    try ObservedNames.set(db, .keyUnder(key), of: member, in: entity)
                }
            }
        }
    }

    /// Returns the names under which the service accepts keys, as this run has shown.
    private func references(of change: CapturedChange) -> [String: String] {
        var references = progress.references
        references.end(of: change.number)
        return references.accepted(of: change)
    }

    /// Reads the object of a change.
    private func object(
        of frozen: FrozenChange
    ) async throws -> (document: JSONDocument, envelope: Envelope)? {
        let url = try await run.store.writer.read { [self] db in
            let builder = try builder(db)
            let target = try builder.target(of: frozen.change, in: frozen.resource)
            return try run.remote.readURL(of: target)
        }
        guard let url else { return nil }
        let read: ReadObject
        do {
            read = try await run.remote.object(at: url, of: frozen.resource, attempts: .one)
        } catch is RemoteError {
            // The next update shows it.
            return nil
        }
        guard case .found(let document, let envelope, _) = read else { return nil }
        return (document, envelope)
    }
}

extension SentChange {
    /// Returns whether the object in the response refers to the targets that were sent; nil without
    /// an object.
    fileprivate func shows(_ keys: [String: String], to importer: Importer) -> Bool? {
        guard case .success(.applied(let applied)) = result, let document = applied.document else {
            return nil
        }
        let envelope = frozen.style.reading.responseEnvelope
        return frozen.shows(keys, in: document, at: envelope, to: importer)
    }
}

extension FrozenChange {
    /// Returns whether an object refers to the targets that were sent; nil without an object, or if
    /// the object lacks them.
    fileprivate func shows(
        _ keys: [String: String],
        in document: JSONDocument,
        at envelope: Envelope,
        to importer: Importer
    ) -> Bool? {
        guard let body = request.body, let mapping = importer.mapping(of: change.row.entity),
            case .success(let sent) = Result(catching: { try JSONDocument(body) })
        else { return nil }
        let wrapper = style.wrapper(for: .update).name(for: change.row.entity)
        let shown = resource.withOriginalObject(in: document, at: envelope) { object -> Bool? in
            sent.withRoot { root -> Bool? in
                guard let request = wrapper.map({ root.member($0) }) ?? root else { return nil }
                let isShown = keys.map { member, key -> Bool? in
                    guard let target = request.member(key) else { return nil }
                    return object.refers(to: target, by: member, in: mapping, importer)
                }
                return isShown.contains(nil) ? nil : isShown.allSatisfy { $0 == true }
            }
        }
        return shown.flatMap(\.self)
    }
}

extension JSONNode {
    /// Returns whether the object refers to the targets of keys that were sent; nil if it lacks the
    /// member.
    fileprivate func refers(
        to sent: JSONNode,
        by member: String,
        in mapping: EntityMapping,
        _ importer: Importer
    ) -> Bool? {
        guard let value = self.member(member),
            let index = mapping.target(for: member)?.relationship,
            let destination = importer.mapping(
                of: mapping.relationships[index].relationship.destination
            )
        else { return nil }
        let shown = value.kind == .array ? Array(value.elements) : [value]
        let expected = sent.kind == .array ? Array(sent.elements) : [sent]
        let keys = shown.map { $0.key(by: destination) }
        return keys.count == expected.count
            && Set(keys) == Set(expected.map { $0.key(by: destination) })
    }

    /// Returns the key in an object, or the value itself, as text; nil without one.
    private func key(by mapping: EntityMapping) -> String? {
        switch kind {
        case .string: return string
        case .number: return String(decoding: source, as: UTF8.self)
        case .object:
            let key = members.first { name, _ in
                mapping.target(for: name.string)?.attribute.map(mapping.primaryKey.contains)
                    ?? false
            }
            return key?.value.key(by: mapping)
        case .array, .true, .false, .null: return nil
        }
    }
}
