import ArgumentParser
import GRDB
import TidemarkHTTPClient
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync

/// The verb `tidemark pull`.
struct PullVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull",
        abstract: "Bring a service's objects into the store.",
        discussion: """
            Pages are applied one by one. If a resource cannot be read to its end, the rows that were \
            received stay, and nothing is deleted. The next pull resumes an interrupted one at its page.

            An address needs no configuration: it is that of a list, or of a document that links to \
            all lists. A store that is not there yet is made, with a model inferred from the first \
            pages, and remembers the address and how the lists are read: pull --store PATH is enough \
            the next time.
            """
    )

    @OptionGroup var origin: SourceArgument

    @Option(help: ArgumentHelp("Only these entities.", valueName: "A,B"))
    var only: String?

    @Flag(help: "Read everything, whatever is known of it.")
    var full = false

    @Flag(help: "Report what would happen, and change nothing.")
    var dryRun = false

    @Flag(help: "Delete what the service no longer lists, however much it is.")
    var allowDeletes = false

    @Option(
        help: ArgumentHelp(
            "Pull again and again, so long after each time: 30s, 5m.",
            valueName: "interval"
        )
    )
    var watch: String?

    @OptionGroup var mirror: MirrorStoreOption

    @Option(
        help: ArgumentHelp(
            "What kind of service is at the address: rest, rails, parse, kinto or jsonapi.",
            discussion: "By default it is recognized from the first response.",
            valueName: "name"
        )
    )
    var preset: String?

    @Option(help: "What happens to references to rows that are not stored.")
    var unresolved = ImportOptions().unresolved

    @Option(help: "What happens to invalid values, and to the rows that have them.")
    var invalid = ImportOptions().invalid

    @Flag(help: "Show the offending values in diagnostics.")
    var showValues = false

    @OptionGroup var changes: ChangeOptions

    @OptionGroup var headers: HeaderOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        try changes.validate(isDryRun: dryRun)
        if dryRun, watch != nil {
            throw ValidationError("--watch pulls repeatedly, and --dry-run changes nothing.")
        }
        guard let preset else { return }
        guard origin.source.map(PullAddress.isOne) ?? (mirror.store != nil) else {
            throw ValidationError("--preset is for an address; a configuration says it itself.")
        }
        guard Service.presets[preset] != nil else {
            let known = Service.presets.keys.sorted().joined(separator: ", ")
            throw ValidationError("--preset \(preset) is not known. Known are \(known).")
        }
    }

    func run() async throws {
        let changes = try changes.open()
        try await Interruption.cancelling(
            "What was stored is kept, and the next pull resumes from there."
        ) { try await pull(changes) }
    }

    private func pull(_ changes: ChangeLog) async throws {
        let interval = try watch.map { try Self.interval($0) }
        let source = try ServiceSource(
            origin.source,
            store: mirror.store ?? StoreOptions.inEnvironment,
            headers: headers.fields()
        )
        try ProcessLimits.expectEnough(concurrency: source.limits().concurrency)
        try await AsyncHTTPClientTransport.run(limits: source.limits()) { transport in
            let transport = RememberingTransport(transport)
            let bar = ProgressBar(output)
            defer { bar.clear() }
            let options = PullPlan.Options(
                store: mirror.store,
                preset: preset,
                isDryRun: dryRun,
                changes: changes,
                telling: { place in
                    bar.show { _ in ["Looking at \(place)".singleLine(limit: ProgressBar.columns)] }
                }
            )
            let plan = try await PullPlan(source, options, over: transport)
            bar.clear()
            transport.finishRemembering()
            try await pull(plan, interval, changes, over: transport)
        }
    }

    private func pull(
        _ plan: PullPlan,
        _ interval: Duration?,
        _ changes: ChangeLog,
        over transport: some Transport
    ) async throws {
        let options = try options(plan)
        let progress = PullProgress(ProgressBar(output), ResourceNames(of: plan.resources))
        defer { progress.clear() }
        if !output.quiet { for remark in plan.remarks { Console.note(remark) } }
        plan.noteOmitted(only, quiet: output.quiet)
        let engine = try plan.engine(over: transport, onEvent: progress.show)
        try await changes.recording(plan.store, sparing: plan.files) {
            if let interval { return try await watch(plan, engine, interval, options, progress) }
            let report = try await Self.report(of: engine, options)
            progress.clear()
            try PullPrinter(output, plan.arguments).print(report)
            try check(report, plan)
        }
        if !dryRun { try plan.rememberHeaders() }
    }

    /// Pulls, and returns the report even if no resource could be pulled.
    private static func report(
        of engine: SyncEngine,
        _ options: PullOptions
    ) async throws -> SyncReport {
        do {
            return try await engine.pull(options)
        } catch let failure as SyncFailure {
            return failure.report
        }
    }

    /// Pulls repeatedly, and prints the outcome of each pull.
    private func watch(
        _ plan: PullPlan,
        _ engine: SyncEngine,
        _ interval: Duration,
        _ options: PullOptions,
        _ progress: PullProgress
    ) async throws {
        let events = engine.events()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await engine.run(.every(interval), with: options) }
            group.addTask {
                for await event in events { try print(event, plan, progress) }
            }
            defer { group.cancelAll() }
            for try await _ in group {}
        }
    }

    private func print(
        _ event: SyncEvent,
        _ plan: PullPlan,
        _ progress: PullProgress
    ) throws {
        switch event {
        case .finished(let report):
            progress.clear()
            try PullPrinter(output, plan.arguments).print(report)
            do {
                try check(report, plan)
            } catch {
                Console.note(Failure(error)?.message ?? "\(error)")
            }
        case .stopped(let error):
            progress.clear()
            Console.note(Failure(error)?.message ?? "\(error)")
        case .started, .page, .retrying, .deletionPending, .applied, .failed: break
        }
    }

    private func options(_ plan: PullPlan) throws -> PullOptions {
        var options = PullOptions()
        options.entities = try plan.entities(only)
        options.isFull = full
        options.importing = ImportOptions(
            unresolved: unresolved,
            invalid: invalid,
            showsValues: showValues
        )
        if allowDeletes { options.deletionGuard = nil }
        return options
    }

    private static func interval(_ text: String) throws -> Duration {
        guard let interval = Duration(written: text) else {
            throw Failure(.usage, "--watch: write 30s, 500ms or 5m, not \(text).")
        }
        return interval
    }

    private func check(_ report: SyncReport, _ plan: PullPlan) throws {
        do {
            try Self.check(report, plan.arguments)
        } catch {
            throw plan.explained(error)
        }
        try plan.checkOmitted(only)
    }

    /// Throws the first failure of a resource.
    ///
    /// If no resource failed but deletions are pending, throws a ``Failure`` with the status
    /// `tryAgain`.
    ///
    /// Called after all resources have been pulled.
    static func check(
        _ report: SyncReport,
        _ arguments: StoreArguments = StoreArguments()
    ) throws {
        var pending = PullPrinter.pending(report, arguments)
        if let failure = report.failures.first {
            for sentence in pending { Console.note(sentence) }
            throw failure
        }
        guard let last = pending.popLast() else { return }
        for sentence in pending { Console.note(sentence) }
        throw Failure(.tryAgain, last)
    }
}
