import TidemarkModel

/// What a member of a document says about the next page.
enum PageLink: Hashable {
    /// There is no next page: the member is absent, `null`, `false`, or empty.
    case none

    /// The address of the next page.
    case address(String)

    /// A value that is no address in any known form: it does not end a list.
    case unknown(JSONKind)
}

extension JSONNode {
    /// The link that a value is.
    ///
    /// Services write an address as a text, as an object of `href`, `uri` or `url`, as a list of
    /// such objects, or as a list of links of which one has `rel` `next`.
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
    /// The members of an object that hold its address.
    static let names = ["href", "uri", "url"]
}
