import ArgumentParser
import GRDB
import TidemarkImport
import TidemarkStore

/// The verb `tidemark sweeps`.
struct SweepsVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweeps",
        abstract: "Decide about rows that a service no longer lists.",
        discussion: """
            Where a pull would delete more than half of an entity's rows, or all of them, it keeps them and \
            asks. A row that is named meanwhile stays in any case.
            """,
        subcommands: [List.self, Accept.self, Discard.self]
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List what waits for a decision."
        )

        @OptionGroup var options: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let store = try options.open()
            let importer = Importer(store)
            let parked = try store.writer.read { db in try importer.parkedSweeps(db) }
            switch output.format {
            case .json: try PullPrinter(output).print(parked)
            case .text:
                let names = ResourceNames(of: parked)
                for sweep in parked { try Console.line(PullPrinter.sentence(sweep, names)) }
                if parked.isEmpty { try Console.line("Nothing waits for a decision.") }
            }
        }
    }

    struct Accept: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete the rows of a resource, but for those that were named since."
        )

        @OptionGroup var choice: SweepChoice

        @OptionGroup var changes: ChangeOptions

        func run() throws {
            let changes = try changes.open()
            let store = try choice.store.open()
            let report = try changes.recording(store, sparing: [store.writer.path]) {
                try choice.decide(in: store) { importer, db, sweep in
                    try importer.acceptSweep(db, sweep.resource)
                }
            }
            try changes.withReport { try ReportPrinter(choice.output).print(report) }
        }
    }

    struct Discard: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keep the rows of a resource, and ask no more."
        )

        @OptionGroup var choice: SweepChoice

        func run() throws {
            let kept = try choice.decide(in: choice.store.open()) { importer, db, sweep in
                try importer.discardSweep(db, sweep.resource)
                return sweep
            }
            switch choice.output.format {
            case .json: try PullPrinter(choice.output).print([kept])
            case .text:
                try Console.line("\(kept.rows.counted("row")) of \(choice.resource) are kept.")
            }
        }
    }
}

/// What waits for a decision, and where.
struct SweepChoice: ParsableArguments {
    @Argument(help: "The entity, or the path of the resource where several list it.")
    var resource: String

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    /// Decides about it, in one transaction.
    ///
    /// - Throws: ``Failure`` where nothing waits; what `body` throws.
    func decide<Result>(
        in store: Store,
        _ body: (Importer, Database, ParkedSweep) throws -> Result
    ) throws -> Result {
        let importer = Importer(store)
        return try store.writer.write { db in
            let parked = try importer.parkedSweeps(db)
            let names = ResourceNames(of: parked)
            guard let path = names.path(of: resource),
                let sweep = parked.first(where: { $0.resource == path })
            else {
                let known = parked.map { names.name(of: $0.resource) }.joined(separator: ", ")
                throw Failure(
                    .notFound,
                    "No row of \(resource) waits for a decision. "
                        + (parked.isEmpty ? "None does." : "Those of \(known) do.")
                )
            }
            return try body(importer, db, sweep)
        }
    }
}
