/// How a list goes on after its first page.
public enum Pagination: Hashable, Sendable {
    /// There is one page.
    case none

    /// The document holds the URL of the next page under these keys; null or nothing ends the list.
    case nextInBody([String])

    /// The `Link` header field holds the URL of the next page, as `rel="next"`.
    case linkHeader

    /// The pagination that an option names: `none`, `next`, `next:` and keys with dots between,
    /// `link`.
    ///
    /// - Returns: nil where there is no such pagination.
    public init?(option: String) {
        switch option {
        case "none": self = .none
        case "next": self = .nextInBody(["next"])
        case "link": self = .linkHeader
        default:
            guard option.hasPrefix("next:") else { return nil }
            self = .nextInBody(option.dropFirst(5).split(separator: ".").map(String.init))
        }
    }
}
