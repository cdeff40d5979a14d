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

    /// A list in objects of one collection that alone shows their links with those of another.
    package struct LinkList: Hashable, Sendable {
        /// The collection whose objects have the list.
        let collection: String

        /// The name of the list, which contains keys.
        let name: String

        /// The collection of the objects in the list, each of which is in one at most.
        let members: String

        /// The members that other services show the links with: they are ignored.
        let ignored: Set<String>

        package init(
            _ collection: String,
            _ name: String,
            of members: String,
            ignoring ignored: Set<String>
        ) {
            self.collection = collection
            self.name = name
            self.members = members
            self.ignored = ignored
        }
    }

    /// The only list that shows links; nil if the objects are stored as they are sent.
    package var linkList: LinkList?

    /// The members that a client cannot set: they are null in new objects.
    package var readOnly: Set<String> = []

    /// The members that keep the value with which an object was created.
    package var immutable: Set<String> = []

    /// The members that are null in objects that were created without them.
    package var nullable: Set<String> = []

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
        let known = linkList.map { members.without(Array($0.ignored)) } ?? members
        var object = normalized(known.without(Array(readOnly)))
        for name in readOnly.union(immutable).union(nullable).sorted() where object[name] == nil {
            object[name] = .null
        }
        return object
    }

    /// Returns an object after a change, given what a service without habits makes of it.
    func updated(_ object: FakeJSON, from former: FakeJSON) -> FakeJSON {
        let kept = readOnly.union(immutable)
        let object = linkList.map { object.without(Array($0.ignored)) } ?? object
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
