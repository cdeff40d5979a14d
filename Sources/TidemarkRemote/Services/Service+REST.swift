public import struct Foundation.URL

extension Service {
    /// A plain JSON service: objects under `results`; the first response of a list says how it
    /// continues, and where it has the number of all objects.
    ///
    /// Such are SWAPI and what Django REST framework makes. Services whose documents are arrays
    /// work too.
    public static func rest(url: URL) -> Service {
        var style = ListStyle()
        style.envelope = .keyPath(["results"])
        style.pagination = .automatic
        style.total = .automatic
        return Service(url: url, style: style)
    }
}
