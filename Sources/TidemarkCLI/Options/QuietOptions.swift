import ArgumentParser

/// The option that suppresses progress and remarks.
struct QuietOptions: ParsableArguments {
    @Flag(
        name: .shortAndLong,
        help: "Print no progress and no remarks, except about data that was not stored."
    )
    var quiet = false
}
