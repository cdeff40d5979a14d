import ArgumentParser
import TidemarkImport
import TidemarkModel
import TidemarkStore

/// The verb `tidemark import`.
struct ImportVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Bring a JSON document into the store.",
        discussion: """
            Objects are found by their key; what differs is written, and rows that the document no longer \
            names are deleted. A single row that cannot be stored is reported and the others go in.

            The document is an array, an object that has one (--root), or JSON Lines. JSON Lines that were \
            cut between two lines look complete: import them from a pipe with --operations upsert, which \
            deletes nothing. A store that is not there yet is created with --model, or with a model that is \
            inferred from the document.
            """
    )

    @Argument(help: "The document; - for standard input.")
    var file = "-"

    @Option(help: "The entity its objects are.")
    var into: String

    @OptionGroup var store: CreatableStoreOptions

    @Option(
        help: ArgumentHelp(
            "What may be done: all, upsert, or a list.",
            discussion: """
                A comma list of insert, update, delete, insertRelationships, updateRelationships, \
                deleteRelationships. upsert is all but the two deletions.
                """
        )
    )
    var operations = Operations(value: .all)

    @OptionGroup var rows: PredicateOptions

    @Option(help: "The row whose children the document lists.")
    var parent: RecordLocator?

    @Option(help: "The parent's relationship, where several lead to the entity.")
    var relationship: String?

    @Option(help: ArgumentHelp("Where the objects are in the document.", valueName: "key.path"))
    var root: String?

    @Option(help: "What becomes of references to rows that are not stored.")
    var unresolved = UnresolvedReferencePolicy.hold

    @Option(
        help: ArgumentHelp(
            "What happens to values that do not convert or break a rule of the model.",
            discussion: """
                skip leaves such a value out, and a row that breaks a rule; null and default store \
                something else; skip-row leaves out the row; abort ends the import.
                """
        )
    )
    var invalid = InvalidValuePolicy.skip

    @Flag(help: "Report what would happen, and change nothing.")
    var dryRun = false

    @Flag(help: "Show the offending values in diagnostics.")
    var showValues = false

    @OptionGroup var changes: ChangeOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        try changes.validate(isDryRun: dryRun)
        guard relationship == nil || parent != nil else {
            throw ValidationError("--relationship goes with --parent.")
        }
        guard parent == nil || rows.where == nil else {
            throw ValidationError("Use --where or --parent, not both.")
        }
    }

    func run() throws {
        let changes = try changes.open()
        let scope = try scope()
        let options = ImportOptions(
            operations: operations.value,
            unresolved: unresolved,
            invalid: invalid,
            showsValues: showValues
        )
        let document = try DocumentFile(file, ProgressBar(output))
        // The write lock is taken only after all input has arrived, so that a slow writer at the
        // other end of a pipe does not block other processes.
        try document.spool()
        let target = try ImportTarget(self, document, changes)
        let importer = Importer(target.store)
        let report = try document.withItems(root: root) { items in
            guard !dryRun else {
                return try importer.dryRun(&items, into: into, scope: scope, options: options)
            }
            return try changes.recording(importer.store, sparing: [file] + store.files()) {
                try importer.import(&items, into: into, scope: scope, options: options)
            }
        }
        try target.checkForEnvelope(report)
        try changes.withReport {
            try ReportPrinter(output).print(report, dryRun ? nil : importer.store)
        }
        if !output.quiet { try target.note(report, importer.store) }
    }

    /// Returns the set of stored rows that the document replaces.
    private func scope() throws -> ImportScope {
        if let parent { return .children(of: parent, relationship: relationship) }
        return try rows.predicate().map { .rows(where: $0) } ?? .entity
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

        var defaultValueDescription: String { "all" }

        static var allValueStrings: [String] { ["all", "upsert"] + names.keys.sorted() }

        private static let names: [String: ImportOperations] = [
            "insert": .insert, "update": .update, "delete": .delete,
            "insertRelationships": .insertRelationships,
            "updateRelationships": .updateRelationships,
            "deleteRelationships": .deleteRelationships,
        ]
    }
}
