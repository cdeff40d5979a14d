import HTTPTypes

public import struct Foundation.URL

extension Service {
    /// A service that speaks JSON:API: resource objects under `data`, the next page's URL under
    /// `links.next`, related objects under `included`.
    ///
    /// Source: JSON:API 1.1, “Document Structure” and “Fetching Data”.
    public static func jsonAPI(url: URL) -> Service {
        var style = ListStyle()
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
