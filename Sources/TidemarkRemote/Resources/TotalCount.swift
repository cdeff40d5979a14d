/// The source of the number of objects in a whole list.
public enum TotalCount: Hashable, Encodable, Sendable {
    /// There is no total, and any number in a response is ignored.
    case none

    /// Recognized from the first response of a list.
    case automatic

    /// A member of the document at this path. If the first response lacks it, the total is
    /// recognized as with ``automatic``.
    case body([String])

    /// A header field. If the first response lacks it, the total is recognized as with
    /// ``automatic``.
    case header(String)
}

/// How the number of objects is requested without the objects.
public enum CountRequest: Hashable, Encodable, Sendable {
    /// It cannot be requested.
    case none

    /// A `HEAD` request, whose response contains the number in a header field of this name.
    case head(String)

    /// A request for an empty list by these query parameters, whose response contains the total.
    case query([QueryItem])
}

extension TotalCount {
    /// Whether an entity tag covers the total too: the tag of a body says nothing about header
    /// fields.
    package var isInBody: Bool {
        switch self {
        case .body: true
        case .none, .automatic, .header: false
        }
    }

    /// The value of the option for this source.
    package var option: String {
        switch self {
        case .none: "none"
        case .automatic: "automatic"
        case .body(let names): names.joined(separator: ".")
        case .header(let name): "header:\(name)"
        }
    }

    /// Parses the value of an option: `none`, `automatic`, a path with dots, or `header:NAME`.
    package init(option: String) {
        if option == "none" {
            self = .none
        } else if option == "automatic" {
            self = .automatic
        } else if let name = option.droppingPrefix("header:") {
            self = .header(name)
        } else {
            self = .body(option.pathComponents)
        }
    }
}

extension CountRequest {
    /// Parses the value of an option: `none`, `head:NAME` with the name of a header field, or
    /// `query:` and a query.
    ///
    /// - Returns: nil if the option is invalid.
    package init?(option: String) {
        if option == "none" {
            self = .none
        } else if let name = option.droppingPrefix("head:") {
            self = .head(name)
        } else if let query = option.droppingPrefix("query:") {
            self = .query(QueryItem.items(query))
        } else {
            return nil
        }
    }
}
