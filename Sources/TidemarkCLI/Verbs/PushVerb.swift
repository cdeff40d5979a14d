import ArgumentParser
import GRDB
import TidemarkHTTPClient
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync

/// The verb `tidemark push`.
struct PushVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Send the local changes of the store to the service.",
        discussion: """
            The configuration says how changes are sent: push: preset under service, or the options of \
            the service. Whatever happens, no change is lost: `tidemark outbox list` shows those that \
            are left.

            Exit status: 0 if the service has everything, 65 if it has rejected changes, 75 if some \
            are uncertain, in conflict or postponed.
            """
    )

    @OptionGroup var mirror: MirrorArguments

    @Flag(help: "Print the requests, and send nothing.")
    var dryRun = false

    @OptionGroup var changes: ChangeOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        try changes.validate(isDryRun: dryRun)
    }

    func run() async throws {
        let changes = try changes.open()
        try await Interruption.cancelling(
            consequence: "Changes that were sent are recorded, and the next push continues."
        ) { try await push(recording: changes) }
    }

    private func push(recording changes: ChangeLog) async throws {
        try await mirror.withSource { source, transport in
            let options = PullPlan.Options(
                store: mirror.store,
                isDryRun: dryRun,
                mayCreate: false,
                changes: changes
            )
            let plan = try await PullPlan.prepare(from: source, options: options, over: transport)
            try plan.expectPush()
            let engine = try plan.engine(over: transport)
            guard !dryRun else {
                return try PlannedRequestPrinter(output).print(await engine.plannedRequests())
            }
            try await changes.recording(plan.store, sparing: plan.files) {
                let report = try await engine.push()
                try PushPrinter(output, plan).print(report)
                try PushPrinter.throwFailure(of: report, plan)
            }
        }
    }
}

extension PullPlan {
    /// Checks that some list accepts changes.
    ///
    /// - Throws: ``Failure`` that says how to configure it.
    func expectPush() throws {
        guard resources.allSatisfy(\.push.isReadOnly) else { return }
        throw Failure(
            .usage,
            "No list accepts changes. Write push: preset under service in tidemark.yml, or the "
                + "options of the service as a mapping."
        )
    }
}
