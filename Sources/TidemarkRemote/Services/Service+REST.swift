import HTTPTypes

public import struct Foundation.URL

extension Service {
    /// Creates a plain JSON service, such as SWAPI or one built with Django REST framework.
    ///
    /// Objects are under `results`; a document that is an array works too. The pagination and the
    /// total are recognized from the first response of a list, and saved with it. Start with this
    /// preset if the service is of no particular kind: its defaults fit most.
    ///
    /// ```swift
    /// let service = Service.rest(url: url)    // https://swapi.dev/api/
    /// let films = service.resource("Film", path: "films/")
    /// // GET films/ → {"count": 82, "next": "https://swapi.dev/api/films/?page=2", "results": […]}
    /// ```
    ///
    /// It requests neither changes nor keys: each pull reads the whole list, conditionally if the
    /// service sends `ETag` or `Last-Modified`, and deletes the rows that it does not contain.
    ///
    /// - Parameter url: The base URL of the resources.
    /// - Returns: The service. Change its properties where the server differs.
    public static func rest(url: URL) -> Service {
        var style = ResourceStyle()
        style.envelope = .keyPath(["results"])
        style.pagination = .automatic
        style.total = .automatic
        return Service(url: url, style: style)
    }
}

extension PushStyle {
    /// A service of REST resources, such as one by Django REST framework: `POST` to the list,
    /// `PATCH` and `DELETE` to the object.
    ///
    /// The service does not know which version a change is based on, so that each object is read
    /// before it is changed. A creation whose response was lost is looked for in the next complete
    /// list.
    ///
    /// ```swift
    /// var service = Service.rest(url: url)
    /// service.push = .rest    // POST films/, PATCH films/7/, DELETE films/7/
    /// let films = service.resource("Film", path: "films/")
    /// ```
    public static let rest: PushStyle = {
        var style = PushStyle()
        style.create = Operation(.post)
        style.update = Operation(.patch)
        style.delete = Operation(.delete)
        return style
    }()
}
