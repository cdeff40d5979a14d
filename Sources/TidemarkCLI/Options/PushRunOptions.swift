import ArgumentParser
import TidemarkSync

/// The options of a verb that pushes.
struct PushRunOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Delete objects at the service without approval, however many they are.",
            discussion: """
                Otherwise local deletions of more than half of an entity's objects and more than 100, or \
                of all of ten or more, wait for `tidemark deletions approve --at-service`.
                """
        )
    )
    var allowServiceDeletes = false

    /// The options of the push.
    var pushOptions: PushOptions {
        allowServiceDeletes ? PushOptions(deletionGuard: nil) : PushOptions()
    }
}
