import HTTPTypes

extension FakeDialect {
    /// The options of a service built with Django REST framework.
    ///
    /// The closure of ``FakeDialect/rest(pageSize:_:)`` changes them. The defaults are those of
    /// SWAPI: ten objects per page, and no timestamps.
    ///
    /// ```swift
    /// let dialect = FakeDialect.rest {
    ///     $0.pagination = .offsets
    ///     $0.timestamps = FakeTimestampNames(changed: "updated_at", deleted: "deleted_at")
    /// }
    /// ```
    public struct REST: Sendable {
        /// The pagination of lists: how a page is requested, and what happens to a list whose
        /// objects move while it is read.
        ///
        /// The next page is linked from each page, as `next`.
        ///
        /// ```swift
        /// let dialect = FakeDialect.rest { $0.pagination = .cursor(by: "-updated_at") }
        /// ```
        public enum Pagination: Hashable, Sendable {
            /// `?page=2`. Insertions and deletions between two requests shift the objects of later
            /// pages: a client may miss an object, or get one twice.
            case pages
            /// `?limit=10&offset=20`. Insertions and deletions between two requests shift later
            /// objects.
            case offsets
            /// `?cursor=…`, after the last object in an order such as `-updated_at` (keyset
            /// pagination).
            ///
            /// No object is missed or repeated unless the member that determines the order changes.
            /// Pages do not contain `count`.
            case cursor(by: String)
        }

        /// The number of objects per page.
        ///
        /// Defaults to 10. Use a small number, so that short lists have several pages.
        public var pageSize = 10

        /// The pagination of lists.
        ///
        /// Defaults to page numbers, ``Pagination/pages``.
        public var pagination = Pagination.pages

        /// The members with the timestamps of objects.
        ///
        /// Without ``FakeTimestampNames/changed``, the service does not support queries for
        /// changes. With it, the parameters `updated_since`, `updated_at__gte`, `updated_at__gt`
        /// and `updated_at__lt` filter lists by the time of the last change (delta sync).
        ///
        /// ```swift
        /// let dialect = FakeDialect.rest { $0.timestamps.changed = "updated_at" }
        /// // GET /api/films/?updated_since=2017-07-14T02:40:00Z
        /// ```
        public var timestamps = FakeTimestampNames()

        /// The parameters that filter by the time of the last change, and the comparison of each.
        package var since: [String: FakeComparison] = [
            "updated_since": .greaterOrEqual, "updated_at__gt": .greater,
            "updated_at__gte": .greaterOrEqual, "updated_at__lt": .less,
        ]

        /// The parameter that specifies the order.
        ///
        /// Defaults to `ordering`.
        package var ordering = "ordering"

        /// The parameter that selects members, as in `fields=id`.
        ///
        /// Defaults to `fields`.
        package var fields = "fields"

        /// Creates the options of SWAPI: ten objects per page, and no timestamps.
        package init() {}
    }

    /// A JSON service as built with Django REST framework, such as SWAPI.
    ///
    /// Lists are paginated, as `{"count", "next", "previous", "results"}`. An object is at its key
    /// below the list. The root document links to the collections. A URL without the trailing slash
    /// is redirected. Responses have a strong entity tag, and conditional requests
    /// (`If-None-Match`) for unmodified ones get status 304. `?fields=id` selects members, and
    /// `?ordering=-name` sorts.
    ///
    /// ```swift
    /// let dialect = FakeDialect.rest(pageSize: 100) {
    ///     $0.timestamps.changed = "updated_at"
    ///     $0.pagination = .cursor(by: "updated_at")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - pageSize: The number of objects per page.
    ///   - change: Changes the other options.
    /// - Returns: The dialect.
    public static func rest(
        pageSize: Int = 10,
        _ change: (inout REST) -> Void = { _ in }
    ) -> FakeDialect {
        var rest = REST()
        rest.pageSize = pageSize
        change(&rest)
        return FakeDialect(
            change: { [rest] write, contents in
                RESTWriter(write: write, rest: rest).response(changing: &contents)
            },
            respond: { [rest] request, contents in
                let response = RESTResponder(request: request, rest: rest).response(from: &contents)
                // Django adds entity tags to responses to GET only.
                return request.http.method == .get
                    ? response.validated(.strong, for: request) : response
            },
            loop: { response, request in
                response.edit { json in
                    if json["results"] != nil { json["next"] = .string(request.address) }
                }
            }
        )
    }
}
