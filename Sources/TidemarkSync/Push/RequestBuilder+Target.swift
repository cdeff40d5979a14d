import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.URL

/// The objects of changes, as their URLs name them.
extension RequestBuilder {
    /// Returns the target of a change's requests; with the key that was sent, if the change is to
    /// count as applied.
    func target(
        of change: CapturedChange,
        in resource: RemoteResource,
        applied isApplied: Bool = false
    ) throws -> WriteTarget {
        let entity = try reader.layout.entity(change.row.entity)
        let known = try isApplied ? reader.sentKey(of: change, entity) : nil
        let key = try known ?? reader.knownKey(of: change, entity) ?? []
        return WriteTarget(
            resource: resource,
            key: resources.key(key.map(\.requestText), of: change.row.entity),
            parents: try parents(of: change, in: resource)
        )
    }

    /// Returns a change whose request is stored.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - sent: The request.
    ///   - earlier: What earlier requests of the run mean for it.
    /// - Returns: The change, with what the response is compared with; nil if no list accepts it.
    /// - Throws: `DatabaseError`.
    func frozen(
        _ change: CapturedChange,
        with sent: AddressedRequest,
        after earlier: EarlierRequests = EarlierRequests()
    ) throws -> FrozenChange? {
        let kind = PushStyle.Change(change.kind)
        guard let shared = resources.expectation(of: kind, for: change.row.entity) else {
            return nil
        }
        return FrozenChange(
            change: change,
            request: sent.request,
            url: sent.url,
            expectation: WriteExpectation(
                shared,
                key: try keys(of: change, named: sent.key),
                body: sent.request.body
            ),
            earlier: earlier
        )
    }

    /// Returns the values of the key that the object in a response may have, by attribute: a change
    /// of the key has two.
    private func keys(
        of change: CapturedChange,
        named known: [WriteTarget.KeyPart]
    ) throws -> [String: Set<String>] {
        let entity = try reader.layout.entity(change.row.entity)
        var texts = [known.map(\.value)]
        if change.kind == .update, reader.changesKey(change, entity),
            let stored = try reader.key(of: change.row.number, entity)
        {
            texts.append(stored.parts.map(\.requestText))
        }
        var keys: [String: Set<String>] = [:]
        for values in texts {
            for (part, value) in zip(entity.keyParts, values) where part.references.isEmpty {
                keys[part.attribute.name, default: []].insert(value)
            }
        }
        return keys
    }

    /// Returns a stored request with the URL to which it is sent once more.
    ///
    /// The store has its path. Its origin is that of the configuration now: the service may have
    /// moved.
    ///
    /// - Parameters:
    ///   - request: The stored request.
    ///   - change: The change.
    ///   - resource: Its list.
    /// - Returns: The request; nil if the list accepts no such request any more.
    /// - Throws: ``RemoteError`` if the path leads to another origin; `DatabaseError`.
    func addressed(
        repeating request: StoredRequest,
        of change: CapturedChange,
        in resource: RemoteResource
    ) throws -> AddressedRequest? {
        let target = try target(of: change, in: resource)
        return try remote.url(of: .init(change.kind), to: target).map { url in
            AddressedRequest(
                request: request,
                url: try remote.service.url(
                    ofRelativePath: request.path,
                    at: remote.service.withoutSecrets(url)
                ),
                key: target.key
            )
        }
    }

    /// Returns the values that the path of a list contains: the key of the row to whose list the
    /// service has added the object, or is to add it.
    private func parents(
        of change: CapturedChange,
        in resource: RemoteResource
    ) throws -> [String: String] {
        let entity = try reader.layout.entity(change.row.entity)
        guard let path = resources.parent(of: change.row.entity),
            case .column(let column) = entity.relationship(path.relationship)?.storage,
            let number = try reader.value(of: column, in: KnownRow(change))
                .flatMap(Int64.fromDatabaseValue)
        else { return [:] }
        let parent = try reader.layout.entity(path.parent)
        let key = try reader.knownKey(ofRow: number, parent)
        let names = resource.parentKeys.map { $0.joined(separator: ".") }
        guard let key else { return [:] }
        return Dictionary(
            zip(names, path.parts).map { name, part in (name, key[part].requestText) },
            uniquingKeysWith: { first, _ in first }
        )
    }
}
