public import HTTPTypes

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
/// | `body` | `body.wrapper` |
/// | `names`, `references`, `nulls`, `uploads` | `body.names`, … |
/// | `embed` | `body.embedding` |
/// | `read` | `reading.operation` |
/// | `readEnvelope`, `responseEnvelope` | `reading.envelope`, `reading.responseEnvelope` |
/// | `readNulls` | `reading.omitsNulls` |
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
    package enum Change: String, Sendable {
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

// MARK: Requests

extension PushStyle {
    /// A kind of request: its method and its path.
    ///
    /// <!-- example: var service = Service.rest(url: url) -->
    /// ```swift
    /// service.push.create = PushStyle.Operation(.post, path: "{path}/new")
    /// service.push.update = PushStyle.Operation(.put, content: .whole)
    /// service.push.delete = PushStyle.Operation(.post, path: "{path}/{key}/archive")
    /// ```
    public struct Operation: Hashable, Sendable {
        /// The method, such as `POST`.
        public var method: HTTPRequest.Method

        /// The path below the service's URL, with a query if necessary; nil, the default, for the
        /// path of the list (to create an object), or that of the list followed by the key.
        ///
        /// `{path}` is the path of the list without its query, and `{key}` the primary key.
        /// Attributes of a key that consists of several are named: `{country}/{code}`. Values are
        /// percent-encoded as one segment. In the path of a list below a parent, `{post}` is the
        /// key of the post whose list contains the object; a new object waits until its post has
        /// one.
        public var path: String?

        /// What the body contains.
        public var content: Content

        /// Creates an operation.
        ///
        /// - Parameters:
        ///   - method: The method.
        ///   - path: The path, see ``path``. Defaults to the usual one.
        ///   - content: What the body contains. Defaults to the changed properties.
        public init(
            _ method: HTTPRequest.Method,
            path: String? = nil,
            content: Content = .changes
        ) {
            self.method = method
            self.path = path
            self.content = content
        }
    }

    /// What the body of a request that changes an object contains.
    public enum Content: String, Hashable, Sendable {
        /// The changed properties.
        case changes
        /// The whole object that was read before, with the changed properties.
        ///
        /// What the model does not know is sent back as it is.
        case whole
    }

    /// Who chooses the primary key of a new object.
    public enum KeySource: String, Hashable, Sendable {
        /// The service, in its response.
        case service
        /// The client: a UUID, unless the row has a key already.
        case client
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
        public var wrapper = Wrapper.none

        /// How the names of attributes are written.
        public var names = Names.observed

        /// How references to other objects are written.
        public var references = References.ids

        /// How objects without a primary key are written.
        public var embedding = Embedding.objects

        /// How the lack of a value is written.
        public var nulls = Nulls.explicit

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
        case none
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

    /// How references to other objects are written.
    public enum References: String, Hashable, Sendable {
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

        /// Whether the service leaves out members that are null.
        ///
        /// Defaults to false: a member that an object lacks leaves its property unchanged. If it is
        /// true, an object that is read, or an item of a list, has no value where it has no member.
        /// Properties that only the app has must not be exportable then.
        public var omitsNulls = false

        /// Creates the format of a service that returns plain objects.
        public init() {}
    }
}
