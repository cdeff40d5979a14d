extension FakeDialect {
    /// What differs between Kinto servers.
    public struct Kinto: Sendable {
        /// The bucket that all collections are in.
        public var bucket = "app"

        /// How many records a page has at most, whatever a client asks for; nil for all at once.
        public var paginateBy: Int?

        /// Creates what Kinto does when it is left alone.
        public init() {}
    }

    /// A Kinto server.
    ///
    /// Records stand at `buckets/BUCKET/collections/NAME/records`. Stamps are whole milliseconds
    /// that rise with each change of a collection, and the stamp of a collection is the entity tag
    /// of its lists. Who asks by stamps gets tombstones too. The next page stands in `Next-Page`,
    /// behind a token.
    ///
    /// Advice and alerts come as any header field does: ``FakeFault/backoff(seconds:)``,
    /// `.field("Alert", …)`.
    public static func kinto(_ change: (inout Kinto) -> Void = { _ in }) -> FakeDialect {
        var kinto = Kinto()
        change(&kinto)
        return FakeDialect(
            keys: ["id"],
            stamps: FakeStamps(stored: .milliseconds, order: .ascending),
            answer: { [kinto] request, contents in
                KintoAnswer(request: request, kinto: kinto).of(&contents)
            },
            loop: { response, request in response.set("Next-Page", request.address) }
        )
    }
}
