import ArgumentParser
import TidemarkHTTPClient
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
            contain. See `tidemark push` and `tidemark pull`.
            """
    )

    @OptionGroup var origin: SourceArgument

    @OptionGroup var pull: PullRunOptions

    @OptionGroup var mirror: MirrorStoreOption

    @OptionGroup var changes: ChangeOptions

    @OptionGroup var headers: HeaderOptions

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let changes = try changes.open()
        try await Interruption.cancelling(
            consequence: "What was sent and stored is kept, and the next sync continues from there."
        ) { try await sync(recording: changes) }
    }

    private func sync(recording changes: ChangeLog) async throws {
        let source = try ServiceSource.find(
            origin.source,
            store: mirror.store ?? StoreOptions.inEnvironment,
            headers: headers.fields()
        )
        try ProcessLimits.expectEnough(concurrency: source.limits().concurrency)
        try await AsyncHTTPClientTransport.run(limits: source.limits()) { transport in
            let options = PullPlan.Options(store: mirror.store, changes: changes)
            let plan = try await PullPlan.prepare(from: source, options: options, over: transport)
            try plan.expectPush()
            plan.noteOmitted(pull.only, quiet: output.quiet)
            let progress = PullProgress(
                ProgressBar(output),
                names: ResourceNames(of: plan.resources)
            )
            defer { progress.clear() }
            let engine = try plan.engine(over: transport, onEvent: progress.show)
            try await changes.recording(plan.store, sparing: plan.files) {
                let report = try await Self.report(of: engine, options: pull.pullOptions(plan))
                progress.clear()
                try PushPrinter(output, plan).print(report)
                try PullVerb.throwFailure(of: report, arguments: plan.arguments)
                try PushPrinter.throwFailure(of: report.pushed, plan)
            }
            try plan.checkOmitted(pull.only)
        }
    }

    /// Syncs, and returns the report even if nothing could be done.
    private static func report(
        of engine: SyncEngine,
        options: PullOptions
    ) async throws -> SyncReport {
        do {
            return try await engine.sync(with: options)
        } catch let failure as SyncFailure {
            return failure.report
        }
    }
}
