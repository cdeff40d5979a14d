/// Why a list's changes could not be requested since a cursor, and how many pulls in a row have
/// found that.
///
/// A cursor may expire, and the newest object may be deleted: one failure proves nothing. After a
/// second one, with a fresh cursor, the configuration is wrong, and later pulls read the list
/// without requesting changes first.
struct ChangesProblem: Equatable, Sendable {
    /// What was found.
    var kind: Kind

    /// How many pulls in a row have found it.
    var count = 1

    /// Whether changes are not requested any more until the list is configured otherwise or
    /// read with `--full`.
    var isSettled: Bool { count > 1 }

    /// What can be wrong with the changes of a list.
    enum Kind: String, Sendable {
        /// The service rejects the request for changes.
        case rejected

        /// The answer lacks an object that the whole list has, with the stamp of the cursor or a
        /// later one: the parameter does not mean "since".
        case incomplete
    }

    init(_ kind: Kind, after earlier: ChangesProblem? = nil) {
        self.kind = kind
        count = (earlier?.count ?? 0) + 1
    }

    /// Reads a problem as it is stored; nil without one.
    init?(kind: String?, count: Int?) {
        guard let kind = kind.flatMap(Kind.init), let count, count > 0 else { return nil }
        self.kind = kind
        self.count = count
    }
}
