import ArgumentParser
import GRDB
import TidemarkHTTPClient
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkSync

/// The verb `tidemark verify`.
struct VerifyVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compare the store with the service, row by row, and change nothing.",
        discussion: """
            Everything is read from the service into a temporary copy of the store. Rows that were \
            added to the service since the last pull differ too. If rows differ, or if objects of the \
            service cannot be stored, the exit status is 1. Local changes that were not pushed do \
            not count; rows with such changes that the service has changed as well are listed apart. \
            Changes that the service has accepted and not taken, or not shown, are listed as well; \
            a value that was not taken counts as a difference. Nothing is decided about them.
            """
    )

    @OptionGroup var mirror: MirrorArguments<SourceArgument>

    @Option(help: ArgumentHelp("Only these entities.", valueName: "A,B"))
    var only: String?

    @OptionGroup var policies: PolicyOptions

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Interruption.cancelling(consequence: "Nothing was changed.") {
            try await verify()
        }
    }

    private func verify() async throws {
        let (plan, verification) = try await mirror.withSource { source, transport in
            let options = PullPlan.Options(store: mirror.store, isDryRun: true, mayCreate: false)
            let plan = try await PullPlan.prepare(
                from: source,
                options: options,
                over: transport
            )
            let progress = PullProgress(
                ProgressBar(output),
                names: ResourceNames(of: plan.resources)
            )
            defer { progress.clear() }
            // The store of the plan is a private copy, since the plan is a dry run.
            let verification = try await plan.engine(over: transport).verify(
                resting: plan.store,
                only: plan.entities(only),
                importing: policies.importOptions(),
                onEvent: progress.show
            )
            return (plan, verification)
        }
        let printer = VerificationPrinter(
            output,
            layout: plan.store.layout,
            showsValues: policies.showValues
        )
        let changes = try await plan.store.writer.read { db in
            try Outbox(plan.store).changes(db).count
        }
        try printer.print(verification, localChanges: changes, arguments: plan.arguments)
        if let failure = verification.report.failures.first { throw plan.explained(failure) }
        plan.noteOmitted(only, quiet: output.quiet)
        try plan.checkOmitted(only)
        if let difference = Self.difference(verification) { throw Failure(.different, difference) }
    }

    /// Returns how the store differs from the service; nil if it matches.
    private static func difference(_ verification: SyncVerification) -> String? {
        guard !verification.matches else { return nil }
        let count = verification.differences.count
        if count > 0 {
            return "\(count) \(count == 1 ? "row differs" : "rows differ") from the service's."
        }
        if let sentence = PullPrinter.unproven(verification.report).first { return sentence }
        guard verification.report.isComplete else {
            return "A list moved while it was read: nothing is proved. Try again."
        }
        let entities = verification.skippedEntities.joined(separator: ", ")
        return "Objects of the service are missing, which cannot be stored: \(entities)."
    }
}
