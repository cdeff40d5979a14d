extension FakeDialect {
    /// The options of a Parse server.
    public struct Parse: Sendable {
        /// The number of objects in a list if the client does not specify a limit.
        ///
        /// Defaults to 100.
        public var defaultLimit = 100

        /// The maximum limit.
        ///
        /// A larger limit is reduced to it without an error. Defaults to 1,000.
        public var maxLimit = 1_000

        /// Creates the default options of Parse Server.
        public init() {}
    }

    /// A Parse server.
    ///
    /// Lists are at `classes/NAME` and support the parameters `where`, `order`, `limit`, `skip`,
    /// `keys`, `excludeKeys`, `include` and `count`; other parameters are an error. Objects are
    /// identified by `objectId`, and contain `createdAt` and `updatedAt` as strings with
    /// milliseconds. There are no tombstones and no entity tags.
    public static func parse(_ change: (inout Parse) -> Void = { _ in }) -> FakeDialect {
        var parse = Parse()
        change(&parse)
        return FakeDialect(
            keys: ["objectId"],
            stamps: FakeStamps(stored: .milliseconds),
            answer: { [parse] request, contents in
                ParseAnswer(request: request, parse: parse).of(&contents)
            },
            // Lists of Parse contain no link to the next page, so there is no link that could form
            // a loop.
            loop: { _, _ in }
        )
    }
}
