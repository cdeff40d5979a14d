import ArgumentParser

/// The option that suppresses progress and remarks.
struct QuietOptions: ParsableArguments {
    @Flag(
        name: .shortAndLong,
        help: "No progress and no remarks; of a pull or an import, only what could not be stored."
    )
    var quiet = false
}
