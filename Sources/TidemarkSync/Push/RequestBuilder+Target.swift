import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.URL

/// The objects of changes, as their URLs name them.
extension RequestBuilder {
    /// Returns the target of a change's requests.
    func target(of change: CapturedChange, in resource: RemoteResource) throws -> WriteTarget {
        let entity = try reader.layout.entity(change.row.entity)
        let key = try reader.knownKey(of: change, entity) ?? []
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
    ///   - request: The request.
    ///   - url: Its URL, without secrets.
    ///   - resource: The list.
    ///   - limits: The limits of the response.
    /// - Returns: The change, with what the response is compared with.
    /// - Throws: `DatabaseError`.
    func frozen(
        _ change: CapturedChange,
        with request: StoredRequest,
        to url: URL,
        in resource: RemoteResource,
        limits: Limits
    ) throws -> FrozenChange {
        FrozenChange(
            change: change,
            request: request,
            url: url,
            resource: resource,
            expectation: try expectation(
                of: change,
                in: resource,
                sending: request.body,
                limits: limits
            )
        )
    }

    /// Returns what a response to the request of a change is compared with.
    private func expectation(
        of change: CapturedChange,
        in resource: RemoteResource,
        sending body: [UInt8]?,
        limits: Limits
    ) throws -> WriteExpectation {
        let entity = try reader.layout.entity(change.row.entity)
        var key: [String: Set<String>] = [:]
        let stored = change.kind == .delete ? nil : try reader.key(of: change.row.number, entity)
        for values in [try reader.knownKey(of: change, entity), stored?.parts].compactMap(\.self) {
            for (part, value) in zip(entity.keyParts, values) where part.references.isEmpty {
                key[part.attribute.name, default: []].insert(value.requestText)
            }
        }
        return WriteExpectation(
            .init(change.kind),
            in: resource,
            mapping: resources.mapping(of: change.row.entity),
            key: key,
            body: body,
            limits: limits
        )
    }

    /// Returns the URL of a change's request, without secrets; nil if its list accepts none of this
    /// kind, or a key in its path is not known.
    func url(of change: CapturedChange, in resource: RemoteResource) throws -> URL? {
        try remote.url(of: .init(change.kind), to: target(of: change, in: resource))
            .map(remote.service.withoutSecrets)
    }

    /// Returns the URL to which the request of a change is sent once more.
    ///
    /// The store has its path. Its origin is that of the configuration now: the service may have
    /// moved.
    ///
    /// - Parameters:
    ///   - request: The stored request.
    ///   - change: The change.
    ///   - resource: Its list.
    /// - Returns: The URL; nil if the list accepts no such request any more.
    /// - Throws: ``RemoteError`` if the path leads to another origin; `DatabaseError`.
    func url(
        repeating request: StoredRequest,
        of change: CapturedChange,
        in resource: RemoteResource
    ) throws -> URL? {
        try url(of: change, in: resource).map {
            try remote.service.url(ofRelativePath: request.path, at: $0)
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
        let key = try reader.key(of: KnownRow(number: number, table: parent.table), parent)
        let names = resource.parentKeys.map { $0.joined(separator: ".") }
        guard let key else { return [:] }
        return Dictionary(
            zip(names, path.parts).map { name, part in (name, key[part].requestText) },
            uniquingKeysWith: { first, _ in first }
        )
    }
}
