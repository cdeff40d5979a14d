package import TidemarkTesting

extension FakeDialect {
    /// The options of a Kinto server.
    package struct Kinto: Sendable {
        /// The bucket of all collections.
        ///
        /// Defaults to `app`.
        package var bucket = "app"

        /// The maximum number of records per page, regardless of the limit in a request; nil for no
        /// maximum.
        package var paginateBy: Int?

        /// Creates the default options of Kinto.
        package init() {}
    }

    /// A Kinto server.
    ///
    /// Records are at `buckets/BUCKET/collections/NAME/records`. Timestamps are integer
    /// milliseconds that increase with each change of a collection, and the timestamp of a
    /// collection is the entity tag of its lists. Requests that filter by timestamp receive
    /// tombstones too. The URL of the next page, with an opaque token, is in `Next-Page`.
    ///
    /// Backoff and deprecation alerts are added like any other header field:
    /// `FakeFault.backoff(seconds:)`, `.header("Alert", …)`.
    package static func kinto(_ change: (inout Kinto) -> Void = { _ in }) -> FakeDialect {
        var kinto = Kinto()
        change(&kinto)
        return FakeDialect(
            keys: ["id"],
            stamps: FakeStamps(stored: .milliseconds, order: .ascending),
            change: { [kinto] write, contents in
                KintoWriter(write: write, kinto: kinto).response(changing: &contents)
            },
            respond: { [kinto] request, contents in
                KintoResponder(request: request, kinto: kinto).response(from: &contents)
            },
            loop: { response, request in response.set("Next-Page", to: request.address) }
        )
    }
}
