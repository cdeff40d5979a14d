import Foundation
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// The lists that changes are sent to, each with the format of its objects.
struct PushResources: Sendable {
    private let resources: [String: RemoteResource]
    private let exporters: [String: Exporter]

    /// What responses to changes are compared with, by entity.
    private let expectations: [String: [PushStyle.Change: WriteExpectation.Shared]]

    /// What the objects of the service have shown, by entity.
    private let names: [String: ObservedNames]

    /// The properties, by entity, for which an object has to be read, because an update contains
    /// members of which the model does not map everything.
    private let unmapped: [String: Set<String>]

    /// The parts of the entities' keys.
    private let keys: [String: [KeyPart]]

    /// The attributes that contain the version of an object, by entity.
    private let versions: [String: String]

    /// The relationships that requests for rows of an entity do not contain, by entity.
    private let unsentLinks: [String: UnsentLinks]

    /// The relationships that requests for rows of an entity do not contain.
    private struct UnsentLinks {
        /// Those that are sent with the rows on the other side.
        var notPushed: Set<String> = []

        /// Those whose links wait, because it is not known which side the service takes.
        var undecided: Set<String> = []
    }

    /// The relationships to the rows in the paths of lists, by the path.
    private let parents: [String: ParentPath]

    /// Creates the lists with their formats.
    ///
    /// - Parameters:
    ///   - resources: All lists, of which some accept changes.
    ///   - remote: Makes the URLs of objects.
    ///   - importer: Reads the rows.
    ///   - names: The names of members that the service's objects have, and the forms of their
    ///     values, by entity.
    ///   - links: With which rows links are sent.
    ///   - unknownKey: Returns what is written for a row without a key. Defaults to nil: links to
    ///     it are left out.
    /// - Throws: ``SyncError/Code/invalidParent`` if the path of a list contains something else
    ///   than a parent.
    init(
        _ resources: [RemoteResource],
        remote: Remote,
        importer: Importer,
        names: [String: ObservedNames],
        links: LinkRouting,
        unknownKey: (@Sendable (RowReference) -> String)? = nil
    ) throws {
        let model = importer.store.model
        let selected = Self.lists(resources, in: model)
        // Changed objects may refer to those of lists that accept no changes.
        let all = selected.merging(Self.closest(among: resources, in: model)) { own, _ in own }
        self.resources = selected
        parents = try selected.values.reduce(into: [:]) { parents, resource in
            parents[resource.path] = try ParentPath(of: resource, in: model)
        }
        keys = Dictionary(
            model.entities.map { ($0.name, model.keyParts(of: $0)) },
            uniquingKeysWith: { first, _ in first }
        )
        let layout = importer.store.layout
        unsentLinks = Dictionary(
            layout.entities.map { entity in
                let others = layout.relationshipsNotPushed(of: entity, sides: links.sides)
                let waiting = entity.relationships.filter {
                    links.undecided.contains($0.identifier)
                }
                let names = Set(waiting.map(\.relationship.name)).subtracting(others)
                return (entity.name, UnsentLinks(notPushed: others, undecided: names))
            },
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
        expectations = Self.expectations(selected, importer: importer, limits: remote.limits)
        self.names = names
        exporters = selected.mapValues { resource in
            var format = ChangeFormat(resource.push.body, resources: all, model, remote)
            format.names = names
            // A service that has `dueDate` would ignore `due_date`, or store it beside the other.
            format.spellsAsObserved = resource.push.body.names == .observed
            format.unknownKey = unknownKey
            return importer.exporter(keys: resource.push.body.keys, change: format)
        }
        unmapped = try selected.reduce(into: [:]) { [exporters] unmapped, entry in
            unmapped[entry.key] = try exporters[entry.key]?
                .unmappedProperties(of: entry.key, entry.value.push.nesting)
        }
    }

    /// Returns what responses to changes are compared with, by entity.
    private static func expectations(
        _ resources: [String: RemoteResource],
        importer: Importer,
        limits: Limits
    ) -> [String: [PushStyle.Change: WriteExpectation.Shared]] {
        var expectations: [String: [PushStyle.Change: WriteExpectation.Shared]] = [:]
        for (entity, resource) in resources {
            let mapping = importer.mapping(of: entity)
            for kind in PushStyle.Change.allCases {
                expectations[entity, default: [:]][kind] = WriteExpectation.Shared(
                    kind,
                    in: resource,
                    mapping: mapping,
                    limits: limits
                )
            }
        }
        return expectations
    }

    /// Returns the list of each entity whose changes are sent: its own, or that of the entity from
    /// which it inherits.
    static func lists(
        _ resources: [RemoteResource],
        in model: Model
    ) -> [String: RemoteResource] {
        closest(among: resources.writable, in: model)
    }

    /// Returns the list of each entity: its own, or that of the entity from which it inherits.
    static func closest(
        among resources: [RemoteResource],
        in model: Model
    ) -> [String: RemoteResource] {
        var selected: [String: RemoteResource] = [:]
        for entity in model.entities {
            let lineage = model.lineage(of: entity).map(\.name)
            selected[entity.name] =
                lineage.lazy
                .compactMap { name in resources.first { $0.entity == name } }.first
        }
        return selected
    }

    /// Returns the list that changes of an entity are sent to; nil if its changes are not
    /// sent.
    func resource(of entity: String) -> RemoteResource? { resources[entity] }

    /// Returns whether changes of an entity are sent.
    func accepts(_ entity: String) -> Bool { resources.index(forKey: entity) != nil }

    /// Returns the path of the list that changes of an entity are sent to; nil if they are not.
    func path(of entity: String) -> String? { resources[entity]?.path }

    /// Returns what responses to changes of a kind are compared with; nil if changes of the entity
    /// are not sent.
    func expectation(
        of kind: PushStyle.Change,
        for entity: String
    ) -> WriteExpectation.Shared? {
        expectations[entity]?[kind]
    }

    /// Returns how many changes of a list are sent in one request.
    func batchLimit(of path: String) -> Int {
        resources.values.first { $0.path == path }?.push.batch?.limit ?? 1
    }

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

    /// The entities whose objects can be deleted at the service.
    var deletingEntities: Set<String> {
        Set(resources.filter { $0.value.push.delete != nil }.keys)
    }

    /// Returns the values of an entity's key with the names that they have in the path of an
    /// object.
    func key(_ values: [String], of entity: String) -> [WriteTarget.KeyPart] {
        (keys[entity] ?? []).named(values)
    }

    /// Returns the names that the attributes of an entity's key have in the path of an object.
    func keyNames(of entity: String) -> [String] {
        (keys[entity] ?? []).map { ($0.path + [$0.attribute.name]).joined(separator: ".") }
    }

    /// Returns the names of an entity's properties in JSON; nil if its changes are not sent.
    func mapping(of entity: String) -> EntityMapping? {
        expectations[entity]?[.update]?.mapping
    }

    /// Returns the attribute that contains the version of an entity's objects; nil if none does.
    func versionAttribute(of entity: String) -> String? { versions[entity] }

    /// Returns what the objects of an entity have shown.
    func names(of entity: String) -> ObservedNames { names[entity] ?? ObservedNames() }

    /// Returns the properties of an entity for which an object has to be read before an update:
    /// they are within members of which the model does not map everything.
    func unmappedProperties(of entity: String) -> Set<String> { unmapped[entity] ?? [] }

    /// Returns the properties that are within the same members as others, and these.
    func withSiblings(_ properties: Set<String>, of entity: String) throws -> Set<String> {
        try exporters[entity]?.withSiblings(properties, of: entity) ?? properties
    }

    /// Returns the value of an attribute as text, in the form of the service.
    func requestText(_ value: Value, of attribute: String, in entity: String) throws -> String {
        try exporters[entity]?.requestText(value, of: attribute, in: entity) ?? value.requestText
    }

    /// Returns the object in the request of a row's change.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - properties: The properties that have changed; nil for a new object.
    ///   - omitted: The properties that are left out.
    ///   - names: What the object itself has shown, if that differs from others.
    ///   - reader: Reads the row.
    /// - Returns: The object; nil if no list accepts changes of the entity.
    /// - Throws: `ImportError` if a value cannot be written; `StoreError`, `DatabaseError`.
    func object(
        of row: RowReference,
        only properties: Set<String>?,
        omitting omitted: Set<String>,
        like names: ObservedNames?,
        reader: StoreReader
    ) throws -> ChangedObject? {
        guard var exporter = exporters[row.entity] else { return nil }
        if let names { exporter = try exporter.observing(names, of: row.entity) }
        let links = properties.map(RecordRequest.Links.only) ?? .all
        return try exporter.changedObject(
            reader.record(RecordLocator(row), links: links),
            only: properties,
            omitting: omitted.union(notPushed(of: row.entity)),
            reader: reader
        )
    }

    /// Returns the names of relationships whose links are sent with the rows on the other side.
    func notPushed(of entity: String) -> Set<String> {
        unsentLinks[entity]?.notPushed ?? []
    }

    /// Returns the names of relationships whose links wait, because the service shows them on
    /// neither side.
    func undecidedLinks(of entity: String) -> Set<String> {
        unsentLinks[entity]?.undecided ?? []
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
        let url: URLMaker = { entity, key in
            guard let resource = resources[entity], let description = model[entity] else {
                return nil
            }
            let target = WriteTarget(
                resource: resource,
                key: model.keyParts(of: description).named(key)
            )
            return try remote.objectURL(of: target)?.absoluteString
        }
        references =
            switch body.references {
            case .ids: .keys
            case .observed: .observed(url: url)
            case .pointers: .pointers(type: type)
            case .linkage: .linkage(type: type)
            case .urls: .urls(url)
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

extension PushStyle {
    /// How an update changes members that are objects.
    var nesting: MemberNesting {
        switch updatesNested {
        case .replace: .replaced
        case .leaf: .joined
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
        case (.snake, _), (.observed, .ids), (.observed, .observed), (.observed, .urls): .snake
        case (.camel, _), (.observed, .pointers), (.observed, .linkage): .camel
        }
    }
}
