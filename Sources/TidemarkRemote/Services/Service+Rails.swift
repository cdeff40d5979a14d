public import struct Foundation.URL

extension Service {
    /// A service as Rails makes them: lists are arrays, and usually the `Link` field leads to the
    /// next page.
    ///
    /// The number of all objects is usually in `X-TotalCount-Count`. A service that answers
    /// `?updated_since=` needs ``ChangeQuery/railsChanges``.
    ///
    /// Sources: the `Link` header of RFC 8288 as the gems for pagination write it, Rack's weak
    /// ETags, Rails' times with milliseconds.
    public static func rails(url: URL) -> Service {
        var style = ListStyle()
        style.pagination = .automatic
        style.total = .header("X-Total-Count")
        return Service(url: url, style: style)
    }
}

extension ChangeQuery {
    /// Changes by `?updated_since=` and `updated_at`, as services made with Rails have them by
    /// convention.
    public static let railsChanges = ChangeQuery.since(
        Since(field: ["updated_at"], condition: .parameter("updated_since"))
    )
}
