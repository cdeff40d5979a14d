extension FakeDialect {
    /// What differs between services that speak JSON:API.
    public struct JSONAPI: Sendable {
        /// How brackets of parameters are written in links.
        public enum Brackets: Hashable, Sendable {
            /// `page%5Bnumber%5D`
            case escaped
            /// `page[number]`
            case plain
        }

        /// For each type, which members lead to objects of which type.
        public var relationships: [String: [String: String]] = [:]

        /// How many resources a page has, where the client does not say.
        public var pageSize = 10

        /// How many it may ask for; more are an error.
        public var maxPageSize = 1_000

        /// The attributes that tell the times of resources.
        public var stamps = FakeStampNames(printed: .milliseconds)

        /// The name in `filter[NAME]` that asks for what changed at a time or later; nil where
        /// nobody can.
        public var since: String?

        /// The member of `meta` that counts all pages' resources; nil for none.
        public var total: String? = "total"

        /// How brackets of parameters are written in links.
        public var brackets = Brackets.escaped

        /// Creates what the specification says, and no relationships.
        public init() {}
    }

    /// A service that speaks JSON:API.
    ///
    /// A collection's name is its type. Linkage is made of the members that are said to lead
    /// somewhere: an id, the address of an object, or a list of them.
    ///
    /// ```swift
    /// FakeDialect.jsonAPI { $0.relationships = ["films": ["people": "people"]] }
    /// ```
    public static func jsonAPI(_ change: (inout JSONAPI) -> Void = { _ in }) -> FakeDialect {
        var api = JSONAPI()
        change(&api)
        return FakeDialect(
            keys: ["id"],
            answer: { [api] request, contents in
                JSONAPIAnswer(request: request, api: api).of(&contents)
            },
            loop: { response, request in
                response.edit { json in
                    if json["links"] != nil { json["links"]?["next"] = .string(request.address) }
                }
            }
        )
    }
}
