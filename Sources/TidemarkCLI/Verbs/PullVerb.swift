import ArgumentParser
import TidemarkHTTPClient
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
            Pages are applied one by one. A resource that cannot be read to its end keeps what came, and \
            nothing of it is deleted.
            """
    )

    @Argument(help: "The configuration.")
    var configuration = ConfigurationFile.usualName

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

    @Option(
        help: ArgumentHelp(
            "The SQLite file, instead of the configuration's.",
            discussion: "Without it: $TIDEMARK_STORE, else `store` in the configuration.",
            valueName: "path"
        )
    )
    var store: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let file = try ConfigurationFile(configuration)
        let interval = try watch.map { try Self.interval($0) }
        let opened = try openStore(file)
        let store = dryRun ? try opened.temporaryCopy() : opened
        let service = try file.configuration.remoteService()
        let resources = try file.configuration.remoteResources(of: service, store.model)
        let limits = try file.configuration.limits()
        let options = try options(resources)
        let bar = ProgressBar(output)
        let progress = PullProgress(bar)
        try await AsyncHTTPClientTransport.run(limits: limits) { transport in
            let engine = try SyncEngine(
                store: store,
                service: service,
                resources: resources,
                transport: transport,
                account: file.configuration.account,
                limits: limits,
                onEvent: progress.show
            )
            while true {
                let report = try await engine.pull(options)
                bar.clear()
                try PullPrinter(output).print(report)
                guard let interval else { return try Self.check(report) }
                try await Environment.live.sleep(interval)
            }
        }
    }

    private func options(_ resources: [Resource]) throws -> PullOptions {
        var options = PullOptions()
        options.entities = try chosen(resources)
        options.isFull = full
        if allowDeletes { options.sweepGuard = nil }
        return options
    }

    private static func interval(_ text: String) throws -> Duration {
        guard let interval = Duration(written: text) else {
            throw Failure(.usage, "--watch: write 30s, 500ms or 5m, not \(text).")
        }
        return interval
    }

    private func openStore(_ file: ConfigurationFile) throws -> Store {
        let configuration = file.configuration
        let named = store ?? StoreOptions.inEnvironment
        guard let path = named ?? configuration.store.map(file.resolve) else {
            throw Failure(.usage, "\(file.path) names no store. Add store: PATH, or say --store.")
        }
        let model = try configuration.model.map { try ModelFile.load(file.resolve($0)) }
        return try CreatableStoreOptions.open(path, model)
    }

    private func chosen(_ resources: [Resource]) throws -> Set<String>? {
        guard let only else { return nil }
        let names = Set(only.split(separator: ",").map(String.init))
        let known = Set(resources.map(\.entity))
        if let unknown = names.subtracting(known).min() {
            throw Failure(
                .usage,
                "No resource is for \(unknown). There are \(known.sorted().joined(separator: ", "))."
            )
        }
        return names
    }

    /// Ends the command with the first failure of a resource, when every resource has been tried.
    static func check(_ report: SyncReport) throws {
        let failures = report.resources.sorted { $0.key < $1.key }.compactMap(\.value.failure)
        if let failure = failures.first { throw failure }
        if let sweep = report.parked.first {
            throw SyncError(.parked, PullPrinter.sentence(sweep))
        }
    }
}
