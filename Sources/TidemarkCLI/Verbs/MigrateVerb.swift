import ArgumentParser
import TidemarkStore
import TidemarkSync

/// The verb `tidemark migrate`.
struct MigrateVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Migrate the store to a changed model, in place.",
        discussion: """
            Rows keep their numbers, links, and values that convert. Properties and entities that the model \
            no longer has are dropped, and their values counted. A change that would lose other data is \
            rejected with status 65, and the store is not changed. An element is renamed if the model has \
            its former name: renamedFrom in YAML, the renaming identifier in Core Data.
            """
    )

    @OptionGroup var store: StoreOptions

    @Option(
        help: ArgumentHelp(
            "The changed model: .xcdatamodeld, .xcdatamodel, YAML or JSON.",
            valueName: "path"
        )
    )
    var model: String

    @Flag(help: "Report the steps and what prevents them, and change nothing.")
    var dryRun = false

    // Hidden as long as the command binds no store to a service that it pushes to.
    @Flag(
        help: ArgumentHelp(
            "Discard local changes that the model cannot represent, instead of rejecting it.",
            visibility: .hidden
        )
    )
    var discardChanges = false

    @OptionGroup var changes: ChangeOptions

    @OptionGroup var output: OutputOptions

    private var policy: UnpushedChangePolicy { discardChanges ? .discard : .reject }

    func validate() throws {
        try changes.validate(isDryRun: dryRun)
    }

    func run() throws {
        let changes = try changes.open()
        let model = try ModelFile.load(model)
        let path = try store.path()
        let printer = MigrationPrinter(output)
        guard !dryRun else {
            let store = try store.openForReading().temporaryCopy()
            let migration = try store.dryRunMigration(to: model, unpushedChanges: policy)
            try printer.print(migration, isDryRun: true)
            if let rejection = migration.rejections.first {
                throw Failure(
                    .data,
                    MigrationPrinter.sentence(rejection, of: migration, store: path)
                )
            }
            return
        }
        let store = try store.open()
        var done: Migration?
        _ = try changes.recording(store, sparing: self.store.files() + [self.model]) {
            try store.migrate(to: model, environment: .live, unpushedChanges: policy) { done = $0 }
        }
        try changes.withReport { try printer.print(done, isDryRun: false) }
    }
}
