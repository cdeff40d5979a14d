import ArgumentParser

/// The common options of a verb that always prints JSON.
struct JSONOutputOptions: ParsableArguments {
    @Option(help: "The output, which is always JSON.")
    var format = Format.json

    @OptionGroup var remarks: QuietOptions

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case json
    }
}
