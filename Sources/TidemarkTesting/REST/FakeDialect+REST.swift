import HTTPTypes

extension FakeDialect {
    /// The options of a service built with Django REST framework.
    public struct REST: Sendable {
        /// The pagination of lists.
        public enum Pagination: Hashable, Sendable {
            /// `?page=2`. Insertions and deletions between two requests shift the objects of later
            /// pages.
            case pages
            /// `?limit=10&offset=20`. Insertions and deletions between two requests shift later
            /// objects.
            case offsets
            /// `?cursor=…`, after the last object in an order such as `-updated_at`.
            case cursor(by: String)
        }

        /// The number of objects per page.
        ///
        /// Defaults to 10.
        public var pageSize = 10

        /// The pagination of lists.
        ///
        /// Defaults to page numbers.
        public var pagination = Pagination.pages

        /// The members with the timestamps of objects.
        ///
        /// Without ``FakeStampNames/changed``, the service does not support queries for changes.
        public var stamps = FakeStampNames()

        /// The parameters that filter by the time of the last change, and the comparison of each.
        public var since: [String: FakeComparison] = [
            "updated_since": .greaterOrEqual, "updated_at__gt": .greater,
            "updated_at__gte": .greaterOrEqual, "updated_at__lt": .less,
        ]

        /// The parameter that specifies the order.
        ///
        /// Defaults to `ordering`.
        public var ordering = "ordering"

        /// The parameter that selects members, as in `fields=id`.
        ///
        /// Defaults to `fields`.
        public var fields = "fields"

        /// Creates the options of SWAPI: ten objects per page, and no timestamps.
        public init() {}
    }

    /// A JSON service as built with Django REST framework, such as SWAPI.
    ///
    /// Lists are paginated, as `{"count", "next", "previous", "results"}`. An object is at its key
    /// below the list. The root document links to the collections. A URL without the trailing slash
    /// is redirected. Responses have a strong entity tag.
    ///
    /// ```swift
    /// let dialect = FakeDialect.rest(pageSize: 100) {
    ///     $0.stamps.changed = "updated_at"
    ///     $0.pagination = .cursor(by: "updated_at")
    /// }
    /// ```
    public static func rest(
        pageSize: Int = 10,
        _ change: (inout REST) -> Void = { _ in }
    ) -> FakeDialect {
        var rest = REST()
        rest.pageSize = pageSize
        change(&rest)
        return FakeDialect(
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
