import HTTPTypes

extension FakeDialect {
    /// What differs between services that are made with Django REST framework.
    public struct REST: Sendable {
        /// How a list comes in pages.
        public enum Pagination: Hashable, Sendable {
            /// `?page=2`: what comes and goes meanwhile moves the rest.
            case pages
            /// `?limit=10&offset=20`: the same.
            case offsets
            /// `?cursor=…`, behind the last object in an order such as `-updated_at`.
            case cursor(by: String)
        }

        /// How many objects a page has.
        public var pageSize = 10

        /// How a list comes in pages.
        public var pagination = Pagination.pages

        /// The members that tell the times of objects.
        ///
        /// Without ``FakeStampNames/changed`` nobody can ask for what changed.
        public var stamps = FakeStampNames()

        /// The parameters that ask for what changed, and how each compares.
        public var since: [String: FakeComparison] = [
            "updated_since": .greaterOrEqual, "updated_at__gt": .greater,
            "updated_at__gte": .greaterOrEqual, "updated_at__lt": .less,
        ]

        /// The parameter that asks for an order.
        public var ordering = "ordering"

        /// The parameter that asks for some members only, such as `fields=id`.
        public var fields = "fields"

        /// Creates what SWAPI was: ten objects a page, and no times.
        public init() {}
    }

    /// A plain JSON service, as Django REST framework makes them and SWAPI was.
    ///
    /// Lists come in pages, `{"count", "next", "previous", "results"}`; an object stands at its
    /// number; the root names the collections; an address without its last slash is redirected.
    /// Answers have a strong entity tag.
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
            answer: { [rest] request, contents in
                let response = RESTAnswer(request: request, rest: rest).of(&contents)
                // Django tags what was asked for with GET, and nothing else.
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
