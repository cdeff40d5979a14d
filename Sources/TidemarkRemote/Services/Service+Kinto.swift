import HTTPTypes

public import struct Foundation.URL

extension Service {
    /// Creates a service for a bucket of a Kinto server, whose lists are at
    /// `collections/films/records` below it.
    ///
    /// The timestamp of a collection is an exact cursor: the server returns everything that was
    /// changed or deleted since, with tombstones, and one conditional request shows that nothing
    /// was. Lists are sorted by the time of the last change, the oldest first, so that an object
    /// that changes while they are read moves to a later page.
    ///
    /// ```swift
    /// let service = Service.kinto(url: url)    // https://kinto.example.com/v1/buckets/app
    /// let films = service.resource("Film", path: "collections/films/records")
    /// // GET collections/films/records?_sort=last_modified&_since="1700000000000"
    /// // If-None-Match: "1700000000000" → 304: nothing has changed
    /// ```
    ///
    /// Source: Kinto HTTP API 1.x, “Timestamps”, “Filtering”, “Pagination” and the tutorial on
    /// synchronisation.
    ///
    /// - Parameter url: The URL of the bucket, such as `https://kinto.example.com/v1/buckets/app`.
    /// - Returns: The service. Change its properties where the server differs.
    public static func kinto(url: URL) -> Service {
        var style = ResourceStyle()
        style.envelope = .keyPath(["data"])
        style.pagination = .nextHeader("Next-Page")
        style.stability = .stable
        style.parameters.order = [QueryItem("_sort", "last_modified")]
        style.count = .head("Total-Objects")
        style.delta = .version(parameter: "_since")
        style.deletes = .marked(["deleted"])
        style.parameters.keys = [QueryItem("_fields", "id")]
        style.validation = .collection
        var service = Service(url: url, style: style)
        service.path = "collections/{collection}/records"
        return service
    }
}

extension PushStyle {
    /// A Kinto server: the client chooses the key, `last_modified` is the version, and a batch
    /// has up to 25 changes.
    ///
    /// The model needs an attribute for `last_modified`; objects of an entity without it are read
    /// before they are changed.
    ///
    /// ```swift
    /// var service = Service.kinto(url: url)    // http://localhost:8888/v1/buckets/app
    /// service.push = .kinto
    /// let tasks = service.resource("Task", path: "collections/tasks/records")
    /// ```
    ///
    /// Source: Kinto HTTP API 1.x, “Records”, “Timestamps” and “Batch operations”.
    public static let kinto: PushStyle = {
        var style = rest
        style.create = Operation(.put, path: "{path}/{key}")
        style.key = .client
        style.body.wrapper = .member("data")
        style.reading.envelope = .keyPath(["data"])
        style.reading.responseEnvelope = .keyPath(["data"])
        style.check = .version(parameter: "in_id")
        style.version = .member("last_modified")
        // 409 means that two transactions were in each other's way: the change is sent again.
        style.stale = StaleResponse(statuses: [409, 412])
        style.reconcile = .key
        style.batch = Batch(.kinto, path: "../../batch", limit: 25)
        return style
    }()
}
