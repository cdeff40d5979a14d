public import struct Foundation.URL

extension Service {
    /// A plain JSON service: objects under `results`, the next page's URL under `next`, how many
    /// there are under `count`.
    ///
    /// Such are SWAPI and what Django REST framework makes. Services whose documents are arrays
    /// work too; those that page by the `Link` field need ``Pagination/linkHeader``.
    public static func rest(url: URL) -> Service {
        var style = ListStyle()
        style.envelope = .keyPath(["results"])
        style.pagination = .nextInBody(["next"])
        style.total = .body(["count"])
        return Service(url: url, style: style)
    }
}
