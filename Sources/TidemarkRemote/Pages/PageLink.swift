import TidemarkJSON
import TidemarkModel

/// The link to the next page in a member of a document.
enum PageLink: Hashable {
    /// There is no next page: the member is absent, `null`, `false`, or empty.
    case none

    /// The URL of the next page.
    case address(String)

    /// A value in an unknown form, which does not end a list.
    case unknown(JSONKind)
}

extension JSONNode {
    /// The value as a link to the next page.
    ///
    /// Services write a link as a string, as an object with `href`, `uri` or `url`, as an array of
    /// such objects, or as an array of links of which one has the `rel` `next`.
    var pageLink: PageLink {
        switch kind {
        case .null, .false:
            return .none
        case .string:
            let text = string
            return text.isEmpty ? .none : .address(text)
        case .object:
            guard firstChild < next else { return .none }
            for name in PageLink.names {
                if let value = member(name), value.kind == .string || value.kind == .null {
                    return value.pageLink
                }
            }
            return .unknown(.object)
        case .array:
            return linkOfList
        case .number, .true:
            return .unknown(kind)
        }
    }

    private var linkOfList: PageLink {
        var first: PageLink?
        var hasRelations = false
        for element in elements {
            guard element.kind == .object else { return .unknown(.array) }
            if let relation = element.member("rel") {
                hasRelations = true
                if relation.kind == .string, relation.string.lowercased() == "next" {
                    return element.pageLink
                }
            }
            first = first ?? element.pageLink
        }
        return hasRelations ? .none : first ?? .none
    }
}

extension PageLink {
    /// The members of a link object that may contain its URL.
    static let names = ["href", "uri", "url"]
}
