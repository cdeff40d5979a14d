import ArgumentParser

/// In which form a verb prints its result.
struct OutputOptions: ParsableArguments {
    @Option(help: "text for people, json for programs.")
    var format = Format.text

    @Flag(name: .shortAndLong, help: "No progress and no remarks on standard error.")
    var quiet = false

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }
}
