package import TidemarkTesting

extension FakeDialect {
    /// The options of a Parse server.
    package struct Parse: Sendable {
        /// The number of objects in a list if the client does not specify a limit.
        ///
        /// Defaults to 100.
        package var defaultLimit = 100

        /// The maximum limit.
        ///
        /// A larger limit is reduced to it without an error. Defaults to 1,000.
        package var maxLimit = 1_000

        /// Creates the default options of Parse Server.
        package init() {}
    }

    /// A Parse server.
    ///
    /// Lists are at `classes/NAME` and support the parameters `where`, `order`, `limit`, `skip`,
    /// `keys`, `excludeKeys`, `include` and `count`; other parameters are an error. Objects are
    /// identified by `objectId`, and contain `createdAt` and `updatedAt` as strings with
    /// milliseconds. There are no tombstones and no entity tags. Files are at `files/app/NAME`.
    package static func parse(_ change: (inout Parse) -> Void = { _ in }) -> FakeDialect {
        var parse = Parse()
        change(&parse)
        var dialect = FakeDialect(
            keys: ["objectId"],
            stamps: FakeStamps(stored: .milliseconds),
            change: { write, contents in
                ParseWriter(write: write).response(changing: &contents)
            },
            respond: { [parse] request, contents in
                ParseResponder(request: request, parse: parse).response(from: &contents)
            }
            // There is no `loop`: a list of Parse contains no link to the next page.
        )
        dialect.repeated = { _ in ParseFailure.duplicateRequest.response }
        dialect.filePath = { name, number in
            // The name is made unique, so that no file replaces another.
            let prefix = String(number, radix: 16)
            return "app/\(String(repeating: "0", count: 32 - prefix.count))\(prefix)_\(name)"
        }
        return dialect
    }
}
