import ArgumentParser

/// The argument that specifies the service: a configuration or a URL.
struct SourceArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The configuration, or an address.",
            discussion: "Without it: tidemark.yml, else the address that the store remembers.",
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
            discussion: "Without it: $TIDEMARK_STORE, else `store` in the configuration.",
            valueName: "path"
        )
    )
    var store: String?
}
