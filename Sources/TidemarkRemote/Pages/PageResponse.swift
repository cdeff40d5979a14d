/// The response to a request for a page.
package enum PageResponse: Sendable {
    /// The page was not modified since its validator was received (304).
    case notModified(NotModified)

    /// The page, in memory.
    case page(Page)

    /// A page longer than `Limits.http.bodyInMemory`, whose remaining bytes are still to be
    /// received.
    case streamed(StreamedPage)

    /// A response without a body: the page is the same as when it was read before.
    package struct NotModified: Sendable {
        /// The request for the page.
        package let request: PageRequest

        /// The request for the next page, if a header field of the response names one.
        package let next: PageRequest?

        /// The number of objects in the whole list, if a header field reports it.
        package let total: Int?

        let context: ResponseContext

        /// Returns whether the time of a cursor has passed, so that no later change can have the
        /// same stamp; see ``PageMetadata/isCursorOver``.
        package func isOver(_ cursor: String?) -> Bool {
            context.date?.isPast(cursor) ?? false
        }
    }
}
