/// A list or single object of a service: its entity, its path and its format.
///
/// ``Service/resource(_:path:)`` creates one with the service's defaults. Change what differs.
public struct RemoteResource: Hashable, Sendable {
    /// The name of the entity of the objects.
    public var entity: String

    /// The path below the service's URL, such as `films`.
    ///
    /// It may have a query.
    ///
    /// A to-one relationship of ``entity`` in braces is replaced by the primary key of the parent:
    /// `posts/{post}/comments` is one list for each stored post, and each of its objects is linked
    /// to that post. The parent's entity must have a resource of its own, which is pulled first. If
    /// its key has several attributes, the path contains each:
    /// `posts/{comment.post}/comments/{comment.id}/likes`.
    ///
    /// ```swift
    /// let comments = service.resource("Comment", path: "posts/{post}/comments")
    /// ```
    public var path: String

    /// The format of the list, and how its changes and deletions are detected.
    public var style: ListStyle

    /// The type name of the objects in lists that contain several types, such as the `type` of
    /// JSON:API.
    ///
    /// Defaults to nil: the last component of the path.
    public var typeName: String?

    /// Creates a resource.
    public init(entity: String, path: String, style: ListStyle = ListStyle()) {
        self.entity = entity
        self.path = path
        self.style = style
    }

    /// The type name of the objects in lists that contain several types.
    public var type: String {
        if let typeName { return typeName }
        let path = path.prefix { $0 != "?" }
        return path.split(separator: "/").last.map(String.init) ?? ""
    }
}
