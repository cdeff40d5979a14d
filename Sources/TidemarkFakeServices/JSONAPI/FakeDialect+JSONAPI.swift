package import TidemarkTesting

extension FakeDialect {
    /// The options of a JSON:API service.
    package struct JSONAPI: Sendable {
        /// How brackets in parameter names are written in links.
        package enum Brackets: Hashable, Sendable {
            /// `page%5Bnumber%5D`
            case escaped
            /// `page[number]`
            case plain
        }

        /// The relationships of each type: the member names, and the type to which each of them
        /// leads.
        package var relationships: [String: [String: String]] = [:]

        /// The number of resources per page if the client does not specify one.
        ///
        /// Defaults to 10.
        package var pageSize = 10

        /// The maximum page size.
        ///
        /// A larger size in a request is an error. Defaults to 1,000.
        package var maxPageSize = 1_000

        /// The attributes with the timestamps of resources.
        package var timestamps = FakeTimestampNames(printed: .milliseconds)

        /// The name in `filter[NAME]` that selects resources changed at a time or later.
        ///
        /// Nil if the service has no such filter.
        package var since: String?

        /// The member of `meta` with the total number of resources; nil for none.
        package var total: String? = "total"

        /// How brackets in parameter names are written in links.
        ///
        /// Defaults to percent-encoded.
        package var brackets = Brackets.escaped

        /// Creates options that follow the specification, without relationships.
        package init() {}
    }

    /// A service that implements JSON:API.
    ///
    /// The name of a collection is its type. The linkage of a relationship is created from a member
    /// in ``JSONAPI/relationships``: an id, the URL of an object, or a list of these.
    package static func jsonAPI(_ change: (inout JSONAPI) -> Void = { _ in }) -> FakeDialect {
        var api = JSONAPI()
        change(&api)
        return FakeDialect(
            keys: ["id"],
            change: { [api] write, contents in
                JSONAPIWriter(write: write, api: api).response(changing: &contents)
            },
            respond: { [api] request, contents in
                JSONAPIResponder(request: request, api: api).response(from: &contents)
            },
            loop: { response, request in
                response.edit { json in
                    if json["links"] != nil { json["links"]?["next"] = .string(request.address) }
                }
            }
        )
    }
}
