import ArgumentParser

/// The argument that specifies the service: a configuration or a URL.
struct SourceArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The configuration, or a URL.",
            discussion: "Defaults to tidemark.yml, otherwise to the URL that the store records.",
            valueName: "config|url"
        )
    )
    var source: String?
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
