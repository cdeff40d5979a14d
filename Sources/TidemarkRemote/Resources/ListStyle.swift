/// How the lists of a service look, and what they tell: where the objects stand, how a list goes
/// on, what has changed, what is gone.
///
/// A preset has one for its service, and each ``RemoteResource`` may differ from it.
public struct ListStyle: Hashable, Encodable, Sendable {
    /// What an object of a list looks like.
    public var objects = ObjectStyle.plain

    /// Whether the resource is a list, or one object.
    ///
    /// One object proves nothing about others: ``deletes`` must be ``DeletionDetection/none``.
    public private(set) var content = ResourceContent.list

    /// Where the list stands in a document.
    public var envelope = Envelope.none

    /// How a list goes on after a page.
    public var pagination = Pagination.none

    /// Whether objects may move between pages while a list is read.
    public var drift = PageStability.possible

    /// What asks for pages of a size, such as `limit=1000`; a service may give less.
    public var pageSize: [QueryItem] = []

    /// What asks for a list in an order that changes do not disturb, such as `sort=id`.
    public var order: [QueryItem] = []

    /// Where the service tells how many objects a whole list has.
    public var total = TotalCount.none

    /// How the service is asked how many objects there are, without any of them.
    public var count = CountRequest.none

    /// How the service is asked for what has changed.
    public var delta = ChangeQuery.none

    /// How an object that is gone is told.
    public var deletes = DeletionDetection.sweep

    /// What asks for a list of nothing but keys, such as `fields=id`; nil where nothing does.
    public var keys: [QueryItem]?

    /// What a conditional request proves.
    public var validation = CachePolicy.pages

    /// How long after the whole list was read it is read again, where changes are requested in
    /// between; nil for never.
    ///
    /// Set it where ``delta`` cannot report everything: rows that are deleted at a service without
    /// tombstones, ``count`` or ``keys``, or changes that do not move the stamp of their object.
    public var fullInterval: Duration?

    /// Creates the style of a service that gives its objects as one array.
    public init() {}

    /// Makes it the style of a resource that is one object, such as `articles/3`: it has one page,
    /// and nothing is deleted for it.
    ///
    /// Call it before other changes: it resets pagination, page size, order, total, count, delta,
    /// deletes and keys.
    ///
    /// ```swift
    /// var resource = service.resource("Article", path: "articles/3")
    /// resource.style.makeSingleObject()
    /// ```
    public mutating func makeSingleObject() {
        content = .object
        pagination = .none
        pageSize = []
        order = []
        total = .none
        count = .none
        delta = .none
        deletes = .none
        keys = nil
    }
}

/// What a resource is.
public enum ResourceContent: String, Hashable, Encodable, Sendable {
    /// A list of objects.
    case list

    /// One object.
    case object
}

/// What an object of a list looks like.
public enum ObjectStyle: String, Hashable, Encodable, Sendable {
    /// An object of JSON whose members are its attributes and relationships.
    case plain

    /// A resource object of JSON:API: `type`, `id`, `attributes` and `relationships`.
    ///
    /// Source: JSON:API 1.1, “Resource Objects”.
    case resourceObject
}

/// Whether objects may move between the pages of a list while it is read.
public enum PageStability: String, Hashable, Encodable, Sendable {
    /// Pages are counted: an object that comes or goes moves those behind it to another page.
    case possible

    /// Each page begins behind the last object of the one before.
    case none
}

/// What a conditional request proves.
public enum CachePolicy: String, Hashable, Encodable, Sendable {
    /// Nothing: none is made.
    case none

    /// That one page is as it was.
    case pages

    /// That the whole collection is as it was: the validator of a list's first page is that of all.
    case collection
}
