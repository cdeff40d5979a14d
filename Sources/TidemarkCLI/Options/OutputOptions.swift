import ArgumentParser

/// How much a verb says beside its result.
struct QuietOptions: ParsableArguments {
    @Flag(
        name: .shortAndLong,
        help: "No progress and no remarks; nothing at all where a pull or an import succeeds."
    )
    var quiet = false
}

/// In which form a verb prints its result.
struct OutputOptions: ParsableArguments {
    @Option(help: "text for people, json for programs.")
    var format = Format.text

    @OptionGroup var remarks: QuietOptions

    var quiet: Bool { remarks.quiet }

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }
}

/// The common options of a verb that always prints JSON.
struct JSONOutputOptions: ParsableArguments {
    @Option(help: "The result is JSON in any case.")
    var format = Format.json

    @OptionGroup var remarks: QuietOptions

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case json
    }
}
