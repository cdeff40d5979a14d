extension FakeDialect {
    /// What differs between services that are made with Rails.
    public struct Rails: Sendable {
        /// Which answers say when they changed last, and are not sent to who knows.
        public enum LastModified: Hashable, Sendable {
            /// Single objects.
            case objects
            /// Lists too: they tell of no deletion, and of no change within the same second.
            case objectsAndLists
        }

        /// What the addresses in `Link` are like.
        public enum Links: Hashable, Sendable {
            /// Whole URLs.
            case absolute
            /// Paths.
            case relative
        }

        /// How many objects a page has, where the client does not say.
        public var perPage = 25

        /// How many it may ask for; more are cut to these.
        public var maxPerPage = 100

        /// The members that tell the times of objects, to the millisecond; stored are microseconds.
        public var stamps = FakeStampNames(
            created: "created_at",
            changed: "updated_at",
            printed: .milliseconds
        )

        /// The parameter that asks for what changed at a time or later.
        public var since = "updated_since"

        /// The header field that counts all pages' objects; nil for none.
        public var total: String? = "X-Total-Count"

        /// What the addresses in `Link` are like.
        public var links = Links.absolute

        /// Which answers have `Last-Modified`.
        public var lastModified = LastModified.objects

        /// Creates what Rails does when it is left alone.
        public init() {}
    }

    /// A service as Rails makes them.
    ///
    /// Lists are bare arrays, with the addresses of other pages in `Link`; a page past the end is
    /// empty. Entity tags are weak. Times are printed to the millisecond and stored to the
    /// microsecond, so who asks for what changed since a printed time gets that object again.
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
