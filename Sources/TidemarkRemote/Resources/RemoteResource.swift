/// A list or single object of a service: its entity, its path and its format.
///
/// ``Service/resource(_:path:)`` creates one with the service's defaults. Change what differs. An
/// entity may have several resources; only one of them may delete rows, and it must contain all
/// objects of the entity.
///
/// ```swift
/// let films = service.resource("Film", path: "films")
/// var featured = service.resource("Film", path: "films/featured")
/// featured.style.pagination = .none
/// featured.style.deletes = .none
/// ```
public struct RemoteResource: Hashable, Sendable {
    /// The name of the entity of the objects, as in the store's model.
    ///
    /// Objects of entities that inherit from it may be in the list too, if the model has a
    /// discriminator.
    public var entity: String

    /// The path below the service's URL, such as `films`.
    ///
    /// It may have a query. It identifies the resource in reports, events and the store: a resource
    /// with another path starts with a full read. Values of parameters whose names look like
    /// secrets, such as `api_key`, are replaced there by placeholders (`***api_key***`); a secret
    /// that all requests need belongs to ``Service/query`` or ``Service/headers``.
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
    ///
    /// If it changes, except for the page size, the next pull reads the whole list again.
    public var style: ResourceStyle

    /// How local changes are sent.
    ///
    /// Defaults to ``PushStyle/readOnly`` for a resource that is created by itself, and to
    /// ``Service/push`` for one of a service. It is not a part of ``style``: changing it reads no
    /// list again.
    ///
    /// ```swift
    /// var ratings = service.resource("Rating", path: "ratings")
    /// ratings.push = .readOnly    // whatever the service accepts elsewhere
    /// ```
    public var push = PushStyle.readOnly

    /// The type name of the objects in lists that contain several types, such as the `type` of
    /// JSON:API.
    ///
    /// Defaults to nil: the last component of the path. Set it if the path has another name than
    /// the type, so that embedded and included objects of the type are found.
    ///
    /// ```swift
    /// var people = service.resource("Person", path: "contacts")
    /// people.typeName = "people"    // {"type": "people", "id": "1", "attributes": {…}}
    /// ```
    public var typeName: String?

    /// The types of which only keys are known, from the linkage of relationships: see
    /// `Model.linkedTypes(besides:)`.
    package var linkedTypes: Set<String> = []

    /// Creates a resource.
    ///
    /// ``Service/resource(_:path:)`` is shorter, and takes the format of the service's lists.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity of the objects.
    ///   - path: The path below the service's URL.
    ///   - style: The format. Defaults to an array of a single page.
    public init(entity: String, path: String, style: ResourceStyle = ResourceStyle()) {
        self.entity = entity
        self.path = path
        self.style = style
    }

    /// The type name of the objects in lists that contain several types.
    package var type: String {
        if let typeName { return typeName }
        let path = path.prefix { $0 != "?" }
        return path.split(separator: "/").last.map(String.init) ?? ""
    }
}
