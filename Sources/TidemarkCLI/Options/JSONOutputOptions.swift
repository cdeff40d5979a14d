import ArgumentParser

/// The common options of a verb that always prints JSON.
struct JSONOutputOptions: ParsableArguments {
    @Option(help: "The result is JSON in any case.")
    var format = Format.json

    @OptionGroup var remarks: QuietOptions

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case json
    }
}
