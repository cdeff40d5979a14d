public import HTTPTypes
public import TidemarkModel

extension PushStyle {
    /// A kind of request: its method, its path, and what its body contains besides the object.
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

        /// The position of the object in the body; nil, the default, for that of all requests.
        ///
        /// A service may want it elsewhere in one of its requests: Datasette creates rows with
        /// `{"row": {…}}`, and changes them with `{"update": {…}}`.
        ///
        /// <!-- example: var service = Service.rest(url: url) -->
        /// ```swift
        /// service.push.create?.wrapper = .member("row")
        /// ```
        public var wrapper: Wrapper?

        /// Members that every body has, whatever the object is.
        ///
        /// They are next to the member with the object, or members of the object itself if it is
        /// the body. A deletion has a body only if there are some.
        ///
        /// <!-- example: var service = Service.rest(url: url) -->
        /// ```swift
        /// service.push.create?.members = ["return": .boolean(true)]    // {…, "return": true}
        /// ```
        public var members: [String: Value] = [:]

        /// The media type of the body; nil, the default, for JSON, or that of JSON:API.
        ///
        /// With `application/merge-patch+json`, values of a member that is an object are sent
        /// alone: see ``NestedMembers/leaf``.
        public var mediaType: String?

        /// What it means that the response to a creation has the key of an object that is known
        /// already.
        ///
        /// Defaults to ``ExistingObject/conflict``. It counts for ``PushStyle/create`` alone.
        public var existing = ExistingObject.conflict

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

    /// What a creation means whose response has the key of another row.
    public enum ExistingObject: String, Hashable, Sendable {
        /// The service has returned another object: the rows stay apart, and a conflict is
        /// recorded.
        case conflict
        /// The service returns the object that equals the new one, if there is one: the row becomes
        /// that object.
        case adopt
    }

    /// Who chooses the primary key of a new object.
    public enum KeySource: String, Hashable, Sendable {
        /// The service, in its response.
        case service
        /// The client: a UUID, unless the row has a key already.
        case client
    }
}

extension PushStyle {
    /// The media type of changes that a service joins with an object (RFC 7396).
    private static let mergePatch = "application/merge-patch+json"

    /// How an update changes members that are objects.
    package var updatesNested: NestedMembers {
        update?.mediaType == Self.mergePatch ? .leaf : body.nested
    }

    /// Returns the position of an object in the body of a request.
    package func wrapper(for change: Change) -> Wrapper {
        operation(for: change)?.wrapper ?? body.wrapper
    }

    /// Returns the media type of the body of a request.
    package func mediaType(for change: Change) -> String {
        operation(for: change)?.mediaType
            ?? (wrapper(for: change) == .resource
                ? "application/vnd.api+json" : "application/json")
    }
}
