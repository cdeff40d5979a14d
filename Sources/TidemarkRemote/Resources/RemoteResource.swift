/// One list of a service: which entity it holds, where it stands and how it is read.
///
/// ``Service/resource(_:path:)`` makes one with the service's usual ways; change what differs.
public struct RemoteResource: Hashable, Sendable {
    /// The entity that the objects belong to.
    public var entity: String

    /// The path below the service's URL, such as `films`; it may have a query.
    ///
    /// A to-one relationship of ``entity`` in braces is replaced by the primary key of the parent
    /// that it leads to: `posts/{post}/comments` is one list for each stored post, and each object
    /// of it is linked to that post. The parent's entity must have a resource of its own, which is
    /// pulled first. Where its key has several parts, each is written out:
    /// `posts/{comment.post}/comments/{comment.id}/likes`.
    ///
    /// ```swift
    /// let comments = service.resource("Comment", path: "posts/{post}/comments")
    /// ```
    public var path: String

    /// How the list looks, and what it tells.
    public var style: ListStyle

    /// The name that other lists call objects of this one by, where they are of several kinds; nil
    /// for the last part of the path.
    public var typeName: String?

    /// Creates a resource.
    public init(entity: String, path: String, style: ListStyle = ListStyle()) {
        self.entity = entity
        self.path = path
        self.style = style
    }

    /// The name that other lists call objects of this one by.
    public var type: String {
        if let typeName { return typeName }
        let path = path.prefix { $0 != "?" }
        return path.split(separator: "/").last.map(String.init) ?? ""
    }
}
