/// How the pages of a list after the first are requested.
///
/// A list ends only where the service says so: a list that could be incomplete fails, and no row is
/// deleted. URLs of next pages must belong to the service, and a link back to a page that was
/// already read is an error (``RemoteError/Code/paginationLoop``).
///
/// ```swift
/// var films = service.resource("Film", path: "films")
/// films.style.pagination = .token(["meta", "next_cursor"], parameter: "cursor")
/// // GET films → {"data": […], "meta": {"next_cursor": "b2Zm"}}
/// // GET films?cursor=b2Zm → {"data": […], "meta": {"next_cursor": null}}
/// ```
public enum Pagination: Hashable, Encodable, Sendable {
    /// Recognized from the first response: a link to the next page, a token, or the number of pages
    /// or objects.
    ///
    /// The result is saved with the list, and is a warning in the report if it is unusual. A
    /// response that indicates more objects, but not how to request them, is an error
    /// (``RemoteError/Code/incompleteList``). It is the default of ``Service/rest(url:)`` and
    /// ``Service/rails(url:)``.
    case automatic

    /// The list has a single page.
    ///
    /// If the response shows further pages, the resource fails, unless its
    /// ``ResourceStyle/deletes`` is
    /// ``DeletionDetection/none``: then the first page is all that is wanted.
    case none

    /// The document contains the URL of the next page at this path; `null` or no value ends the
    /// list.
    ///
    /// The value is a string, or an object with `href`, `uri` or `url`. It may be relative.
    ///
    /// ```swift
    /// var films = service.resource("Film", path: "films")
    /// films.style.pagination = .nextInBody(["links", "next"])
    /// // {"data": […], "links": {"next": "/films?page=2"}}
    /// ```
    case nextInBody([String])

    /// The `Link` header field contains the URL of the next page, as `rel="next"` (RFC 8288).
    ///
    /// ```swift
    /// var films = service.resource("Film", path: "films")
    /// films.style.pagination = .linkHeader
    /// // Link: <https://api.example.com/films?page=2>; rel="next"
    /// ```
    case linkHeader

    /// A header field of this name contains the URL of the next page, such as `Next-Page`.
    ///
    /// A response without the field is the last page.
    case nextHeader(String)

    /// A query parameter is the number of the page, from 1; an empty page ends the list.
    ///
    /// So does a page with which the total is reached, and the response 404, unless an earlier
    /// response has shown that the page exists. The first page is requested without the parameter.
    ///
    /// ```swift
    /// var films = service.resource("Film", path: "films")
    /// films.style.pagination = .number(parameter: "page")    // GET films, GET films?page=2, …
    /// ```
    case number(parameter: String)

    /// A query parameter is the number of objects before the page; an empty page ends the list.
    ///
    /// The number is that of the objects that were received, not a multiple of the page size.
    ///
    /// ```swift
    /// var films = service.resource("Film", path: "films")
    /// films.style.pagination = .offset(parameter: "skip")    // GET films, GET films?skip=50, …
    /// ```
    case offset(parameter: String)

    /// The document contains a token at this path, which is sent in a query parameter to request
    /// the next page.
    ///
    /// This is often called cursor pagination. `null`, an empty string or no value ends the list.
    case token([String], parameter: String)

    /// A header field of this name contains a token, which is sent in a query parameter to request
    /// the next page; an empty field or none ends the list.
    ///
    /// ```swift
    /// var films = service.resource("Film", path: "films")
    /// films.style.pagination = .headerToken("X-MS-Continuation", parameter: "continuation")
    /// // X-MS-Continuation: b2Zm, then GET films?continuation=b2Zm
    /// ```
    case headerToken(String, parameter: String)

    /// The next page starts after the last object of this one (keyset pagination).
    ///
    /// Insertions and deletions do not move objects between such pages: set
    /// ``ResourceStyle/stability`` to ``PageStability/stable`` and request the order of the key.
    case keyset(Keyset)

    /// Parses the value of an option.
    ///
    /// `automatic`, `none`, `next` or `next:` and a path with dots, `link`, `header:NAME`, `page`
    /// or `page:PARAMETER`, `offset` or `offset:PARAMETER`, `token:PATH>PARAMETER`,
    /// `token:header:NAME>PARAMETER`, `after:FIELD>PARAMETER`.
    ///
    /// - Returns: nil if the option is invalid.
    package init?(option: String) {
        guard !option.hasSuffix(":") else { return nil }
        let parts = option.split(separator: ":", maxSplits: 1).map(String.init)
        let rest = parts.count > 1 ? parts[1] : nil
        switch (parts.first, rest) {
        case ("automatic", nil): self = .automatic
        case ("none", nil): self = .none
        case ("next", let path): self = .nextInBody(path?.pathComponents ?? ["next"])
        case ("link", nil): self = .linkHeader
        case ("header", let name?): self = .nextHeader(name)
        case ("page", let parameter): self = .number(parameter: parameter ?? "page")
        case ("offset", let parameter): self = .offset(parameter: parameter ?? "offset")
        case ("token", let rest?):
            guard let (path, parameter) = Self.pair(rest) else { return nil }
            self =
                path.droppingPrefix("header:").map { .headerToken($0, parameter: parameter) }
                ?? .token(path.pathComponents, parameter: parameter)
        case ("after", let rest?):
            guard let (field, parameter) = Self.pair(rest) else { return nil }
            self = .keyset(Keyset(key: field.pathComponents, conditions: .parameter(parameter)))
        default: return nil
        }
    }

    /// The value of the option for this pagination; nil if no option represents it.
    package var option: String? {
        func path(_ names: [String]) -> String? {
            names.contains { $0.contains(".") } ? nil : names.joined(separator: ".")
        }
        switch self {
        case .automatic: return "automatic"
        case .none: return "none"
        // A name that contains dots is found too: see `DocumentMembers.link(at:)`.
        case .nextInBody(let names): return "next:\(names.joined(separator: "."))"
        case .linkHeader: return "link"
        case .nextHeader(let name): return "header:\(name)"
        case .number(let parameter): return "page:\(parameter)"
        case .offset(let parameter): return "offset:\(parameter)"
        case .token(let names, let parameter):
            return path(names).map { "token:\($0)>\(parameter)" }
        case .headerToken(let name, let parameter): return "token:header:\(name)>\(parameter)"
        case .keyset(let keyset):
            guard case .parameter(let parameter) = keyset.conditions else { return nil }
            return path(keyset.key).map { "after:\($0)>\(parameter)" }
        }
    }

    /// The parameter that contains the number of a page, or the number of objects before it; nil if
    /// nothing is counted.
    var countingParameter: String? {
        switch self {
        case .number(let parameter), .offset(let parameter): parameter
        case .automatic, .none, .nextInBody, .linkHeader, .nextHeader, .token, .headerToken,
            .keyset:
            nil
        }
    }

    private static func pair(_ text: String) -> (String, String)? {
        let parts = text.split(separator: ">", maxSplits: 1).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
}

/// Keyset pagination: each page starts after the last object of the previous one, by its key, or by
/// its modification time and key.
///
/// ```swift
/// var films = service.resource("Film", path: "films")
/// films.style.pagination = .keyset(Keyset(key: ["id"], parameter: "after"))
/// // GET films → [{"id": 1}, …, {"id": 50}]
/// // GET films?after=50 → [{"id": 51}, …]
/// ```
public struct Keyset: Hashable, Encodable, Sendable {
    /// The path of the member that contains an object's key.
    public var key: [String]

    /// How the query selects the objects after the last one.
    package var conditions: Conditions

    /// How a query selects the objects after a key.
    package enum Conditions: Hashable, Encodable, Sendable {
        /// The parameter contains the key of the last object.
        case parameter(String)

        /// One parameter contains a JSON document with conditions such as `{"id": {"$gt": "a"}}`,
        /// another the members to sort by.
        ///
        /// Source: Parse REST guide, “Queries”.
        case document(parameter: String, order: String)
    }

    /// Creates a keyset pagination whose query contains the key of the last object.
    ///
    /// - Parameters:
    ///   - key: The path of the member that contains an object's key, such as `["id"]`.
    ///   - parameter: The query parameter that contains the key of the last object on the previous
    ///     page.
    public init(key: [String], parameter: String) {
        self.init(key: key, conditions: .parameter(parameter))
    }

    /// Creates a keyset pagination whose query selects the objects by conditions.
    package init(key: [String], conditions: Conditions) {
        self.key = key
        self.conditions = conditions
    }
}
