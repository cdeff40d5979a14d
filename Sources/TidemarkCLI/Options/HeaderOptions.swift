import ArgumentParser

/// The option for header fields of requests to a URL.
struct HeaderOptions: ParsableArguments {
    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp(
            "A header field for requests to an address; several may be given.",
            discussion: """
                $VARIABLE is replaced by the variable of the environment, so put the field in single \
                quotes. Credentials must be variables. Those not called TIDEMARK_… need tidemark trust.
                """,
            valueName: "Name: value"
        )
    )
    var header: [String] = []

    /// Returns the parsed header fields.
    func fields() throws -> HeaderFields { try HeaderFields(arguments: header) }
}
