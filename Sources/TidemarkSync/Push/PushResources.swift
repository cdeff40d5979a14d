import Foundation
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// The lists that changes are sent to, each with the format of its objects.
struct PushResources: Sendable {
    private let resources: [String: RemoteResource]
    private let exporters: [String: Exporter]

    /// The parts of the entities' keys.
    private let keys: [String: [KeyPart]]

    /// The attributes that contain the version of an object, by entity.
    private let versions: [String: String]

    /// The relationships that are sent with the rows on the other side, by entity.
    private let notPushed: [String: Set<String>]

    /// The relationships to the rows in the paths of lists, by the path.
    private let parents: [String: ParentPath]

    /// Creates the lists with their formats.
    ///
    /// - Parameters:
    ///   - resources: The lists.
    ///   - remote: Makes the URLs of objects.
    ///   - importer: Reads the rows.
    ///   - names: The names of members that the service's objects have, by entity.
    ///   - unknownKey: Returns what is written for a row without a key. Defaults to nil: links to
    ///     it are left out.
    /// - Throws: ``SyncError/Code/invalidParent`` if the path of a list contains something else
    ///   than a parent.
    init(
        _ resources: [RemoteResource],
        remote: Remote,
        importer: Importer,
        names: [String: ObservedNames],
        unknownKey: (@Sendable (RowReference) -> String)? = nil
    ) throws {
        let model = importer.store.model
        let selected = Self.lists(resources, in: model)
        self.resources = selected
        parents = try selected.values.reduce(into: [:]) { parents, resource in
            parents[resource.path] = try ParentPath(of: resource, in: model)
        }
        keys = Dictionary(
            model.entities.map { ($0.name, model.keyParts(of: $0)) },
            uniquingKeysWith: { first, _ in first }
        )
        let layout = importer.store.layout
        notPushed = Dictionary(
            layout.entities.map { ($0.name, layout.relationshipsNotPushed(of: $0)) },
            uniquingKeysWith: { first, _ in first }
        )
        versions = Dictionary(
            selected.compactMap { entity, resource in
                resource.push.version.member
                    .flatMap { importer.attribute(for: $0, of: entity) }
                    .map { (entity, $0) }
            },
            uniquingKeysWith: { first, _ in first }
        )
        exporters = selected.mapValues { resource in
            var format = ChangeFormat(resource.push.body, resources: selected, model, remote)
            // A service that has `dueDate` would ignore `due_date`, or store it beside the other.
            if resource.push.body.names == .observed { format.names = names }
            format.unknownKey = unknownKey
            return importer.exporter(keys: resource.push.body.keys, change: format)
        }
    }

    /// Returns the list of each entity whose changes are sent: its own, or that of the entity from
    /// which it inherits.
    static func lists(
        _ resources: [RemoteResource],
        in model: Model
    ) -> [String: RemoteResource] {
        let writable = resources.filter { !$0.push.isReadOnly }
        var selected: [String: RemoteResource] = [:]
        for entity in model.entities {
            let lineage = model.lineage(of: entity).map(\.name)
            selected[entity.name] =
                lineage.lazy
                .compactMap { name in writable.first { $0.entity == name } }.first
        }
        return selected
    }

    /// Returns the list that changes of an entity are sent to; nil if its changes are not
    /// sent.
    func resource(of entity: String) -> RemoteResource? { resources[entity] }

    /// Returns the relationship to the row whose list contains the objects of an entity; nil if
    /// there is one list of all objects.
    func parent(of entity: String) -> ParentPath? {
        resources[entity].flatMap { parents[$0.path] }
    }

    /// Returns the entities whose changes are sent.
    ///
    /// - Parameter paths: The paths of lists whose changes are not sent now.
    /// - Returns: The names of the entities, sorted.
    func entities(exceptOf paths: Set<String>) -> [String] {
        resources.filter { !paths.contains($0.value.path) }.keys.sorted()
    }

    /// Returns the values of an entity's key with the names that they have in the path of an
    /// object.
    func key(_ values: [String], of entity: String) -> [WriteTarget.KeyPart] {
        (keys[entity] ?? []).named(values)
    }

    /// Returns the attribute that contains the version of an entity's objects; nil if none does.
    func versionAttribute(of entity: String) -> String? { versions[entity] }

    /// Returns the object in the request of a row's change.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - properties: The properties that have changed; nil for a new object.
    ///   - omitted: The properties that are left out.
    ///   - reader: Reads the row.
    /// - Returns: The object; nil if no list accepts changes of the entity.
    /// - Throws: `ImportError` if a value cannot be written; `StoreError`, `DatabaseError`.
    func object(
        of row: RowReference,
        only properties: Set<String>?,
        omitting omitted: Set<String>,
        reader: StoreReader
    ) throws -> ChangedObject? {
        guard let exporter = exporters[row.entity] else { return nil }
        let links = properties.map(RecordRequest.Links.only) ?? .all
        return try exporter.changedObject(
            reader.record(RecordLocator(row), links: links),
            only: properties,
            omitting: omitted.union(notPushed[row.entity] ?? []),
            reader: reader
        )
    }

    /// Whether no changes are sent at all.
    var isEmpty: Bool { resources.isEmpty }
}

extension ChangeFormat {
    fileprivate init(
        _ body: PushStyle.BodyFormat,
        resources: [String: RemoteResource],
        _ model: Model,
        _ remote: Remote
    ) {
        self.init()
        let type: @Sendable (String) -> String = { resources[$0]?.type ?? $0 }
        references =
            switch body.references {
            case .ids: .keys
            case .pointers: .pointers(type: type)
            case .linkage: .linkage(type: type)
            case .urls:
                .urls { entity, key in
                    guard let resource = resources[entity], let description = model[entity] else {
                        return nil
                    }
                    let target = WriteTarget(
                        resource: resource,
                        key: model.keyParts(of: description).named(key)
                    )
                    return try remote.objectURL(of: target)?.absoluteString
                }
            }
        nulls =
            switch body.nulls {
            case .explicit: .explicit
            case .omit: .omitted
            case .operation: .operation
            }
        embedding = body.embedding == .objects ? .objects : .nestedAttributes
    }
}

extension [KeyPart] {
    /// Returns values with the names that they have in the path of an object.
    fileprivate func named(_ values: [String]) -> [WriteTarget.KeyPart] {
        zip(self, values).map { part, value in
            let name = (part.path + [part.attribute.name]).joined(separator: ".")
            return WriteTarget.KeyPart(name: name, value: value)
        }
    }
}

extension PushStyle.ObjectVersion {
    /// The member that contains the version; nil if it is in a header field.
    fileprivate var member: String? {
        switch self {
        case .member(let name), .body(let name): name
        case .header: nil
        }
    }
}

extension PushStyle.BodyFormat {
    /// The case of names that the service's own objects do not show.
    fileprivate var keys: ExportOptions.Keys {
        switch (names, references) {
        case (.snake, _), (.observed, .ids), (.observed, .urls): .snake
        case (.camel, _), (.observed, .pointers), (.observed, .linkage): .camel
        }
    }
}
