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
            the service. A change stays in the outbox (`tidemark outbox list`) until the service has \
            it. One that a conflict policy overrules leaves it, and is recorded: `tidemark conflicts \
            list`.

            Exit status: 0 if the service has accepted everything, shown or not; 65 if it has \
            rejected changes, or accepts none at a path; 69 if it is unavailable; 75 if changes are \
            uncertain, in conflict or postponed, deletions await approval, or edits may not have \
            been recorded; 77 if it rejects the credentials, or redirects.

            With --watch it keeps running: changes are pushed two seconds after they are made, \
            whatever program makes them, and what could not be sent is retried automatically.
            """
    )

    @OptionGroup var mirror: MirrorArguments<ConfigurationArgument>

    @OptionGroup var pushing: PushRunOptions

    @Flag(help: "Print the requests, and send nothing.")
    var dryRun = false

    @Option(
        defaultAsFlag: Self.withoutInterval,
        help: ArgumentHelp(
            "Push repeatedly: after local changes, and this long after each push: 30s, 5m.",
            discussion: "Without an interval, after local changes alone.",
            valueName: "interval"
        )
    )
    var watch: String?

    /// The value of `--watch` without an interval.
    private static let withoutInterval = "changes"

    @OptionGroup var changes: ChangeOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        try changes.validate(isDryRun: dryRun)
        if dryRun, watch != nil {
            throw ValidationError("--watch pushes repeatedly, and --dry-run changes nothing.")
        }
    }

    func run() async throws {
        ProcessLimits.shareHeap()
        let changes = try changes.open()
        try await Interruption.cancelling(
            consequence: "Changes that were sent are recorded, and the next push continues."
        ) { try await push(recording: changes) }
    }

    private func push(recording changes: ChangeLog) async throws {
        let schedule = try watch.map { text in
            try text == Self.withoutInterval
                ? .manual : SyncSchedule.every(Duration(interval: text))
        }
        let options = PullPlan.Options(isDryRun: dryRun, mayCreate: false, changes: changes)
        try await mirror.withPlan(options: options, output: output) { plan, transport in
            // What was read before a change may be out of date after it.
            transport.forget()
            try plan.expectPush()
            let engine = try plan.engine(over: transport)
            guard !dryRun else {
                let requests = try await engine.plannedRequests(with: pushing.pushOptions)
                let unconfirmed = try await plan.store.reader.read { [store = plan.store] db in
                    try AcknowledgedChanges.unconfirmedCounts(db, in: store)
                }
                return try PlannedRequestPrinter(output).print(requests, unconfirmed: unconfirmed)
            }
            let printer = PushPrinter(output, plan)
            let progress = PullProgress(
                ProgressBar(output),
                names: ResourceNames(of: plan.resources)
            )
            try await changes.recording(plan.store, sparing: plan.files) {
                if let schedule {
                    return try await engine.watch(progress) {
                        try await engine.push(by: schedule, with: pushing.pushOptions)
                    } show: { report in
                        try printer.print(report.pushed)
                    } check: { report in
                        try PushPrinter.throwFailure(of: report.pushed, plan)
                    }
                }
                let report = try await engine.push(with: pushing.pushOptions)
                try printer.print(report)
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
