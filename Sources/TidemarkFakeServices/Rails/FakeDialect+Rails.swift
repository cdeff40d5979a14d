package import TidemarkTesting

extension FakeDialect {
    /// The options of a service built with Rails.
    package struct Rails: Sendable {
        /// The responses that have `Last-Modified` and support `If-Modified-Since`.
        package enum LastModified: Hashable, Sendable {
            /// Single objects.
            case objects
            /// Lists too. The field of a list does not change when an object is deleted, nor when
            /// one changes within the same second.
            case objectsAndLists
        }

        /// The form of the URLs in `Link`.
        package enum Links: Hashable, Sendable {
            /// Absolute URLs.
            case absolute
            /// Paths without scheme and host.
            case relative
        }

        /// The number of objects per page if the client does not specify one.
        ///
        /// Defaults to 25.
        package var perPage = 25

        /// The maximum page size.
        ///
        /// A larger size in a request is reduced to it. Defaults to 100.
        package var maxPerPage = 100

        /// The members with the timestamps of objects, in milliseconds.
        ///
        /// Microseconds are stored.
        package var timestamps = FakeTimestampNames(
            created: "created_at",
            changed: "updated_at",
            printed: .milliseconds
        )

        /// The parameter that selects objects changed at a time or later.
        ///
        /// Defaults to `updated_since`.
        package var since = "updated_since"

        /// The header field with the total number of objects; nil for none.
        ///
        /// Defaults to `X-Total-Count`.
        package var total: String? = "X-Total-Count"

        /// The form of the URLs in `Link`.
        ///
        /// Defaults to absolute URLs.
        package var links = Links.absolute

        /// The responses that have `Last-Modified`.
        ///
        /// Defaults to single objects.
        package var lastModified = LastModified.objects

        /// Whether the tables have a column `lock_version` (optimistic locking).
        package var hasLockVersion = false

        /// Creates the default options of Rails.
        package init() {}
    }

    /// A service as built with Rails.
    ///
    /// Lists are bare arrays, with links to other pages in the `Link` header field; a page after
    /// the last one is empty. Entity tags are weak. Timestamps are stored with microseconds but
    /// printed with milliseconds, so a query for changes since a printed timestamp returns the same
    /// object again.
    package static func rails(_ change: (inout Rails) -> Void = { _ in }) -> FakeDialect {
        var rails = Rails()
        change(&rails)
        return FakeDialect(
            keys: ["id"],
            change: { [rails] write, contents in
                RailsWriter(write: write, rails: rails).response(changing: &contents)
            },
            respond: { [rails] request, contents in
                RailsResponder(request: request, rails: rails).response(from: &contents)
            },
            loop: { response, request in
                response.set("Link", to: "<\(request.address)>; rel=\"next\"")
            }
        )
    }
}
