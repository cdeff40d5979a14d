/// A query parameter.
public struct QueryItem: Hashable, Encodable, Sendable {
    /// The name, as it appears in a URL.
    public var name: String

    /// The value, not percent-encoded.
    public var value: String

    /// Creates a query parameter.
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
