import ArgumentParser
import TidemarkStore
import TidemarkSync

/// The verb `tidemark migrate`.
struct MigrateVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the store to a changed model, in place.",
        discussion: """
            Rows keep their numbers, values that convert and links. What the model has no place for any \
            longer is dropped, and counted; what could only be had by losing something else is refused, \
            with status 65, and the store stays as it is. An element is renamed where the model says what \
            it was called: renamedFrom in YAML, the renaming identifier in Core Data.
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

    @Flag(help: "Tell what would be done and what is in the way, and change nothing.")
    var dryRun = false

    @OptionGroup var changes: ChangeOptions

    @OptionGroup var output: OutputOptions

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
            let migration = try store.dryRunMigration(to: model)
            try printer.print(migration, isDryRun: true)
            if let refusal = migration.refusals.first {
                throw Failure(.data, MigrationPrinter.sentence(refusal, of: migration, path))
            }
            return
        }
        let store = try store.open()
        var done: Migration?
        _ = try changes.recording(store, sparing: self.store.files() + [self.model]) {
            try store.migrated(to: model, environment: .live) { done = $0 }
        }
        try changes.withReport { try printer.print(done, isDryRun: false) }
    }
}
