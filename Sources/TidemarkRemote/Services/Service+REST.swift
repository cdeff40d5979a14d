public import struct Foundation.URL

extension Service {
    /// A plain JSON service: objects under `results`, how many there are under `count`; the first
    /// response of a list says how it continues.
    ///
    /// Such are SWAPI and what Django REST framework makes. Services whose documents are arrays
    /// work too.
    public static func rest(url: URL) -> Service {
        var style = ListStyle()
        style.envelope = .keyPath(["results"])
        style.pagination = .automatic
        style.total = .body(["count"])
        return Service(url: url, style: style)
    }
}
