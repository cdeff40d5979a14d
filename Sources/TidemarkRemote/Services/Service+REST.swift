public import struct Foundation.URL

extension Service {
    /// Creates a plain JSON service, such as SWAPI or one built with Django REST framework.
    ///
    /// Objects are under `results`; a document that is an array works too. The pagination and the
    /// total are recognized from the first response of a list.
    ///
    /// - Parameter url: The base URL of the resources.
    /// - Returns: The service. Change its properties where the server differs.
    public static func rest(url: URL) -> Service {
        var style = ListStyle()
        style.envelope = .keyPath(["results"])
        style.pagination = .automatic
        style.total = .automatic
        return Service(url: url, style: style)
    }
}
