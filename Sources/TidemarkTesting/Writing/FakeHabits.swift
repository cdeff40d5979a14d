import HTTPTypes

/// What a service does with changes that its responses do not say.
///
/// Each habit is one of real services. A client that believes a status, or the first list that it
/// reads afterwards, loses changes at such a service.
package struct FakeHabits: Hashable, Sendable {
    /// What becomes of a change to which the response has status 202.
    package enum Acceptance: Hashable, Sendable {
        /// The service makes the change after this time.
        case later(Duration)
        /// The service never makes the change.
        case never
    }

    /// The members that a client cannot set: they are null in new objects.
    package var readOnly: Set<String> = []

    /// The members that keep the value with which an object was created.
    package var immutable: Set<String> = []

    /// Whether texts are stored in a form of the service: see ``normalized(_:)``.
    package var normalizesTexts = false

    /// Whether the response to a change contains the object before the change.
    package var respondsWithFormer = false

    /// Whether the response to a change that was rejected has status 200.
    package var hidesFailures = false

    /// How long it takes until a list shows a change.
    package var listLag = Duration.zero

    /// How long it takes until the object shows a change.
    package var objectLag = Duration.zero

    /// What becomes of all changes, which are then accepted with status 202; nil if they are made
    /// at once.
    package var acceptance: Acceptance?

    package init() {}

    /// Returns the form in which the service stores a text: without space at its ends, and with
    /// character references.
    package func normalized(_ text: String) -> String {
        guard normalizesTexts else { return text }
        return text.trimmed.replacing("&", with: "&amp;")
    }

    /// Returns the members that a new object has if a client creates it with these.
    package func created(_ members: FakeJSON) -> FakeJSON {
        var object = normalized(members.without(Array(readOnly)))
        for name in readOnly.union(immutable).sorted() where object[name] == nil {
            object[name] = .null
        }
        return object
    }

    /// Returns an object after a change, given what a service without habits makes of it.
    func updated(_ object: FakeJSON, from former: FakeJSON) -> FakeJSON {
        let kept = readOnly.union(immutable)
        guard !kept.isEmpty || normalizesTexts else { return object }
        return normalized(object.without(Array(kept))).merging(former.only(kept))
    }

    private func normalized(_ object: FakeJSON) -> FakeJSON {
        guard normalizesTexts, case .object(let members) = object else { return object }
        return .object(
            members.map { member in
                guard case .string(let text) = member.value else { return member }
                return FakeJSON.Member(member.name, .string(normalized(text)))
            }
        )
    }

    /// Returns the response to a change, given what a service without habits responds.
    func response(_ response: FakeResponse) -> FakeResponse {
        guard hidesFailures, response.status.code >= 400 else { return response }
        return FakeResponse(["success": false, "message": "The change was not possible."])
    }
}
