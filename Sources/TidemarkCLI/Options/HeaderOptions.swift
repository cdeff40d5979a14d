import ArgumentParser

/// The option for header fields of requests to a URL.
struct HeaderOptions: ParsableArguments {
    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp(
            "A header field for requests to a URL; repeatable.",
            discussion: """
                $VARIABLE is replaced by the environment variable, so put the field in single quotes. \
                Credentials must be variables. Variables whose names do not begin with TIDEMARK_ need \
                tidemark trust.
                """,
            valueName: "Name: value"
        )
    )
    var header: [String] = []

    /// Returns the parsed header fields.
    func fields() throws -> HeaderFields { try HeaderFields(arguments: header) }
}
