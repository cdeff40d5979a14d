/// The reason why the changes of a list cannot be requested, and the number of consecutive pulls
/// that found it.
///
/// A single failure proves nothing: a cursor may expire, and the newest object may be deleted. If a
/// second pull fails with a fresh cursor, the configuration is wrong, and later pulls read the
/// whole list without requesting changes first.
struct ChangesProblem: Equatable, Sendable {
    /// The kind of the problem.
    var kind: Kind

    /// The number of consecutive pulls that found the problem.
    var count = 1

    /// Whether changes are no longer requested, until the configuration of the list changes or the
    /// list is read with `--full`.
    var isSettled: Bool { count > 1 }

    /// The kinds of problems with the changes of a list.
    enum Kind: String, Sendable {
        /// The service rejects the request for changes.
        case rejected

        /// The response lacks an object that the whole list contains, and whose stamp is that of
        /// the cursor or later: the parameter does not mean "since".
        case incomplete
    }

    init(_ kind: Kind, after earlier: ChangesProblem? = nil) {
        self.kind = kind
        count = (earlier?.count ?? 0) + 1
    }

    /// Creates a problem from its stored columns; nil if they contain no problem.
    init?(kind: String?, count: Int?) {
        guard let kind = kind.flatMap(Kind.init), let count, count > 0 else { return nil }
        self.kind = kind
        self.count = count
    }
}
