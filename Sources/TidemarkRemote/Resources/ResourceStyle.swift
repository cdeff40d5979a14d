/// The format of a service's lists: the position of the objects, the pagination, and how changes
/// and deletions are detected.
///
/// A preset such as ``Service/rails(url:)`` defines one for its service. Each ``RemoteResource``
/// may have a different one. It decides what a pull costs: without ``delta``, each pull reads the
/// whole list, of which a service with validators sends the modified pages only.
///
/// ```swift
/// var films = service.resource("Film", path: "films")
/// films.style.envelope = .keyPath(["data"])
/// films.style.pagination = .number(parameter: "page")
/// films.style.parameters.pageSize = [QueryItem("per_page", "100")]
/// films.style.total = .body(["meta", "total"])
/// // GET films?per_page=100 → {"data": […], "meta": {"total": 82}}
/// // GET films?per_page=100&page=2, and so on until 82 objects were read
/// ```
public struct ResourceStyle: Hashable, Sendable {
    /// The format of an object, and where it is in an element of the list.
    ///
    /// Defaults to plain objects that are the elements.
    private var elements = ElementFormat()

    /// The format of an object.
    ///
    /// Defaults to ``ObjectStyle/plain``.
    package var objects: ObjectStyle {
        get { elements.objects }
        set { elements.objects = newValue }
    }

    /// Whether the resource is a list or a single object; see ``makeSingleObject()``.
    ///
    /// A single object proves nothing about others: ``deletes`` must be ``DeletionDetection/none``.
    package private(set) var content: ResourceContent {
        get { elements.content }
        set { elements.content = newValue }
    }

    /// The position of the list in a document.
    ///
    /// Defaults to ``Envelope/none``: the document itself.
    public var envelope = Envelope.none

    /// The path of the object within an element of the list; empty, the default, if the element is
    /// the object.
    ///
    /// The object alone is stored, compared and sent. What else an element contains is ignored.
    ///
    /// ```swift
    /// var patients = service.resource("Patient", path: "Patient")
    /// patients.style.envelope = .keyPath(["entry"])
    /// patients.style.item = ["resource"]    // {"entry": [{"resource": {"id": "p1", …}}, …]}
    /// ```
    public var item: [String] {
        get { elements.item }
        set { elements.item = newValue }
    }

    /// Whether the objects of the list leave out members that are null.
    ///
    /// Defaults to false: a member that an object lacks leaves its property unchanged. Set it for a
    /// service that leaves out what is null, such as a Parse server or one whose encoder has an
    /// option like `omitempty`: an item of the list, or an object that is read alone, then has no
    /// value where it has no member. Properties that only the app has must not be exportable.
    ///
    /// Only whole objects clear properties. An object that lacks a required property is a part of
    /// one, and so are objects that others embed and the elements of a list of keys.
    ///
    /// ```swift
    /// var notes = service.resource("Note", path: "notes")
    /// notes.style.omitsNulls = true    // {"id": 1}: the note has no text any more
    /// ```
    public var omitsNulls: Bool {
        get { elements.omitsNulls }
        set { elements.omitsNulls = newValue }
    }

    /// Whether a response 204 (No Content) is an empty list.
    ///
    /// Defaults to false: a response without a body is an error, because rows would be deleted
    /// without proof. Set it for a service that answers so where no object is left.
    ///
    /// ```swift
    /// var payments = service.resource("Payment", path: "payments")
    /// payments.style.readsNoContentAsEmpty = true    // 204 instead of 200 and []
    /// ```
    public var readsNoContentAsEmpty: Bool {
        get { elements.readsNoContentAsEmpty }
        set { elements.readsNoContentAsEmpty = newValue }
    }

    /// How the next page of a list is requested.
    ///
    /// Defaults to ``Pagination/none``: the list is a single page. Presets recognize or define it.
    public var pagination = Pagination.none

    /// After how many pages without objects, in succession, a list fails that names yet another
    /// page.
    ///
    /// Defaults to 100. A service that filters while it reads may send pages without objects, but
    /// one that names a next page for ever would be asked without an end.
    ///
    /// ```swift
    /// var films = service.resource("Film", path: "films")
    /// films.style.emptyPages = 1_000
    /// ```
    public var emptyPages: Int {
        get { paging.emptyPages }
        set { paging.emptyPages = newValue }
    }

    /// The number of the first page, or of the first object where objects are counted; nil, the
    /// default, to find it.
    ///
    /// It matters for ``Pagination/number(parameter:)`` and ``Pagination/offset(parameter:)``, from
    /// the second page on: the first is requested without a number, so that it is the first.
    ///
    /// It is found in the first response, as `"number": 0` or `"startIndex": 1`. If that has no
    /// such number, page 1 is requested once: it has the objects of the first page if pages are
    /// counted from 1, and others if they are counted from 0. What was found is stored with the
    /// list. Objects are counted from 0.
    ///
    /// ```swift
    /// var people = service.resource("Person", path: "people")
    /// people.style.pagination = .number(parameter: "page")
    /// people.style.base = 0    // GET people, GET people?page=1, …
    /// ```
    public var base: Int? {
        get { paging.base }
        set { paging.base = newValue }
    }

    /// Whether the second page of a list is requested if its first is as long as full pages
    /// usually are and does not say that it is the whole list.
    ///
    /// For services of which only an address is known. It needs ``Pagination/automatic``.
    package var asksForSecondPage: Bool {
        get { paging.asksForSecondPage }
        set { paging.asksForSecondPage = newValue }
    }

    /// How the pages of a list are counted, and where they end.
    private var paging = PageCounting()

    /// Whether objects may move between pages while a list is read.
    ///
    /// Defaults to ``PageStability/unstable``. Set it to ``PageStability/stable`` if pages are
    /// requested in an order that changes do not affect, each after the last object of the previous
    /// one: the list is then read once, not twice, before rows are deleted.
    public var stability = PageStability.unstable

    /// The query parameters of the list: page size, order, and keys only.
    ///
    /// Defaults to none: the service decides how long a page is.
    ///
    /// ```swift
    /// var posts = service.resource("Post", path: "posts")
    /// posts.style.parameters.pageSize = [QueryItem("limit", "200")]
    /// posts.style.parameters.order = [QueryItem("sort", "id")]
    /// posts.style.parameters.keys = [QueryItem("fields", "id")]
    /// ```
    public var parameters = ListParameters()

    /// The source of the number of objects in a whole list.
    ///
    /// Defaults to ``TotalCount/none``. It is the total of a progress bar, ends pages that are
    /// requested by number, and protects rows: a list with fewer objects than its total is not
    /// complete.
    public var total = TotalCount.none

    /// How the number of objects is requested without the objects.
    ///
    /// Defaults to ``CountRequest/none``. After changes were applied, the number is compared with
    /// that of the rows. A difference shows deletions that the changes do not report, and the whole
    /// list, or the list of keys, is read.
    public var count = CountRequest.none

    /// How changes are requested (delta sync).
    ///
    /// Defaults to ``ChangeQuery/none``: each pull reads the whole list. With
    /// ``DeletionDetection/sweep``, changes are requested only if deletions are noticed otherwise:
    /// by ``count``, ``ListParameters/keys`` or ``fullInterval``.
    ///
    /// ```swift
    /// var posts = service.resource("Post", path: "posts")
    /// posts.style.delta = .since(ChangeQuery.Since(field: ["updated_at"], parameter: "since"))
    /// posts.style.fullInterval = .seconds(86_400)
    /// ```
    public var delta = ChangeQuery.none

    /// How deleted objects are detected.
    ///
    /// Defaults to ``DeletionDetection/sweep``. Set it to ``DeletionDetection/none`` for all but
    /// one of several lists of an entity, and for lists that do not contain all objects, such as
    /// the latest ones.
    public var deletes = DeletionDetection.sweep

    /// The scope of conditional requests.
    ///
    /// Defaults to ``CachePolicy/pages``: pages that were not modified are not sent again.
    public var validation = CachePolicy.pages

    /// The time after which the whole list is read again although changes are requested; nil, the
    /// default, for never.
    ///
    /// Set it if ``delta`` does not report everything: deletions at a service without tombstones,
    /// ``count`` or ``ListParameters/keys``, or changes that do not update the modification time of
    /// the object. It is measured from the end of the last full read, and takes effect with the
    /// next pull.
    ///
    /// ```swift
    /// var posts = service.resource("Post", path: "posts")
    /// posts.style.delta = .railsChanges
    /// posts.style.fullInterval = .seconds(24 * 3_600)
    /// ```
    public var fullInterval: Duration?

    /// Creates the style of a service whose lists are single arrays.
    ///
    /// Deleted objects are detected by their absence, and pages are requested conditionally.
    public init() {}

    /// Makes this the style of a resource that is a single object, such as `articles/3`: it has one
    /// page, and no rows are deleted because of it.
    ///
    /// Use it for a settings document or the profile of the user. Call it before other changes: it
    /// resets pagination, parameters, total, count, delta and deletes. The envelope stays, and is
    /// the position of the object; a document without it is the object itself, except in JSON:API.
    /// Set it to ``Envelope/none`` if the object has a member of that name.
    ///
    /// ```swift
    /// var resource = service.resource("Article", path: "articles/3")
    /// resource.style.makeSingleObject()
    /// // GET articles/3 → {"id": 3, "title": "Notes"}
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

extension ResourceStyle: Encodable {
    private enum CodingKeys: String, CodingKey {
        case objects, content, envelope, item, pagination, base, total, count, delta, deletes
        case validation, fullInterval
        case stability = "drift"
    }

    /// Encodes the properties as one flat object, with those of ``parameters`` among them.
    public func encode(to encoder: any Encoder) throws {
        // Stores contain a digest of the encoded style. Another form of it would discard all
        // cursors and cached pages: so it lacks what changes nothing about what is read.
        try parameters.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(objects, forKey: .objects)
        try container.encode(content, forKey: .content)
        try container.encode(envelope, forKey: .envelope)
        if !item.isEmpty { try container.encode(item, forKey: .item) }
        try container.encode(pagination, forKey: .pagination)
        try container.encodeIfPresent(base, forKey: .base)
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
///
/// They are added to the URL of the first page, and to those of pages that are requested by a
/// parameter. Links of the service to a next page are followed unchanged.
///
/// ```swift
/// var parameters = ListParameters()
/// parameters.pageSize = [QueryItem("per_page", "100")]
/// parameters.order = [QueryItem("sort", "created_at"), QueryItem("direction", "asc")]
/// ```
public struct ListParameters: Hashable, Encodable, Sendable {
    /// The parameters that request a page size, such as `limit=1000`.
    ///
    /// The service may return fewer objects. A change of the page size does not cause a full read.
    public var pageSize: [QueryItem] = []

    /// The parameters that request an order which changes do not affect, such as `sort=id`.
    ///
    /// With numbered pages it makes moves between them rare: objects that are inserted meanwhile
    /// are on the last page.
    public var order: [QueryItem] = []

    /// The parameters that request a list of keys only, such as `fields=id`; nil if the service
    /// does not support it.
    ///
    /// The list of keys shows which rows were deleted, and costs less than the objects. It is read
    /// after the changes if ``ResourceStyle/count`` differs or is not supported, and to approve a
    /// deletion.
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

/// What a resource contains, and the format of the elements of a list.
private struct ElementFormat: Hashable {
    var content = ResourceContent.list
    var objects = ObjectStyle.plain

    /// The path of the object; empty if the element is the object.
    var item: [String] = []

    var omitsNulls = false
    var readsNoContentAsEmpty = false
}

/// How the pages of a list are counted, and where they end.
private struct PageCounting: Hashable {
    var base: Int?
    var emptyPages = 100
    var asksForSecondPage = false
}

/// The format of an object.
package enum ObjectStyle: String, Hashable, Encodable, Sendable {
    /// A JSON object whose members are its attributes and relationships.
    case plain

    /// A resource object of JSON:API: `type`, `id`, `attributes` and `relationships`.
    ///
    /// Source: JSON:API 1.1, “Resource Objects”.
    case resourceObject
}

/// Whether objects may move between the pages of a list while it is read.
///
/// ```swift
/// var films = service.resource("Film", path: "films")
/// films.style.pagination = .keyset(Keyset(key: ["id"], parameter: "after"))
/// films.style.parameters.order = [QueryItem("sort", "id")]
/// films.style.stability = .stable    // each page starts after the last id
/// ```
public enum PageStability: String, Hashable, Encodable, Sendable {
    /// Pages are numbered: an insertion or deletion moves the objects after it to another page. The
    /// list is verified before rows are deleted.
    ///
    /// The verification is a second, conditional read of a list with several pages. Lists whose
    /// objects moved are read up to three times.
    case unstable = "possible"

    /// Each page starts after the last object of the previous one, so that no object is missed.
    case stable = "none"
}

/// The scope of conditional requests.
///
/// A conditional request contains a validator of an earlier response, `ETag` or `Last-Modified`;
/// the service responds with 304 and no body if the page was not modified (RFC 9110, sections 8.8
/// and 13). The validators are in the store, next to the rows of the page.
///
/// ```swift
/// var films = service.resource("Film", path: "films")
/// films.style.validation = .none    // its entity tags do not change with the objects
/// ```
public enum CachePolicy: String, Hashable, Encodable, Sendable {
    /// No conditional requests are sent.
    ///
    /// For services whose validators are wrong, such as those that cover the template of a page but
    /// not its data.
    case none

    /// A validator covers one page.
    ///
    /// All pages of a list are requested conditionally, one after the other.
    case pages

    /// The validator of a list's first page covers the whole collection.
    ///
    /// One 304 response ends the pull of the resource, whatever the number of pages. Kinto and
    /// similar services do this.
    case collection
}
