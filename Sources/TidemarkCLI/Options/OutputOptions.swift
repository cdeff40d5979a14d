import ArgumentParser

/// The output format of a verb.
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
