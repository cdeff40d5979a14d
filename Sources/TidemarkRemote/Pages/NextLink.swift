import TidemarkJSON
import TidemarkModel

/// The link to the next page in a member of a document.
enum NextLink: Hashable {
    /// There is no next page: the member is absent, `null`, `false`, or empty.
    case none

    /// The URL of the next page.
    case url(String)

    /// A value in an unknown form, which does not end a list.
    case unknown

    /// The members of a link object that may contain its URL.
    private static let names = ["href", "uri", "url", "link"]

    /// Reads a value as a link to the next page.
    ///
    /// Services write a link as a string, as an object with `href`, `uri`, `url` or `link`, as an
    /// array of such objects, or as an array of links of which one has the `rel` `next`.
    init(_ value: JSONNode) {
        switch value.kind {
        case .null, .false:
            self = .none
        case .string:
            let text = value.string
            self = text.isEmpty ? .none : .url(text)
        case .object:
            let url = Self.names.lazy.compactMap { value.member($0) }
                .first { $0.kind == .string || $0.kind == .null }
            let isEmpty = value.firstChild == value.next
            self = url.map(Self.init) ?? (isEmpty ? .none : .unknown)
        case .array:
            self = Self.next(in: value)
        // A number is that of the next page; 0 and -1 mean that no page follows.
        case .number:
            self = value.integer.map { $0 <= 0 } == true ? .none : .unknown
        case .true:
            self = .unknown
        }
    }

    private static func next(in links: JSONNode) -> NextLink {
        var first: NextLink?
        var hasRelations = false
        for link in links.elements {
            guard link.kind == .object else { return .unknown }
            if let relation = link.relation {
                hasRelations = true
                if relation.kind == .string, relation.string.lowercased() == "next" {
                    return NextLink(link)
                }
            }
            first = first ?? NextLink(link)
        }
        return hasRelations ? .none : first ?? .none
    }
}

extension JSONNode {
    /// The relation of a link; nil without one.
    ///
    /// FHIR names the member `relation`.
    var relation: JSONNode? { member("rel") ?? member("relation") }
}
