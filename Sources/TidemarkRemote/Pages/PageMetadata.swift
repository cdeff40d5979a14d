package import TidemarkModel

/// The metadata of a page: everything that it contains besides its objects.
package struct PageMetadata: Hashable, Sendable {
    /// The number of objects on the page.
    package var count: Int

    /// The number of objects in the whole list, if the service reports it.
    package var total: Int?

    /// The pagination and total of the list, if they were recognized from this page.
    package var paging: RecognizedPaging?

    /// The request for the next page; nil for the last page.
    package var next: PageRequest?

    /// The page that may follow, although nothing that conventions define says so; nil if nothing
    /// suggests one.
    package var suspected: SuspectedPage?

    /// The validator for conditional requests of the page; nil if it cannot be revalidated.
    package var validator: CacheValidator?

    /// The cursor up to which changes are complete once the list has been read from its first page
    /// to its last; nil if the page does not establish one.
    ///
    /// The cursor of the first page holds for the whole list: an object that changes while the rest
    /// is read is changed later. A later page advances the cursor only if changes are sorted from
    /// the oldest.
    package var cursor: String?

    /// Whether the cursor's time had passed when the page was sent, so that no later change can
    /// have the same stamp.
    package var isCursorOver = false

    /// The latest change on the page, as stamped by the service; nil if changes are not requested
    /// by time.
    package var latest: ChangeStamp?

    /// Whether the collection was reset: the service reports no changes since the cursor, yet a
    /// different version.
    package var wasReset = false

    /// Creates the metadata of a page with a number of objects.
    package init(count: Int) {
        self.count = count
    }
}
