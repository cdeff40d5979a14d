/// Where a service tells how many objects a whole list has.
public enum TotalCount: Hashable, Encodable, Sendable {
    /// Nowhere: a number that a response has is not believed either.
    case none

    /// Where the first response of a list has it.
    case automatic

    /// Under these keys of the document; where the first response lacks them, as with
    /// ``automatic``.
    case body([String])

    /// In a header field; where the first response lacks it, as with ``automatic``.
    case header(String)
}

/// How a service is asked how many objects there are.
public enum CountRequest: Hashable, Encodable, Sendable {
    /// It is not.
    case none

    /// By `HEAD`; a header field tells it.
    case head(String)

    /// By a list of no objects, whose document or header tells the total.
    case query([QueryItem])
}

extension TotalCount {
    /// Whether an entity tag speaks for it too: that of a body says nothing about header fields.
    package var isInBody: Bool {
        switch self {
        case .body: true
        case .none, .automatic, .header: false
        }
    }

    /// The option that names the place.
    package var option: String {
        switch self {
        case .none: "none"
        case .automatic: "automatic"
        case .body(let names): names.joined(separator: ".")
        case .header(let name): "header:\(name)"
        }
    }

    /// The place that an option names: `none`, `automatic`, keys with dots between, or
    /// `header:NAME`.
    public init(option: String) {
        if option == "none" {
            self = .none
        } else if option == "automatic" {
            self = .automatic
        } else if let name = option.behind("header:") {
            self = .header(name)
        } else {
            self = .body(option.keys)
        }
    }
}

extension CountRequest {
    /// The way that an option names: `none`, `head:NAME` of a header field, `query:` and a query.
    ///
    /// - Returns: nil where there is no such way.
    public init?(option: String) {
        if option == "none" {
            self = .none
        } else if let name = option.behind("head:") {
            self = .head(name)
        } else if let query = option.behind("query:") {
            self = .query(QueryItem.items(query))
        } else {
            return nil
        }
    }
}
