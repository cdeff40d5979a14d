public import TidemarkModel

/// What a page tells beside its objects.
public struct PageMetadata: Hashable, Sendable {
    /// How many objects it has.
    public var count: Int

    /// How many objects the whole list has, if the service tells.
    public var total: Int?

    /// How the list continues, where that was recognized by this page.
    public var paging: RecognizedPaging?

    /// The request for the page after it; nil for the last.
    public var next: PageRequest?

    /// By what the service can tell later whether the page has changed.
    public var validator: CacheValidator?

    /// The cursor to which this page proves that changes were read, where the list is read from the
    /// first page to its last; nil where it proves nothing.
    ///
    /// That of a list's first page holds for the whole list: what changes while the rest is read
    /// is changed after it. Only where changes come from the oldest on does a later page reach
    /// further.
    public var cursor: String?

    /// Whether the time that the cursor tells was over when the page was given: no change will have
    /// it that the page does not show.
    public var isCursorOver = false

    /// The latest change that the page shows, in the service's own words; nil where changes are
    /// not told by their time.
    public var latest: ChangeStamp?

    /// Whether what has changed since the cursor that was asked with is less than nothing: the
    /// service tells no change, but its list is another than before.
    public var wasReset = false

    /// Creates the facts of a page.
    public init(count: Int) {
        self.count = count
    }
}
