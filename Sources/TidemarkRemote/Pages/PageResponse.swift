/// The response to a request for a page.
public enum PageResponse: Sendable {
    /// The page was not modified since its validator was received (304).
    case unchanged(NotModifiedPage)

    /// The page, in memory.
    case page(Page)

    /// A page longer than `Limits.bodyInMemory`, whose remaining bytes are still to be received.
    case long(StreamedPage)
}

/// A page that was not modified since it was read before (304 Not Modified).
public struct NotModifiedPage: Sendable {
    /// The request for this page.
    public let request: PageRequest

    /// The request for the next page, if a header field of the response names one.
    public let next: PageRequest?

    /// The number of objects in the whole list, if a header field reports it.
    public let total: Int?

    /// The method and URL of the request, for messages.
    package let label: String

    let target: PageTarget

    /// The time of the response.
    let date: HTTPDate?

    /// Returns whether the time of a cursor has passed, so that no later change can have the same
    /// stamp; see ``PageMetadata/isCursorOver``.
    package func isOver(_ cursor: String?) -> Bool {
        date?.isPast(cursor) ?? false
    }
}
