/// The format of a service's lists: the position of the objects, the pagination, and how changes
/// and deletions are detected.
///
/// A preset such as ``Service/rails(url:)`` defines one for its service. Each ``RemoteResource``
/// may have a different one.
public struct ListStyle: Hashable, Sendable {
    /// The format of an object.
    ///
    /// Defaults to ``ObjectStyle/plain``.
    public var objects = ObjectStyle.plain

    /// Whether the resource is a list or a single object; see ``makeSingleObject()``.
    ///
    /// A single object proves nothing about others: ``deletes`` must be ``DeletionDetection/none``.
    package private(set) var content = ResourceContent.list

    /// The position of the list in a document.
    ///
    /// Defaults to the document itself.
    public var envelope = Envelope.none

    /// How the next page of a list is requested.
    ///
    /// Defaults to a single page.
    public var pagination = Pagination.none

    /// Whether objects may move between pages while a list is read.
    ///
    /// Defaults to ``PageStability/unstable``.
    public var stability = PageStability.unstable

    /// The query parameters of the list: page size, order, and keys only.
    public var parameters = ListParameters()

    /// The source of the number of objects in a whole list.
    public var total = TotalCount.none

    /// How the number of objects is requested without the objects.
    public var count = CountRequest.none

    /// How changes are requested.
    ///
    /// Defaults to none: each pull reads the whole list.
    public var delta = ChangeQuery.none

    /// How deleted objects are detected.
    ///
    /// Defaults to ``DeletionDetection/sweep``.
    public var deletes = DeletionDetection.sweep

    /// The scope of conditional requests.
    ///
    /// Defaults to ``CachePolicy/pages``.
    public var validation = CachePolicy.pages

    /// The time after which the whole list is read again although changes are requested; nil for
    /// never.
    ///
    /// Set it if ``delta`` does not report everything: deletions at a service without tombstones,
    /// ``count`` or ``ListParameters/keys``, or changes that do not update the modification time of
    /// the object.
    public var fullInterval: Duration?

    /// Creates the style of a service whose lists are single arrays.
    public init() {}

    /// Makes this the style of a resource that is a single object, such as `articles/3`: it has one
    /// page, and no rows are deleted because of it.
    ///
    /// Call it before other changes: it resets pagination, parameters, total, count, delta and
    /// deletes.
    ///
    /// ```swift
    /// var resource = service.resource("Article", path: "articles/3")
    /// resource.style.makeSingleObject()
    /// ```
    public mutating func makeSingleObject() {
        content = .object
        pagination = .none
        parameters = ListParameters()
        total = .none
        count = .none
        delta = .none
        deletes = .none
    }
}

extension ListStyle: Encodable {
    private enum CodingKeys: String, CodingKey {
        case objects, content, envelope, pagination, total, count, delta, deletes
        case validation, fullInterval
        case stability = "drift"
    }

    /// Encodes the properties as one flat object, with those of ``parameters`` among them.
    public func encode(to encoder: any Encoder) throws {
        // Stores contain a digest of the encoded style. Another form of it would discard all
        // cursors and cached pages.
        try parameters.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(objects, forKey: .objects)
        try container.encode(content, forKey: .content)
        try container.encode(envelope, forKey: .envelope)
        try container.encode(pagination, forKey: .pagination)
        try container.encode(stability, forKey: .stability)
        try container.encode(total, forKey: .total)
        try container.encode(count, forKey: .count)
        try container.encode(delta, forKey: .delta)
        try container.encode(deletes, forKey: .deletes)
        try container.encode(validation, forKey: .validation)
        try container.encodeIfPresent(fullInterval, forKey: .fullInterval)
    }
}

/// The query parameters of the requests for a list.
public struct ListParameters: Hashable, Encodable, Sendable {
    /// The parameters that request a page size, such as `limit=1000`.
    ///
    /// The service may return fewer objects.
    public var pageSize: [QueryItem] = []

    /// The parameters that request an order which changes do not affect, such as `sort=id`.
    public var order: [QueryItem] = []

    /// The parameters that request a list of keys only, such as `fields=id`; nil if the service
    /// does not support it.
    public var keys: [QueryItem]?

    /// Creates the parameters of a service that needs none.
    public init() {}
}

/// The content of a resource.
package enum ResourceContent: String, Hashable, Encodable, Sendable {
    /// A list of objects.
    case list

    /// A single object.
    case object
}

/// The format of an object.
public enum ObjectStyle: String, Hashable, Encodable, Sendable {
    /// A JSON object whose members are its attributes and relationships.
    case plain

    /// A resource object of JSON:API: `type`, `id`, `attributes` and `relationships`.
    ///
    /// Source: JSON:API 1.1, “Resource Objects”.
    case resourceObject
}

/// Whether objects may move between the pages of a list while it is read.
public enum PageStability: String, Hashable, Encodable, Sendable {
    /// Pages are numbered: an insertion or deletion moves the objects after it to another page. The
    /// list is verified before rows are deleted.
    case unstable = "possible"

    /// Each page starts after the last object of the previous one, so that no object is missed.
    case stable = "none"
}

/// The scope of conditional requests.
public enum CachePolicy: String, Hashable, Encodable, Sendable {
    /// No conditional requests are sent.
    case none

    /// A validator covers one page.
    case pages

    /// The validator of a list's first page covers the whole collection.
    case collection
}
