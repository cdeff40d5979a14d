import ArgumentParser
import TidemarkImport
import TidemarkSync

/// The options of a verb that pulls: which lists are read, and how.
struct PullRunOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only these entities.", valueName: "A,B"))
    var only: String?

    @Flag(help: "Read everything, not only changes.")
    var full = false

    @Flag(help: "Delete unlisted rows without approval, however many they are.")
    var allowDeletes = false

    @OptionGroup var policies: PolicyOptions

    /// Returns the options of the pull for a plan.
    func pullOptions(_ plan: PullPlan) throws -> PullOptions {
        var options = PullOptions()
        options.only = try plan.entities(only)
        options.isFull = full
        options.importing = policies.importOptions()
        if allowDeletes { options.deletionGuard = nil }
        return options
    }
}
