/// How local changes are sent to a service: the requests, their bodies, and what its responses
/// mean.
///
/// Every service and resource has one. By default it is ``readOnly``: the store is a mirror, and
/// records no local changes. Set it before an engine is prepared:
///
/// ```swift
/// var service = Service.rest(url: url)
/// service.push = .rest
/// var films = service.resource("Film", path: "films/")
/// films.push.update = PushStyle.Operation(.put, content: .whole)    // PUT films/7/
/// var ratings = service.resource("Rating", path: "ratings")
/// ratings.push = .readOnly
/// ```
///
/// Each fact about a service is a property of its own, and a key under `push:` in `tidemark.yml`,
/// so that a service that no preset describes is configured without code. Most have the same name;
/// these differ:
///
/// | key | property |
/// |---|---|
/// | `body` | `body.wrapper`; in the mapping of a request ``Operation/wrapper`` |
/// | `type` in the mapping of a request | ``Operation/mediaType`` |
/// | `names`, `references`, `links`, `nested`, `nulls`, `uploads` | `body.names`, … |
/// | `embed` | `body.embedding` |
/// | `read` | `reading.operation` |
/// | `readEnvelope`, `responseEnvelope` | `reading.envelope`, `reading.responseEnvelope` |
/// | `response`, `accepted` | `reading.response`, `reading.acceptedDelay` |
public struct PushStyle: Hashable, Sendable {
    /// The request that creates an object; nil if the service accepts none.
    public var create: Operation?

    /// The request that changes an object; nil if the service accepts none.
    public var update: Operation?

    /// The request that deletes an object; nil if the service accepts none.
    public var delete: Operation?

    /// Who chooses the primary key of a new object.
    ///
    /// Defaults to ``KeySource/service``.
    public var key = KeySource.service

    /// The format of an object in the body of a request.
    public var body = BodyFormat()

    /// How one object is read, and where it is in a response.
    public var reading = ReadFormat()

    /// How a change of another client is noticed before it is overwritten.
    ///
    /// Defaults to ``PreflightCheck/read(parameter:)``: the object is read first.
    ///
    /// <!-- example: var service = Service.rest(url: url) -->
    /// ```swift
    /// service.push.check = .read(parameter: "id__in")    // 25 objects in one request
    /// ```
    public var check = PreflightCheck.read(parameter: nil)

    /// Where the version of an object is, for conditional requests.
    ///
    /// Defaults to ``ObjectVersion/header``.
    public var version = ObjectVersion.header

    /// The responses that mean that the object has changed since it was read.
    public var stale = StaleResponse()

    /// The header field with which the service recognizes a repeated request; nil, the default, if
    /// it recognizes none.
    ///
    /// The value is a UUID that is stored before the request is sent. It is sent alone: only with
    /// ``Reconciliation/resend`` is a request repeated because of it.
    public var idempotency: Idempotency?

    /// How it is determined whether a creation was applied whose response was lost.
    ///
    /// Defaults to ``Reconciliation/list``.
    public var reconcile = Reconciliation.list

    /// How several changes are sent in one request; nil, the default, to send each by itself.
    public var batch: Batch?

    /// Creates a style without requests, as ``readOnly``.
    public init() {}

    /// Whether the service accepts no changes at all.
    ///
    /// If that is true for all resources of an engine, its store records no local changes.
    public var isReadOnly: Bool { create == nil && update == nil && delete == nil }

    /// Changes are not sent, and not recorded if no resource of the service sends any.
    ///
    /// It is the default: a store that only mirrors a service pays nothing for what it does not
    /// use.
    public static let readOnly = PushStyle()

    /// A kind of change.
    package enum Change: String, Sendable, CaseIterable {
        case create, update, delete
    }

    /// Returns the operation for a kind of change; nil if the service does not accept it.
    package func operation(for change: Change) -> Operation? {
        switch change {
        case .create: create
        case .update: update
        case .delete: delete
        }
    }
}

// MARK: Bodies

extension PushStyle {
    /// The format of an object in the body of a request.
    ///
    /// <!-- example: var service = Service.rest(url: url) -->
    /// ```swift
    /// service.push.body.wrapper = .member("{entity}")    // {"film": {…}}
    /// service.push.body.references = .urls               // "director": "https://…/people/4"
    /// service.push.body.nulls = .omit
    /// ```
    public struct BodyFormat: Hashable, Sendable {
        /// The position of the object in the body.
        public var wrapper = Wrapper.object

        /// How the names of attributes are written.
        public var names = Names.observed

        /// How references to other objects are written.
        ///
        /// Defaults to ``References/observed``.
        public var references = References.observed

        /// How objects without a primary key are written.
        public var embedding = Embedding.objects

        /// How the service changes a member that is an object, such as `address` with a `city`.
        ///
        /// Defaults to ``NestedMembers/replace``: a request that changes the city contains the
        /// whole address, as the service has it.
        ///
        /// <!-- example: var service = Service.rest(url: url) -->
        /// ```swift
        /// service.push.body.nested = .leaf    // {"address": {"city": "Paris"}} keeps the street
        /// ```
        public var nested = NestedMembers.replace

        /// How the lack of a value is written.
        public var nulls = Nulls.explicit

        /// The relationships whose links are sent with the rows that have them, as
        /// `Entity.relationship`.
        ///
        /// Links between two entities can be sent with the rows of either. Defaults to none: the
        /// side that the service's objects show decides. If they show neither, the model decides;
        /// but if objects of both entities were received, and do not leave out what is missing, the
        /// links wait. Set it where a service shows both sides and accepts one, or shows neither.
        ///
        /// <!-- example: var service = Service.rest(url: url) -->
        /// ```swift
        /// service.push.body.links = ["Task.tags"]    // PATCH /tasks/4 {"tag_ids": [1, 2]}
        /// ```
        public var links: Set<String> = []

        /// The request that uploads a file before the object that refers to it; nil, the default,
        /// if the service accepts no files.
        ///
        /// Without it, an object with a file that only this device has is rejected.
        public var uploads: Upload?

        /// Creates the format of a plain object.
        public init() {}
    }

    /// The position of an object in the body of a request.
    public enum Wrapper: Hashable, Sendable {
        /// The body is the object.
        case object
        /// The object is the value of a member. `{entity}` is the entity's name in snake case.
        case member(String)
        /// The body is a document of JSON:API.
        case resource
    }

    /// How the names of attributes are written.
    public enum Names: String, Hashable, Sendable {
        /// As in the objects that the service has sent.
        case observed
        /// `due_date`.
        case snake
        /// `dueDate`.
        case camel
    }

    /// How a member is changed that is an object, of which the model maps values by key paths.
    public enum NestedMembers: String, Hashable, Sendable {
        /// The whole member is sent, because the service replaces it: as the object that was read
        /// shows it, with the changes.
        case replace
        /// The changed values are sent alone, because the service joins them with the others
        /// (RFC 7396).
        case leaf
    }

    /// How references to other objects are written.
    public enum References: String, Hashable, Sendable {
        /// As in the service's own objects: a key, a URL, or an object with the key.
        case observed
        /// The key: `{"author_id": 7}`.
        case ids
        /// The URL: `{"author": "https://api.example.com/authors/7"}`.
        case urls
        /// A pointer of Parse, whose values have types, too: `{"__type": "Pointer", …}`.
        case pointers
        /// A resource identifier of JSON:API: `{"data": {"type": "authors", "id": "7"}}`.
        case linkage
    }

    /// How objects without a primary key are written.
    public enum Embedding: String, Hashable, Sendable {
        /// As nested objects.
        case objects
        /// As nested attributes of Rails, under `NAME_attributes`.
        case nestedAttributes = "nested-attributes"
    }

    /// How the lack of a value is written.
    public enum Nulls: String, Hashable, Sendable {
        /// As `null`.
        case explicit
        /// By leaving the member out.
        case omit
        /// As an operation of Parse: `{"__op": "Delete"}`.
        case operation
    }

    /// How one object is read, and where it is in a response.
    ///
    /// <!-- example: var service = Service.rest(url: url) -->
    /// ```swift
    /// service.push.reading.operation = PushStyle.Operation(.get, path: "issues/{key}.json")
    /// service.push.reading.envelope = .keyPath(["issue"])
    /// service.push.reading.responseEnvelope = .keyPath(["issue"])
    /// ```
    public struct ReadFormat: Hashable, Sendable {
        /// The request that reads an object; nil, the default, for `GET` at the path of
        /// ``PushStyle/update``, with the query of the list.
        public var operation: Operation?

        /// The position of the object in the document that is read.
        ///
        /// Defaults to ``Envelope/none``.
        public var envelope = Envelope.none

        /// The position of the object in the response to a change.
        ///
        /// Defaults to ``Envelope/none``.
        public var responseEnvelope = Envelope.none

        /// What in a response to a change confirms it.
        ///
        /// Defaults to ``ResponseContent/automatic``: only the values that an object in the
        /// response has are confirmed by it.
        ///
        /// <!-- example: var service = Service.rest(url: url) -->
        /// ```swift
        /// service.push.reading.response = .key    // {"id": 12}, and nothing else that counts
        /// ```
        public var response = ResponseContent.automatic

        /// How long to wait before a change is sent again that the service has accepted for later
        /// processing (202), unless the response specifies a time.
        ///
        /// Defaults to one hour.
        public var acceptedDelay = Duration.seconds(3_600)

        /// Creates the format of a service that returns plain objects.
        public init() {}
    }
}
