import ArgumentParser
import TidemarkImport
import TidemarkModel
import TidemarkStore

/// The verb `tidemark import`.
struct ImportVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a JSON document into the store.",
        discussion: """
            Objects are found by their key. Those that differ are updated, new ones are inserted, and rows \
            that the document does not contain are deleted. A row that cannot be stored is reported, and \
            the others are imported. In a store that belongs to a service, and with --from-service, rows that \
            the document does not contain are kept, unless --operations says otherwise.

            The document is an array, an object that contains one (--root), or JSON Lines. JSON Lines that \
            were truncated between two lines look complete: import them from a pipe with --operations \
            upsert, which deletes nothing. A store that does not exist is created with --model, or with a \
            model that is inferred from the document.

            If the document has objects and none of them could be stored, no row is deleted, and the exit \
            status is 65; that of a dry run is 0.
            """
    )

    @Argument(help: "The document; - for standard input.")
    var file = "-"

    @Option(help: "The entity of its objects.")
    var into: String

    @OptionGroup var store: CreatableStoreOptions

    @Option(
        help: ArgumentHelp(
            "The permitted operations: all, upsert, or a list.",
            discussion: """
                A list is separated by commas: insert, update, delete, insertRelationships, \
                updateRelationships, deleteRelationships. upsert is all but the two deletions. The \
                default is all, and upsert in a store that belongs to a service and with --from-service.
                """
        )
    )
    var operations: Operations?

    @OptionGroup var scope: ImportScopeOptions

    @Option(help: ArgumentHelp("The path of the objects in the document.", valueName: "key.path"))
    var root: String?

    @OptionGroup var policies: PolicyOptions

    @OptionGroup var origin: OriginOptions

    @Flag(help: "Report what would happen, and change nothing.")
    var dryRun = false

    @OptionGroup var changes: ChangeOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        try changes.validate(isDryRun: dryRun)
    }

    func run() throws {
        let changes = try changes.open()
        let scope = try scope.scope()
        var options = policies.importOptions(operations: operations?.value)
        options.origin = origin.origin
        let document = try DocumentFile.open(file, progress: ProgressBar(output))
        // The write lock is taken only after all input has arrived, so that a slow writer at the
        // other end of a pipe does not block other processes.
        try document.spool()
        let target = try ImportTarget.open(for: self, document: document, changes: changes)
        let importer = try origin.importer(target.store, store.store)
        let report = try document.withItems(root: root) { [options] items in
            guard !dryRun else {
                return try importer.dryRun(&items, into: into, scope: scope, options: options)
            }
            return try changes.recording(importer.store, sparing: [file] + store.files()) {
                try importer.import(&items, into: into, scope: scope, options: options)
            }
        }
        try target.checkForEnvelope(report)
        try changes.withReport {
            try ReportPrinter(output).print(report, of: dryRun ? nil : importer.store)
        }
        if !output.quiet {
            try target.logDeletions(in: report)
            target.logUnlisted(in: report)
        }
        if !dryRun { try target.checkForStoredObject(report) }
    }

    /// A set of operations as an argument of the command line.
    struct Operations: ExpressibleByArgument {
        let value: ImportOperations

        init(value: ImportOperations) {
            self.value = value
        }

        init?(argument: String) {
            switch argument {
            case "all": value = .all
            case "upsert": value = .upsert
            default:
                var operations: ImportOperations = []
                for name in argument.split(separator: ",", omittingEmptySubsequences: false) {
                    guard let operation = Self.names[String(name)] else { return nil }
                    operations.insert(operation)
                }
                value = operations
            }
        }

        static var allValueStrings: [String] { ["all", "upsert"] + names.keys.sorted() }

        private static let names: [String: ImportOperations] = [
            "insert": .insert, "update": .update, "delete": .delete,
            "insertRelationships": .insertRelationships,
            "updateRelationships": .updateRelationships,
            "deleteRelationships": .deleteRelationships,
        ]
    }
}
