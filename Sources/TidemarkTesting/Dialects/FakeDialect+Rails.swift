extension FakeDialect {
    /// The options of a service built with Rails.
    public struct Rails: Sendable {
        /// The responses that have `Last-Modified` and support `If-Modified-Since`.
        public enum LastModified: Hashable, Sendable {
            /// Single objects.
            case objects
            /// Lists too. The field of a list does not change when an object is deleted, nor when
            /// one changes within the same second.
            case objectsAndLists
        }

        /// The form of the URLs in `Link`.
        public enum Links: Hashable, Sendable {
            /// Absolute URLs.
            case absolute
            /// Paths without scheme and host.
            case relative
        }

        /// The number of objects per page if the client does not specify one.
        ///
        /// Defaults to 25.
        public var perPage = 25

        /// The maximum page size.
        ///
        /// A larger size in a request is reduced to it. Defaults to 100.
        public var maxPerPage = 100

        /// The members with the timestamps of objects, in milliseconds.
        ///
        /// Microseconds are stored.
        public var stamps = FakeStampNames(
            created: "created_at",
            changed: "updated_at",
            printed: .milliseconds
        )

        /// The parameter that selects objects changed at a time or later.
        ///
        /// Defaults to `updated_since`.
        public var since = "updated_since"

        /// The header field with the total number of objects; nil for none.
        ///
        /// Defaults to `X-Total-Count`.
        public var total: String? = "X-Total-Count"

        /// The form of the URLs in `Link`.
        ///
        /// Defaults to absolute URLs.
        public var links = Links.absolute

        /// The responses that have `Last-Modified`.
        ///
        /// Defaults to single objects.
        public var lastModified = LastModified.objects

        /// Creates the default options of Rails.
        public init() {}
    }

    /// A service as built with Rails.
    ///
    /// Lists are bare arrays, with links to other pages in the `Link` header field; a page after
    /// the last one is empty. Entity tags are weak. Timestamps are stored with microseconds but
    /// printed with milliseconds, so a query for changes since a printed timestamp returns the same
    /// object again.
    public static func rails(_ change: (inout Rails) -> Void = { _ in }) -> FakeDialect {
        var rails = Rails()
        change(&rails)
        return FakeDialect(
            keys: ["id"],
            answer: { [rails] request, contents in
                RailsAnswer(request: request, rails: rails).of(&contents)
            },
            loop: { response, request in
                response.set("Link", "<\(request.address)>; rel=\"next\"")
            }
        )
    }
}
