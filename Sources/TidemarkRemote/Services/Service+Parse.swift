import HTTPTypes

public import struct Foundation.URL

extension Service {
    /// A Parse server: `classes/Film` below the URL it is mounted at.
    ///
    /// Changes are asked for by `updatedAt`, from the oldest on; pages begin behind the last object
    /// of the one before, however many the server gives. It keeps no tombstones: what is gone shows
    /// when the objects are counted, and is found by a list of nothing but keys.
    ///
    /// Source: Parse REST guide, “Queries” and “Objects”.
    ///
    /// - Parameters:
    ///   - url: where the server is mounted, such as `https://api.example.com/parse`.
    ///   - applicationID: what the server knows the app by.
    ///   - restKey: the REST key, where the server asks for one.
    /// - Returns: the service, each of whose facts may be changed.
    public static func parse(
        url: URL,
        applicationID: String? = nil,
        restKey: String? = nil
    ) -> Service {
        var style = ListStyle()
        style.envelope = .keyPath(["results"])
        style.pagination = .keyset(
            Keyset(key: ["objectId"], conditions: .document(parameter: "where", order: "order"))
        )
        style.drift = .none
        style.pageSize = [QueryItem("limit", "1000")]
        style.total = .body(["count"])
        style.count = .query([QueryItem("count", "1"), QueryItem("limit", "0")])
        style.delta = .since(
            ChangeQuery.Since(field: ["updatedAt"], condition: .document(parameter: "where"))
        )
        style.keys = [QueryItem("keys", "objectId")]
        style.validation = .none
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
