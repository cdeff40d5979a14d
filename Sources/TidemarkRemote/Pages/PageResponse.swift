/// What a service answers when it is asked for a page.
public enum PageResponse: Sendable {
    /// The page is as it was when its validator was given.
    case unchanged(NotModifiedPage)

    /// The page, whole.
    case page(Page)

    /// A page that is longer than `Limits.bodyInMemory`; its bytes are still to come.
    case long(StreamedPage)
}

/// A page that a service says is as it was.
public struct NotModifiedPage: Sendable {
    /// The request that it answers.
    public let request: PageRequest

    /// The request for the page after it, where the answer itself names one.
    public let next: PageRequest?

    /// How many objects the whole list has, where a header field tells.
    public let total: Int?

    /// The request that was answered, for people: its method and URL.
    package let label: String

    let target: PageTarget

    /// When it was answered.
    let date: HTTPDate?

    /// Whether no change can be given the time of a cursor any more, see
    /// ``PageMetadata/isCursorOver``.
    package func isOver(_ cursor: String?) -> Bool {
        date?.isPast(cursor) ?? false
    }
}
