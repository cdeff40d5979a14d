import HTTPTypes

public import struct Foundation.URL

extension Service {
    /// Creates a service for a Parse server, whose lists are at `classes/Film` below its mount URL.
    ///
    /// Changes are requested by `updatedAt`, the oldest first. Each page starts after the last
    /// object of the previous one (keyset pagination), whatever page size the server permits. A
    /// Parse server has no tombstones: deletions are detected by counting the objects, and then
    /// found with a list of keys only.
    ///
    /// ```swift
    /// let service = Service.parseServer(url: url, applicationID: "app", restKey: "key")
    /// let films = service.resource("Film", path: "classes/Film")
    /// // GET classes/Film?limit=1000&order=updatedAt,objectId
    /// // → {"results": [{"objectId": "a1", "updatedAt": "2026-01-02T00:00:00.000Z", …}]}
    /// ```
    ///
    /// Source: Parse REST guide, “Queries” and “Objects”.
    ///
    /// - Parameters:
    ///   - url: The URL where the server is mounted, such as `https://api.example.com/parse`.
    ///   - applicationID: The application ID. Defaults to nil: the field is not sent.
    ///   - restKey: The REST API key. Defaults to nil: the field is not sent.
    /// - Returns: The service. Change its properties where the server differs.
    public static func parseServer(
        url: URL,
        applicationID: String? = nil,
        restKey: String? = nil
    ) -> Service {
        var style = ResourceStyle()
        style.envelope = .keyPath(["results"])
        style.pagination = .keyset(
            Keyset(key: ["objectId"], conditions: .document(parameter: "where", order: "order"))
        )
        style.stability = .stable
        style.parameters.pageSize = [QueryItem("limit", "1000")]
        style.total = .body(["count"])
        style.count = .query([QueryItem("count", "1"), QueryItem("limit", "0")])
        style.delta = .since(
            ChangeQuery.Since(field: ["updatedAt"], condition: .document(parameter: "where"))
        )
        style.parameters.keys = [QueryItem("keys", "objectId")]
        style.validation = .none
        // Parse Server leaves out pointers that are null; on PostgreSQL all members.
        style.omitsNulls = true
        var service = Service(url: url, style: style)
        service.path = "classes/{entity}"
        for (name, value) in [
            ("X-Parse-Application-Id", applicationID), ("X-Parse-REST-API-Key", restKey),
        ] {
            if let value, let name = HTTPField.Name(name) { service.headers[name] = value }
        }
        return service
    }
}

extension PushStyle {
    /// A Parse server: `PUT` changes the members that it contains, references are pointers, and
    /// requests have an id.
    ///
    /// The server rejects a repeated id, but does not repeat its response, so that the object is
    /// searched for by what was sent.
    ///
    /// Changes of one class are sent together, up to twenty in a request. Files are uploaded to
    /// `files/NAME` before the objects that refer to them.
    ///
    /// ```swift
    /// var service = Service.parseServer(url: url, applicationID: "app")
    /// service.push = .parse
    /// let notes = service.resource("Note", path: "classes/Note")
    /// ```
    ///
    /// Source: Parse REST API, “Objects”, “Files”, “Batch operations” and “Queries”.
    public static let parse: PushStyle = {
        var style = rest
        style.update = Operation(.put)
        style.body.references = .pointers
        style.body.nulls = .explicit
        style.check = .read(parameter: "where")
        style.stale = StaleResponse(statuses: [])
        style.idempotency = Idempotency(
            field: "X-Parse-Request-Id",
            format: .plain,
            lifetime: .seconds(300)
        )
        style.reconcile = .query(parameter: "where")
        style.batch = Batch(.parse, path: "batch", limit: 20)
        style.body.uploads = Upload(.post, path: "files/{name}", url: ["url"])
        return style
    }()
}
