import TidemarkJSON

/// The source of the number of objects in a whole list.
///
/// A total makes incomplete lists visible: if fewer objects were received, the resource fails or is
/// read again, and no row is deleted.
///
/// ```swift
/// var films = service.resource("Film", path: "films")
/// films.style.total = .header("X-Total-Count")
/// ```
public enum TotalCount: Hashable, Encodable, Sendable {
    /// There is no total, and any number in a response is ignored.
    ///
    /// Choose it for a service that counts objects which it does not list, such as those that the
    /// account may not read.
    case none

    /// Recognized from the first response of a list.
    ///
    /// The usual names are `total`, `total_count` or `count`, next to the list or in `meta`, and
    /// `X-Total-Count`.
    case automatic

    /// A member of the document at this path. If the first response lacks it, the total is
    /// recognized as with ``automatic``.
    ///
    /// ```swift
    /// var films = service.resource("Film", path: "films")
    /// films.style.total = .body(["meta", "total"])    // {"data": […], "meta": {"total": 82}}
    /// ```
    case body([String])

    /// A header field. If the first response lacks it, the total is recognized as with
    /// ``automatic``.
    ///
    /// Its value is a number, or a range with the number after a slash, such as `Content-Range:
    /// items 0-24/573` (RFC 9110, section 14.4).
    case header(String)
}

/// How the number of objects is requested without the objects.
///
/// The request is sent after changes were applied, to find out whether objects were deleted that
/// the changes did not report.
///
/// ```swift
/// var films = service.resource("Film", path: "films")
/// films.style.delta = .railsChanges
/// films.style.count = .head("X-Total-Count")    // HEAD films
/// ```
public enum CountRequest: Hashable, Encodable, Sendable {
    /// It cannot be requested.
    case none

    /// A `HEAD` request, whose response contains the number in a header field of this name.
    case head(String)

    /// A request for an empty list by these query parameters, whose response contains the total.
    ///
    /// Where the total is in the response follows from ``ResourceStyle/total``.
    ///
    /// ```swift
    /// var films = service.resource("Film", path: "films")
    /// films.style.total = .body(["count"])
    /// films.style.count = .query([QueryItem("count", "1"), QueryItem("limit", "0")])
    /// // GET films?count=1&limit=0 → {"results": [], "count": 82}
    /// ```
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
        case .body(let names): JSONPath(names).description
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
