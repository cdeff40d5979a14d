/// How a list goes on after its first page.
public enum Pagination: Hashable, Encodable, Sendable {
    /// As the first response of a list says: by a link to the next page, by a token, or by the
    /// number of pages or objects.
    ///
    /// A response that says that there are more objects, and not how to request them, is an error
    /// (``RemoteError/Code/incompleteList``).
    case automatic

    /// There is one page.
    case none

    /// The document holds the URL of the next page under these keys; null or nothing ends the list.
    case nextInBody([String])

    /// The `Link` header field holds the URL of the next page, as `rel="next"`.
    case linkHeader

    /// A header field of this name holds the URL of the next page.
    case nextHeader(String)

    /// A parameter counts the pages from 1; an empty page ends the list.
    case number(parameter: String)

    /// A parameter counts the objects that come before the page; an empty page ends the list.
    case offset(parameter: String)

    /// The document holds a token under these keys, which a parameter carries to the next page.
    case token([String], parameter: String)

    /// The next page is what comes behind the last object of this one.
    case keyset(Keyset)

    /// The pagination that an option names.
    ///
    /// `automatic`, `none`, `next` or `next:` and keys with dots between, `link`, `header:NAME`,
    /// `page` or `page:PARAMETER`, `offset` or `offset:PARAMETER`, `token:KEYS>PARAMETER`,
    /// `after:FIELD>PARAMETER`.
    ///
    /// - Returns: nil where there is no such pagination.
    public init?(option: String) {
        guard !option.hasSuffix(":") else { return nil }
        let parts = option.split(separator: ":", maxSplits: 1).map(String.init)
        let rest = parts.count > 1 ? parts[1] : nil
        switch (parts.first, rest) {
        case ("automatic", nil): self = .automatic
        case ("none", nil): self = .none
        case ("next", let path): self = .nextInBody(path.map(Self.keys) ?? ["next"])
        case ("link", nil): self = .linkHeader
        case ("header", let name?): self = .nextHeader(name)
        case ("page", let parameter): self = .number(parameter: parameter ?? "page")
        case ("offset", let parameter): self = .offset(parameter: parameter ?? "offset")
        case ("token", let rest?):
            guard let (path, parameter) = Self.pair(rest) else { return nil }
            self = .token(Self.keys(path), parameter: parameter)
        case ("after", let rest?):
            guard let (field, parameter) = Self.pair(rest) else { return nil }
            self = .keyset(Keyset(key: Self.keys(field), conditions: .parameter(parameter)))
        default: return nil
        }
    }

    /// The option that names the pagination; nil where none does.
    package var option: String? {
        func path(_ names: [String]) -> String? {
            names.contains { $0.contains(".") } ? nil : names.joined(separator: ".")
        }
        switch self {
        case .automatic: return "automatic"
        case .none: return "none"
        // A name with dots is found too: see `BodyFacts.link(at:)`.
        case .nextInBody(let names): return "next:\(names.joined(separator: "."))"
        case .linkHeader: return "link"
        case .nextHeader(let name): return "header:\(name)"
        case .number(let parameter): return "page:\(parameter)"
        case .offset(let parameter): return "offset:\(parameter)"
        case .token(let names, let parameter):
            return path(names).map { "token:\($0)>\(parameter)" }
        case .keyset(let keyset):
            guard case .parameter(let parameter) = keyset.conditions else { return nil }
            return path(keyset.key).map { "after:\($0)>\(parameter)" }
        }
    }

    private static func keys(_ path: String) -> [String] {
        path.split(separator: ".").map(String.init)
    }

    private static func pair(_ text: String) -> (String, String)? {
        let parts = text.split(separator: ">", maxSplits: 1).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
}

/// Pages that begin behind the last object of the one before, by its key or by its stamp and key.
public struct Keyset: Hashable, Encodable, Sendable {
    /// The member of an object that tells its key.
    public var key: [String]

    /// How a query says “behind this one”.
    public var conditions: Conditions

    /// How a query says which objects are wanted.
    public enum Conditions: Hashable, Encodable, Sendable {
        /// A parameter holds the key of the last object.
        case parameter(String)

        /// A parameter holds a JSON document of conditions such as `{"id": {"$gt": "a"}}`, another
        /// the members to order by.
        ///
        /// Source: Parse REST guide, “Queries”.
        case document(parameter: String, order: String)
    }

    /// Creates a way to page.
    public init(key: [String], conditions: Conditions) {
        self.key = key
        self.conditions = conditions
    }
}
