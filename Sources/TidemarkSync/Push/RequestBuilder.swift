import GRDB
import HTTPTypes
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.URL
import struct Foundation.UUID

/// Builds the requests of changes from the rows, in the transaction that freezes them.
struct RequestBuilder {
    let reader: StoreReader
    let importer: Importer
    let remote: Remote
    let resources: PushResources
    let environment: SystemEnvironment

    /// What pushes have learnt about the lists.
    let facts: ListFacts

    /// The references that are sent in another form than that of the service's own objects.
    let references: ReferenceForms

    init(
        reader: StoreReader,
        importer: Importer,
        remote: Remote,
        resources: PushResources,
        environment: SystemEnvironment,
        references: ReferenceForms = ReferenceForms()
    ) {
        self.reader = reader
        self.importer = importer
        self.remote = remote
        self.resources = resources
        self.environment = environment
        self.references = references
        facts = ListFacts(reader.db)
    }

    /// A request, and where it is sent.
    struct AddressedRequest {
        var request: StoredRequest

        /// The URL, without secrets.
        let url: URL

        /// The key that the service knows; empty if the object has none yet.
        let key: [WriteTarget.KeyPart]
    }

    /// What becomes of a change that is to be sent.
    enum Built {
        /// It is sent.
        case request(AddressedRequest)
        /// No property differs any more from what the service has.
        case unchanged
        /// It has to wait: its list accepts no such changes, or a key is not known yet.
        case blocked(String)
    }

    /// Builds the request of a change.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - identifiers: The relationships that are left out to send one of several new rows first
    ///     that refer to each other.
    ///   - known: The object, if it was read before.
    /// - Returns: The request, or why the change is not sent.
    /// - Throws: ``ImportError`` if a value cannot be written, such as a text that is not valid
    ///   UTF-8; ``RemoteError`` if the path leads to another origin, `DatabaseError`.
    func build(
        _ change: CapturedChange,
        omitting identifiers: Set<String>,
        knowing known: OutboxPush.KnownObject?
    ) throws -> Built {
        guard let resource = resources.resource(of: change.row.entity) else {
            return .blocked("no list accepts changes of \(change.row.entity)")
        }
        let style = resource.push
        let kind = PushStyle.Change(change.kind)
        let isChosen = change.kind == .create && style.key == .client
        let isNamed = try isChosen && !chooseKey(of: change)
        guard let operation = style.operation(for: kind) else {
            return .blocked("\(resource.path) accepts no \(kind) (push: \(kind): none)")
        }
        let target = try target(of: change, in: resource)
        let url = try remote.url(of: kind, to: target).map(remote.service.withoutSecrets)
        guard let url else { return .blocked("a key in the path of its request is missing") }
        var request = StoredRequest(
            idempotencyKey: environment.uuid().uuidString.lowercased(),
            method: operation.method.rawValue,
            path: remote.relativePath(of: url),
            version: try condition(on: known, of: change, in: resource)
        )
        guard change.kind != .delete else {
            if !operation.members.isEmpty { request.body = operation.members.json }
            return .request(AddressedRequest(request: request, url: url, key: target.key))
        }
        if change.kind == .create { request.highestRow = try highestRow(of: change) }
        let omitted = try unsentLinks(identifiers, of: change)
        let properties = try isNamed ? exportable(change) : changed(change, knowing: known)
        if let reason = try waitingReason(for: properties, of: change) { return .blocked(reason) }
        let built = try object(
            of: change,
            only: properties?.subtracting(omitted),
            in: resource,
            omitting: omitted,
            like: names(for: change, knowing: known)
        )
        guard var object = built else { return .unchanged }
        if change.kind == .update, known?.isAssumed != true {
            let whole = try self.whole(
                object,
                of: change,
                by: operation,
                in: resource,
                knowing: known
            )
            guard let whole else { return .blocked("the whole object is sent, and was not read") }
            object = whole
        }
        guard object.unwritten.isEmpty || change.kind == .create else {
            return .blocked("it refers to an object that has no key yet")
        }
        let body = object.json(
            in: style.wrapper(for: kind).name(for: change.row.entity),
            with: operation.members
        )
        guard known?.isAssumed == true || !hasLocalFile(body) else {
            return .blocked("a file that it refers to was not uploaded yet")
        }
        try expectValid(properties?.subtracting(omitted), of: change)
        let left = object.unwritten.union(omitted)
        try leave(left, of: properties, in: change, outOf: &request)
        request.body = body
        request.embedded = object.embedded
        return .request(AddressedRequest(request: request, url: url, key: target.key))
    }

    /// Returns the names of the relationships that an object is sent without.
    ///
    /// A new one lacks some although the keys of the other rows are known: the client has chosen
    /// them, and the service has no such objects yet. It is not known where others are sent.
    private func unsentLinks(
        _ identifiers: Set<String>,
        of change: CapturedChange
    ) throws -> Set<String> {
        let undecided = resources.undecidedLinks(of: change.row.entity)
        guard change.kind == .create, !identifiers.isEmpty else { return undecided }
        let entity = try reader.layout.entity(change.row.entity)
        let owed = entity.relationships.filter {
            identifiers.contains($0.identifier) && $0.relationship.isOptional
        }
        return undecided.union(owed.map(\.relationship.name))
    }

    /// Returns the highest row number that the table of a row has used.
    private func highestRow(of change: CapturedChange) throws -> Int64? {
        try Int64.fetchOne(
            reader.db.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = ?"),
            arguments: [reader.layout.tables[change.table].name]
        )
    }

    /// Checks that the values that a request contains are of their types.
    ///
    /// Another program may have written others. They are read as something else: bytes that are not
    /// UTF-8 as replacement characters, 5 as true. Sent, that would replace what it has written,
    /// here and at the service.
    private func expectValid(_ properties: Set<String>?, of change: CapturedChange) throws {
        // The path contains the key.
        let key = try reader.layout.entity(change.row.entity).keyParts.map(\.attribute.name)
        let found = try reader.invalidValue(in: change.row, only: properties?.union(key))
        guard let found else { return }
        throw ImportError(
            .unwritableValue,
            "The value of \(found.attribute) in \(found.row) \(found.failure.predicate): give the "
                + "row another value."
        )
    }

    /// Gives a new row a key that this client chooses, and returns whether it did: not if the row
    /// has one, or cannot have one.
    private func chooseKey(of change: CapturedChange) throws -> Bool {
        let entity = try reader.layout.entity(change.row.entity)
        guard try reader.key(of: change.row.number, entity) == nil, entity.keyParts.count == 1,
            let part = entity.keyParts.first, part.references.isEmpty,
            let key = part.attribute.type.makeKey(environment.uuid()),
            let capture = try Capture.of(reader.db, reader.layout)
        else { return false }
        _ = try capture.suppressed {
            try store.write(in: reader.db) { writer in
                try writer.update(
                    RecordLocator(change.row),
                    values: [part.attribute.name: key]
                )
            }
        }
        return true
    }

    private var store: Store { importer.store }

    /// Returns the condition on the version of a change's object; nil without one.
    private func condition(
        on known: OutboxPush.KnownObject?,
        of change: CapturedChange,
        in resource: RemoteResource
    ) throws -> String? {
        let style = resource.push
        // The version in the body is the condition.
        if change.kind == .update, case .body = style.version { return nil }
        guard let version = try known?.entityTag ?? version(of: change, in: style) else {
            return nil
        }
        let isIgnored =
            try change.kind != .create && facts.versionsFail(resource.path)
        return isIgnored ? nil : version
    }

    /// Returns the version of a change's object that the row contains; nil without one.
    private func version(of change: CapturedChange, in style: PushStyle) throws -> String? {
        guard change.kind != .create else {
            return style.key == .client ? StoredRequest.absent : nil
        }
        guard case .member = style.version,
            let attribute = resources.versionAttribute(of: change.row.entity),
            let value = try value(of: attribute, in: change), value != .null
        else { return nil }
        let text = try resources.requestText(value, of: attribute, in: change.row.entity)
        return "\"\(text)\""
    }

    /// Returns whether a request for a change contains the version of its object.
    func hasVersion(_ change: CapturedChange, in style: PushStyle) throws -> Bool {
        switch style.version {
        case .header: return false
        case .member where change.kind == .create: return style.key == .client
        case .body where change.kind != .update: return false
        case .member, .body:
            guard let attribute = resources.versionAttribute(of: change.row.entity),
                let value = try value(of: attribute, in: change)
            else { return false }
            return value != .null
        }
    }

    /// Returns the attribute with the version of an object, and whether an update contains it; nil
    /// without one.
    private func versionAttribute(
        of change: CapturedChange,
        in style: PushStyle
    ) -> (attribute: String, isSent: Bool)? {
        let isSent = if case .body = style.version { true } else { false }
        return resources.versionAttribute(of: change.row.entity).map { ($0, isSent) }
    }

    /// Returns the value of an attribute that the service knows.
    private func value(of attribute: String, in change: CapturedChange) throws -> Value? {
        let entity = try reader.layout.entity(change.row.entity)
        guard let layout = entity.attribute(attribute) else { return nil }
        return try reader.value(of: layout.column, in: KnownRow(change))
            .map { Value($0, type: layout.attribute.type) }
    }

    /// Returns the properties that an update contains; nil for a creation.
    private func changed(
        _ change: CapturedChange,
        knowing known: OutboxPush.KnownObject?
    ) throws -> Set<String>? {
        guard change.kind == .update else { return nil }
        let properties = try reader.changedProperties(of: change)
        // The object that was read has the other members.
        guard known?.document == nil,
            resources.resource(of: change.row.entity)?.push.nesting == .replaced
        else { return properties }
        return try resources.withSiblings(properties, of: change.row.entity)
    }

    /// Returns all properties of a row that had its key before the request of its creation.
    ///
    /// The service may have had an object with the key. Other clients may still have its values,
    /// and take a member that the new object lacks for one that has not changed.
    private func exportable(_ change: CapturedChange) throws -> Set<String> {
        let entity = try reader.layout.entity(change.row.entity)
        let attributes = entity.attributes.filter { $0.attribute.json.isExportable }
        let relationships = try entity.relationships.filter { layout in
            guard layout.relationship.json.isExportable else { return false }
            return try !layout.relationship.isToMany
                || !reader.linked(layout, of: change.row.number).isEmpty
        }
        return Set(attributes.map(\.attribute.name) + relationships.map(\.relationship.name))
    }

    /// Returns the object in the body; nil if nothing has changed.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - properties: The properties to write, with null for those without a value; nil for all
    ///     that have one.
    ///   - resource: The list that contains the object.
    ///   - omitted: The relationships that are left out.
    ///   - names: What the object itself has shown, if that differs from others.
    /// - Returns: The object.
    /// - Throws: `ImportError` if a value cannot be written; `StoreError`, `DatabaseError`.
    private func object(
        of change: CapturedChange,
        only properties: Set<String>?,
        in resource: RemoteResource,
        omitting omitted: Set<String>,
        like names: ObservedNames?
    ) throws -> ChangedObject? {
        guard properties?.isEmpty != true else { return nil }
        var (properties, omitted) = (properties, omitted)
        let version = versionAttribute(of: change, in: resource.push)
        if let version {
            if version.isSent, change.kind == .update {
                properties?.insert(version.attribute)
            } else {
                // Kinto takes it for the time of the change: an object that is created again would
                // be older than what other clients have read, and they would not get it.
                omitted.insert(version.attribute)
            }
        }
        let object = try resources.object(
            of: change.row,
            only: properties,
            omitting: omitted,
            like: names,
            reader: reader
        )
        guard var object else { return nil }
        if resource.push.wrapper(for: PushStyle.Change(change.kind)) == .resource {
            object.add(resource.type, at: "type")
            // A service that makes keys itself refuses a new object with one (JSON:API 1.1,
            // "Client-Generated IDs").
            guard change.kind != .create || resource.push.key == .client else { return object }
            let key = try reader.key(of: change.row.number, reader.layout.entity(change.row.entity))
            if let key, key.parts.count == 1 { object.add(key.parts[0].requestText, at: "id") }
        }
        return object
    }
}

extension StoredRequest {
    /// The condition on the object.
    var condition: WriteRequest.Condition? {
        version.map { $0 == Self.absent ? .absent : .version($0) }
    }
}

extension PushStyle.Change {
    init(_ kind: CapturedChange.Kind) {
        switch kind {
        case .create: self = .create
        case .update: self = .update
        case .delete: self = .delete
        }
    }
}

extension AttributeType {
    /// Returns a UUID as a key of this type; nil if it cannot be one.
    fileprivate func makeKey(_ uuid: UUID) -> Value? {
        switch self {
        case .string: .string(uuid.uuidString.lowercased())
        case .uuid: .uuid(uuid.uuidString)
        default: nil
        }
    }
}
