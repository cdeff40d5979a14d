import TidemarkModel

/// The name of a member or a header field, by whose words services may say that a list has more
/// objects.
///
/// The words are read where no convention defines the name. They prove nothing: `next_start` leads
/// to a next page at one service, and is the date of a next event at another.
struct PageName {
    /// The words in lowercase: `nextPageToken` has *next*, *page* and *token*.
    private let words: [String]

    init(_ name: String) {
        words = name.split { !$0.isLetter && !$0.isNumber }
            .flatMap { NamingWords.split(String($0)) }
            .map { $0.lowercased() }
    }

    // MARK: More objects

    /// Whether a value under this name may lead to more objects, or say that there are some.
    var mayLeadOn: Bool {
        guard let last = words.last, isDisjoint(Self.otherPages) else { return false }
        // The first page begins with a `startPageToken`, the next one with a `nextStart`.
        if words.contains("start"), words.first != "next", words.first != "more" { return false }
        if ["cursor", "continuation", "next"].contains(last) { return true }
        if last == "token" {
            return words.dropLast().last.map(Self.tokens.contains) ?? true
        }
        let rest = ["has", "is", "are"].contains(words[0]) ? words.dropFirst() : words[...]
        if rest == ["more"] { return true }
        guard let first = rest.first, first == "next" || first == "more" else { return false }
        return rest.count > 1 && rest.dropFirst().allSatisfy(Self.pageParts.contains)
    }

    /// Whether a link under this name may lead to more objects, if it is one to the list:
    /// `more_topics_url` may.
    var mayLinkOn: Bool {
        isDisjoint(Self.otherPages) && (words.first == "next" || words.first == "more")
    }

    /// Whether a header field of this name may lead to more objects.
    ///
    /// Fields have words of their vendor before: `X-Shop-Next-Cursor`. Words without `next` or
    /// `continuation` mean other things in fields, such as `X-CSRF-Token`.
    var mayLeadOnInField: Bool {
        guard isDisjoint(Self.otherPages), !words.contains("middleware") else { return false }
        if words.contains("continuation") || words.contains("continuationtoken") { return true }
        guard let next = words.firstIndex(of: "next") else { return false }
        return words[(next + 1)...].allSatisfy(Self.pageParts.contains)
    }

    // MARK: Numbers of objects

    /// Whether a number under this name may be that of all objects of a list.
    var mayCountObjects: Bool {
        guard isDisjoint(Self.otherNumbers) else { return false }
        let words = words.filter { $0 != "estimate" && $0 != "estimated" }
        guard let last = words.last else { return false }
        if words == ["length"] { return true }
        if Self.totals.contains(last) { return true }
        return Self.counted.contains(last)
            && words.dropLast().last.map(Self.totals.contains) == true
    }

    /// Whether the number in a header field of this name may be that of all objects.
    var mayCountObjectsInField: Bool { words.contains("total") && mayCountObjects }

    // MARK: Parameters

    /// Whether a query parameter of another name may take a value under this name: `cursor` that of
    /// `cursor` and of `next_cursor`.
    func isTaken(by parameter: PageName) -> Bool {
        words == parameter.words
            || words.first == "next" && words.dropFirst() == parameter.words[...]
    }

    /// Whether a value under this name is usually sent in a parameter of the same name.
    var isCursor: Bool { words.last == "cursor" }

    private func isDisjoint(_ others: Set<String>) -> Bool {
        words.allSatisfy { !others.contains($0) }
    }

    /// Words of values that lead to other pages than the next, or to later changes.
    private static let otherPages: Set = [
        "sync", "delta", "batch", "resume", "since", "prev", "previous", "first", "before",
        "current", "self",
    ]

    /// Words before `token` with which it leads to a page: other tokens are credentials.
    private static let tokens: Set = ["page", "next", "continuation", "skip", "scroll"]

    /// Words that may follow `next` or `more` in the name of what leads to a page.
    private static let pageParts: Set = [
        "page", "token", "cursor", "url", "uri", "link", "href", "offset", "start", "marker", "key",
        "id", "items", "results", "records",
    ]

    private static let totals: Set = ["total", "count", "found", "hits", "matched"]

    /// Words that may follow one of ``totals``.
    private static let counted: Set = [
        "count", "hits", "items", "results", "docs", "rows", "records", "objects", "size",
    ]

    /// Words of numbers of other things than objects of the list.
    private static let otherNumbers: Set = [
        "price", "amount", "time", "bytes", "page", "pages", "attempt", "attempts", "retry",
        "retries", "error", "errors", "warning", "warnings", "view", "views", "follower",
        "followers", "max", "min", "limit",
    ]
}
