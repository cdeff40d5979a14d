import ArgumentParser
import GRDB
import TidemarkHTTPClient
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync

/// The verb `tidemark pull`.
struct PullVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull",
        abstract: "Pull a service's objects into the store.",
        discussion: """
            Pages are applied one at a time. If a resource cannot be read to its end, the rows that \
            were received are kept, and none are deleted. The next pull resumes an interrupted one at \
            its page.

            A URL needs no configuration: it is that of a list, or of a document that links to all \
            lists. A store that does not exist is created with a model inferred from the first pages. \
            It records the URL and how the lists are read, so that pull --store PATH is enough the \
            next time.
            """
    )

    @OptionGroup var mirror: MirrorArguments<SourceArgument>

    @OptionGroup var pull: PullRunOptions

    @Flag(help: "Report what would happen, and change nothing.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "Pull repeatedly, this long after the end of each pull: 30s, 5m.",
            valueName: "interval"
        )
    )
    var watch: String?

    @Option(
        help: ArgumentHelp(
            "The kind of service at a URL: rest, rails, parse, kinto or jsonapi.",
            discussion: "By default it is recognized from the first response.",
            valueName: "name"
        )
    )
    var preset: String?

    @OptionGroup var changes: ChangeOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        try changes.validate(isDryRun: dryRun)
        if dryRun, watch != nil {
            throw ValidationError("--watch pulls repeatedly, and --dry-run changes nothing.")
        }
        guard let preset else { return }
        guard mirror.source.map(PullAddress.isURL) ?? (mirror.store != nil) else {
            throw ValidationError("--preset is for a URL; a configuration has service.preset.")
        }
        guard Service.presets[preset] != nil else {
            let known = Service.presets.keys.sorted().joined(separator: ", ")
            throw ValidationError("--preset \(preset) is not known. Known are \(known).")
        }
    }

    func run() async throws {
        let changes = try changes.open()
        try await Interruption.cancelling(
            consequence: "What was stored is kept, and the next pull resumes from there."
        ) { try await pull(recording: changes) }
    }

    private func pull(recording changes: ChangeLog) async throws {
        let interval = try watch.map { try Duration(interval: $0) }
        let options = PullPlan.Options(preset: preset, isDryRun: dryRun, changes: changes)
        try await mirror.withPlan(options: options, output: output) { plan, transport in
            try await execute(plan, every: interval, changes: changes, over: transport)
        }
    }

    private func execute(
        _ plan: PullPlan,
        every interval: Duration?,
        changes: ChangeLog,
        over transport: some Transport
    ) async throws {
        let options = try pull.pullOptions(plan)
        let progress = PullProgress(
            ProgressBar(output),
            names: ResourceNames(of: plan.resources)
        )
        defer { progress.clear() }
        plan.noteOmitted(pull.only, quiet: output.quiet)
        let engine = try plan.engine(over: transport, onEvent: progress.show)
        let printer = PullPrinter(output, arguments: plan.arguments)
        try await changes.recording(plan.store, sparing: plan.files) {
            if let interval {
                return try await engine.watch(progress) {
                    try await engine.pull(by: .every(interval), with: options)
                } show: { report in
                    try printer.print(report, after: plan, isDryRun: dryRun)
                } check: { report in
                    try throwFailure(of: report, plan: plan)
                }
            }
            let report = try await Self.report(of: engine, options: options)
            progress.clear()
            try printer.print(report, after: plan, isDryRun: dryRun)
            UnrecordedText.log(report.pushed.localChanges.unrecorded, of: plan.arguments)
            try throwFailure(of: report, plan: plan)
        }
        if !dryRun { try plan.rememberHeaders() }
    }

    /// Pulls, and returns the report even if no resource could be pulled.
    static func report(
        of engine: SyncEngine,
        options: PullOptions
    ) async throws -> SyncReport {
        do {
            return try await engine.pull(with: options)
        } catch let failure as SyncFailure {
            return failure.report
        }
    }

    private func throwFailure(of report: SyncReport, plan: PullPlan) throws {
        do {
            try Self.throwFailure(of: report, arguments: plan.arguments)
        } catch {
            throw plan.explained(error)
        }
        try plan.checkOmitted(pull.only)
    }

    /// Throws the first failure of a resource.
    ///
    /// If no resource failed but deletions are pending, or lists may have more objects, throws a
    /// ``Failure`` with the status `tryAgain`.
    ///
    /// Called after all resources have been pulled.
    static func throwFailure(
        of report: SyncReport,
        arguments: StoreArguments = StoreArguments()
    ) throws {
        var pending =
            PullPrinter.pending(report, arguments: arguments) + PullPrinter.unproven(report)
        if let failure = report.failures.first {
            for sentence in pending { Console.log(sentence) }
            throw failure
        }
        guard let last = pending.popLast() else { return }
        for sentence in pending { Console.log(sentence) }
        throw Failure(.tryAgain, last)
    }
}
