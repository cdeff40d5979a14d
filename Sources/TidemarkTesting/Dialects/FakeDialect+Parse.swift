extension FakeDialect {
    /// What differs between Parse servers.
    public struct Parse: Sendable {
        /// How many objects a list has, where the client does not say.
        public var defaultLimit = 100

        /// How many it may ask for; more are cut to these without a word.
        public var maxLimit = 1_000

        /// Creates what a Parse server does when it is left alone.
        public init() {}
    }

    /// A Parse server.
    ///
    /// Lists stand at `classes/NAME`, and take `where`, `order`, `limit`, `skip`, `keys`,
    /// `excludeKeys`, `include` and `count`; other parameters are an error. Objects are known by
    /// `objectId`, and tell `createdAt` and `updatedAt` to the millisecond, as plain texts. What is
    /// gone is gone: there are no tombstones and no entity tags.
    public static func parse(_ change: (inout Parse) -> Void = { _ in }) -> FakeDialect {
        var parse = Parse()
        change(&parse)
        return FakeDialect(
            keys: ["objectId"],
            stamps: FakeStamps(stored: .milliseconds),
            answer: { [parse] request, contents in
                ParseAnswer(request: request, parse: parse).of(&contents)
            },
            // No list of Parse names its next page.
            loop: { _, _ in }
        )
    }
}
