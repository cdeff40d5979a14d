import ArgumentParser

/// How much a verb says beside its result.
struct QuietOptions: ParsableArguments {
    @Flag(
        name: .shortAndLong,
        help: "No progress and no remarks; nothing at all where a pull or an import succeeds."
    )
    var quiet = false
}
