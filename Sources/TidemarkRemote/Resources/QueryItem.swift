/// A query parameter.
///
/// It is percent-encoded when it is added to a URL, where it replaces a parameter of the same name.
///
/// ```swift
/// var films = service.resource("Film", path: "films")
/// films.style.parameters.order = [QueryItem("sort", "id"), QueryItem("kind", "tv & cinema")]
/// // GET films?sort=id&kind=tv%20%26%20cinema
/// ```
public struct QueryItem: Hashable, Encodable, Sendable {
    /// The name, not percent-encoded.
    public var name: String

    /// The value, not percent-encoded.
    public var value: String

    /// Creates a query parameter.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value, not percent-encoded.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension QueryItem {
    /// Parses a query in an option, such as `sort=id&limit=100`.
    package static func items(_ query: String) -> [QueryItem] {
        query.split(separator: "&").map { parameter in
            let parts = parameter.split(separator: "=", maxSplits: 1).map(String.init)
            return QueryItem(parts.first ?? "", parts.count > 1 ? parts[1] : "")
        }
    }
}
