import HTTPTypes

public import struct Foundation.URL

extension Service {
    /// Creates a service that implements JSON:API.
    ///
    /// Resource objects are under `data`, the URL of the next page under `links.next`, the total
    /// under `meta.total`, and related objects under `included`. They are stored like plain
    /// objects: the members of `attributes` are attributes, and the linkage of `relationships` are
    /// references.
    ///
    /// ```swift
    /// let service = Service.jsonAPI(url: url)
    /// var articles = service.resource("Article", path: "articles?include=author")
    /// articles.style.parameters.pageSize = [QueryItem("page[size]", "100")]
    /// // GET articles?include=author&page[size]=100
    /// // → {"data": [{"type": "articles", "id": "1", "attributes": {…}}], "included": […]}
    /// ```
    ///
    /// Source: JSON:API 1.1, “Document Structure” and “Fetching Data”.
    ///
    /// - Parameter url: The base URL of the resources.
    /// - Returns: The service. Change its properties where the server differs.
    public static func jsonAPI(url: URL) -> Service {
        var style = ResourceStyle()
        style.objects = .resourceObject
        style.envelope = .keyPath(["data"])
        style.pagination = .nextInBody(["links", "next"])
        style.total = .body(["meta", "total"])
        return Service(
            url: url,
            headers: [.accept: "application/vnd.api+json"],
            style: style
        )
    }
}

extension PushStyle {
    /// A service by JSON:API: bodies are resource objects, and references are linkage.
    ///
    /// ```swift
    /// var service = Service.jsonAPI(url: url)
    /// service.push = .jsonAPI    // POST articles {"data": {"type": "articles", "attributes": …}}
    /// let articles = service.resource("Article", path: "articles")
    /// ```
    ///
    /// Source: JSON:API 1.1, “Creating, updating and deleting resources”.
    public static let jsonAPI: PushStyle = {
        var style = rest
        style.body.wrapper = .resource
        style.body.references = .linkage
        style.reading.envelope = .keyPath(["data"])
        style.reading.responseEnvelope = .keyPath(["data"])
        return style
    }()
}
