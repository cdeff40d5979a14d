public import struct Foundation.URL

extension Service {
    /// A bucket of a Kinto server: `collections/films/records` below it.
    ///
    /// The stamp of a collection is an exact cursor: what was changed or deleted since is told, and
    /// one conditional request proves that nothing was. Lists come oldest change first, so that
    /// what changes while they are read is seen behind them.
    ///
    /// Source: Kinto HTTP API 1.x, “Timestamps”, “Filtering”, “Pagination” and the tutorial on
    /// synchronisation.
    ///
    /// The URL is that of the bucket, such as `https://kinto.example.com/v1/buckets/app`.
    public static func kinto(url: URL) -> Service {
        var style = ListStyle()
        style.envelope = .keyPath(["data"])
        style.pagination = .nextHeader("Next-Page")
        style.drift = .none
        style.order = [QueryItem("_sort", "last_modified")]
        style.count = .head("Total-Objects")
        style.delta = .version(parameter: "_since")
        style.deletes = .marked(["deleted"])
        style.keys = [QueryItem("_fields", "id")]
        style.validation = .collection
        var service = Service(url: url, style: style)
        service.path = "collections/{collection}/records"
        return service
    }
}
