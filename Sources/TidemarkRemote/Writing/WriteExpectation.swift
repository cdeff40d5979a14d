import TidemarkJSON
package import TidemarkModel

/// What was sent to a service, as far as the meaning of its response depends on it.
package struct WriteExpectation: Sendable {
    /// What all requests for a kind of change have in common.
    package let shared: Shared

    /// The values of the object's primary key as text, by attribute; empty if it has none yet.
    ///
    /// A change of the key has two values.
    package let key: [String: Set<String>]

    /// The body of the request; nil for a request without one.
    package let body: [UInt8]?

    /// What all requests for a kind of change in a list have in common.
    ///
    /// A class, because it is large.
    package final class Shared: Sendable {
        /// The list to which the requests are sent.
        package let resource: RemoteResource

        /// The kind of the change.
        package let change: PushStyle.Change

        /// The names of the entity's properties in JSON; nil if the model lacks the entity.
        package let mapping: EntityMapping?

        /// The limits of a document.
        package let limits: Limits

        package init(
            _ change: PushStyle.Change,
            in resource: RemoteResource,
            mapping: EntityMapping? = nil,
            limits: Limits = Limits()
        ) {
            self.change = change
            self.resource = resource
            self.mapping = mapping
            self.limits = limits
        }
    }

    package init(
        _ shared: Shared,
        key: [String: Set<String>] = [:],
        body: [UInt8]? = nil
    ) {
        self.shared = shared
        self.key = key
        self.body = body
    }

    private var mapping: EntityMapping? { shared.mapping }
    private var resource: RemoteResource { shared.resource }
    private var change: PushStyle.Change { shared.change }
    private var limits: Limits { shared.limits }
}

/// What a document in a successful response shows about a change.
///
/// Services respond with 200 although they have not applied a change: a row that a policy hides is
/// an empty list, a failed validation an object with `errors`. So a status alone confirms nothing.
package enum ResponseEvidence: Hashable, Sendable {
    /// The object itself: it has the key of the row, or a member that was sent.
    ///
    /// Whatever else it contains is data. Messages of the service about errors beside that are for
    /// the report.
    case object(FieldErrors)

    /// An error of the service.
    case error(FieldErrors)

    /// Something that can contain no object, such as an empty list.
    case noObject(String)

    /// An object with the key of another one.
    case otherObject

    /// Nothing about the object's values: a key, times, messages, or no document at all.
    case unspecific
}

extension WriteExpectation {
    /// Returns what a document shows about the change.
    ///
    /// - Parameters:
    ///   - document: The document; nil for a response without one.
    ///   - type: The media type of the response; nil if it does not specify one.
    ///   - secrets: The secrets that messages may repeat.
    /// - Returns: The evidence, of the first kind that fits in the order of their declaration.
    /// - Throws: `JSONError` if the object exceeds the limits.
    func evidence(
        in document: JSONDocument?,
        type: String?,
        hiding secrets: SecretMask
    ) throws -> ResponseEvidence {
        guard let document else { return .unspecific }
        func errors() -> FieldErrors { FieldErrors(document, hiding: secrets) }
        // A problem has members such as `title` and `status`, which the object may have as well
        // (RFC 9457, 3).
        guard type != "application/problem+json" else { return .error(errors()) }
        let envelope = resource.push.reading.responseEnvelope
        let identity: Identity? = try resource.withObject(
            in: document,
            at: envelope,
            limits: limits
        ) { object in try self.identity(of: object) }
        if identity == .same {
            let hasErrors = document.withRoot { $0.reportsErrors(exceptIn: isMapped) }
            return .object(hasErrors ? errors() : FieldErrors())
        }
        if document.withRoot({ $0.reportsFailure(exceptIn: isMapped) }) { return .error(errors()) }
        switch identity {
        case .same, .unknown: return .unspecific
        case .other: return .otherObject
        case nil: break
        }
        let content = document.withRoot { root in
            (root.node(at: JSONPath(envelope.path)) ?? root).descriptionWithoutObject
        }
        return content.map { .noObject($0) } ?? .unspecific
    }

    // MARK: The object

    /// Which object a response contains.
    private enum Identity {
        /// That of the change.
        case same
        /// Another one.
        case other
        /// None of which anything is known.
        case unknown
    }

    private func identity(of object: JSONNode) throws -> Identity {
        if let hasKey = hasKey(object) { return hasKey ? .same : .other }
        return try hasSentMember(object) ? .same : .unknown
    }

    /// Whether an object has the key of the row; nil if it has none, or if the row has none.
    private func hasKey(_ object: JSONNode) -> Bool? {
        guard let mapping, !key.isEmpty else { return nil }
        var found: Set<String> = []
        for (name, value) in object.members {
            guard let index = mapping.target(for: name.string)?.attribute,
                let expected = key[mapping.attributes[index].name]
            else { continue }
            guard value.keyText.map(expected.contains) == true else { return false }
            found.insert(mapping.attributes[index].name)
            if found.count == key.count { return true }
        }
        return found.isEmpty ? nil : true
    }

    /// Whether an object has a member that was sent, apart from its key.
    private func hasSentMember(_ object: JSONNode) throws -> Bool {
        guard let body, let mapping else { return false }
        let document = try JSONDocument(body, limits: limits.json)
        let wrapper = resource.push.wrapper(for: change).name(for: resource.entity)
        let isSent = try resource.withObject(
            in: document,
            at: wrapper.map { .keyPath([$0]) } ?? .none,
            limits: limits
        ) { sent in
            sent.members.contains { name, _ in
                let name = name.string
                let attribute = mapping.target(for: name)?.attribute
                return object.member(name) != nil
                    && attribute.map(mapping.primaryKey.contains) != true
            }
        }
        return isSent ?? false
    }

    /// Whether the model maps a member, so that it is a value of the object.
    private func isMapped(_ name: String) -> Bool { mapping?.target(for: name) != nil }
}

extension JSONNode {
    /// The value of a key as text; nil if it is not a single value.
    fileprivate var keyText: String? {
        switch kind {
        case .string: string
        case .number: String(decoding: text, as: UTF8.self)
        case .object, .array, .true, .false, .null: nil
        }
    }

    /// What the value is, as a noun phrase, if it can contain no object; nil for an object.
    fileprivate var descriptionWithoutObject: String? {
        switch kind {
        case .object: nil
        case .array: elements.contains { _ in true } ? "a list" : "an empty list"
        case .string: "a text"
        case .number: "a number"
        case .true, .false: "a Boolean value"
        case .null: "null"
        }
    }
}
