/// Why it is not proved that a list ends where it was read to.
///
/// A service that does not say that a list is complete cannot be distinguished from one that says
/// so in words of its own. Rows are not deleted because of a list whose end is ``suspected(_:)``.
///
/// ```swift
/// let end = UnprovenEnd.suspected("cursor: \"b2Zm\"")
/// print(end)    // the response contains cursor: "b2Zm"
/// ```
public enum UnprovenEnd: Hashable, Sendable, CustomStringConvertible {
    /// The list is taken for the whole, because nothing says that there are more objects; but it
    /// has as many of them as a full page usually has.
    ///
    /// A second page was requested, and had no other objects.
    case assumed(objects: Int)

    /// The response contains something that may mean that there are more objects, here quoted.
    case suspected(String)

    /// What the response contains.
    public var description: String {
        switch self {
        case .assumed(let count):
            "the service returned \(count) objects, as full pages have, and does not say that these "
                + "are all"
        case .suspected(let indication): "the response contains \(indication)"
        }
    }

    /// Whether something suggests that there are more objects.
    var isSuspected: Bool {
        switch self {
        case .assumed: false
        case .suspected: true
        }
    }
}

extension UnprovenEnd {
    /// The text that the store contains.
    var stored: String {
        switch self {
        case .assumed(let count): "assumed:\(count)"
        case .suspected(let indication): "suspected:\(indication)"
        }
    }

    /// Reads the text that the store contains; nil if another revision has written it.
    init?(stored: String?) {
        let parts = (stored ?? "").split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.last) {
        case ("assumed", let text?): self = .assumed(objects: Int(text) ?? 0)
        case ("suspected", let text?): self = .suspected(text)
        default: return nil
        }
    }
}
