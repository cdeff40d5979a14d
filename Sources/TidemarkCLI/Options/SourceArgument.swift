import ArgumentParser

/// The service of a verb that reads: a configuration or a URL.
struct SourceArgument: MirrorOrigin {
    @Argument(
        help: ArgumentHelp(
            "The configuration, or a URL.",
            discussion: "Defaults to tidemark.yml, otherwise to the URL that the store records.",
            valueName: "config|url"
        )
    )
    var source: String?

    @OptionGroup private var headers: HeaderOptions

    func fields() throws -> HeaderFields { try headers.fields() }
}

/// The service of a verb that writes: a configuration, since a URL cannot say how changes are sent.
struct ConfigurationArgument: MirrorOrigin {
    @Argument(
        help: ArgumentHelp(
            "The configuration.",
            discussion: "Defaults to tidemark.yml.",
            valueName: "config"
        )
    )
    var source: String?

    func fields() throws -> HeaderFields { HeaderFields() }
}

/// The store of a verb that reads a service's lists.
struct MirrorStoreOption: ParsableArguments {
    @Option(
        name: [.customLong("store"), .customLong("into")],
        help: ArgumentHelp(
            "The SQLite file, instead of the configuration's.",
            discussion: "Defaults to $TIDEMARK_STORE, otherwise to `store` in the configuration.",
            valueName: "path"
        )
    )
    var store: String?
}
