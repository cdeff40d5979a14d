import ArgumentParser
import TidemarkModel
import TidemarkStore
import TidemarkSync

/// The verb `tidemark sync`.
struct SyncVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Push the local changes of the store, and pull the service's objects.",
        discussion: """
            Push and pull fail independently of each other. What the pull makes possible is pushed at \
            the end, such as a creation whose response was lost and whose object the list does not \
            contain. --only selects the lists that are pulled; all local changes are pushed. See \
            `tidemark push` and `tidemark pull`.

            With --watch it keeps running: it syncs at the interval, and pushes in between, two \
            seconds after local changes, whatever program makes them.
            """
    )

    @OptionGroup var mirror: MirrorArguments<ConfigurationArgument>

    @OptionGroup var pull: PullRunOptions

    @OptionGroup var pushing: PushRunOptions

    @Flag(help: "Print the requests that change objects and what a pull would do; change nothing.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "Sync repeatedly, this long after the end of each sync, and push in between.",
            valueName: "interval"
        )
    )
    var watch: String?

    @OptionGroup var changes: ChangeOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        try changes.validate(isDryRun: dryRun)
        if dryRun, watch != nil {
            throw ValidationError("--watch syncs repeatedly, and --dry-run changes nothing.")
        }
    }

    func run() async throws {
        let changes = try changes.open()
        try await Interruption.cancelling(
            consequence: "What was sent and stored is kept, and the next sync continues from there."
        ) { try await sync(recording: changes) }
    }

    private func sync(recording changes: ChangeLog) async throws {
        let interval = try watch.map { try Duration(interval: $0) }
        let options = PullPlan.Options(isDryRun: dryRun, changes: changes)
        try await mirror.withPlan(options: options, output: output) { plan, transport in
            // What was read before a change may be out of date after it.
            transport.forget()
            try plan.expectPush()
            plan.noteOmitted(pull.only, quiet: output.quiet)
            let progress = PullProgress(
                ProgressBar(output),
                names: ResourceNames(of: plan.resources)
            )
            defer { progress.clear() }
            let options = try pull.pullOptions(plan)
            let engine = try plan.engine(over: transport, onEvent: progress.show)
            guard !dryRun else {
                // The store of the plan is a private copy, which the pull changes.
                let requests = try await engine.plannedRequests(with: pushing.pushOptions)
                let report = try await PullVerb.report(of: engine, options: options)
                progress.clear()
                try print(requests, report, plan)
                return try PullVerb.throwFailure(of: report, arguments: plan.arguments)
            }
            let printer = PushPrinter(output, plan)
            try await changes.recording(plan.store, sparing: plan.files) {
                if let interval {
                    return try await engine.watch(progress) {
                        try await engine.run(
                            .every(interval),
                            with: options,
                            pushing: pushing.pushOptions
                        )
                    } show: { report in
                        try printer.print(report)
                    } check: { report in
                        try check(report, of: plan)
                    }
                }
                let report = try await Self.report(
                    of: engine,
                    options: options,
                    pushing: pushing.pushOptions
                )
                progress.clear()
                try printer.print(report)
                try check(report, of: plan)
            }
        }
    }

    /// Throws the first failure of a run, or a failure for what was left out or not pushed.
    private func check(_ report: SyncReport, of plan: PullPlan) throws {
        try PullVerb.throwFailure(of: report, arguments: plan.arguments)
        try PushPrinter.throwFailure(of: report.pushed, plan)
        try plan.checkOmitted(pull.only)
    }

    private func print(
        _ requests: [PlannedRequest],
        _ report: SyncReport,
        _ plan: PullPlan
    ) throws {
        if output.format == .text { try PlannedRequestPrinter(output).print(requests) }
        try PullPrinter(output, arguments: plan.arguments).print(
            report,
            after: plan,
            planned: requests.map(PlannedRequestPrinter.Entry.init),
            isDryRun: true
        )
    }

    /// Syncs, and returns the report even if nothing could be done.
    private static func report(
        of engine: SyncEngine,
        options: PullOptions,
        pushing: PushOptions
    ) async throws -> SyncReport {
        do {
            return try await engine.sync(with: options, pushing: pushing)
        } catch let failure as SyncFailure {
            return failure.report
        }
    }
}
