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
            let parked = try store.writer.write { db in try importer.parkedSweeps(db) }
            switch output.format {
            case .json: try PullPrinter(output).print(parked)
            case .text:
                for sweep in parked { try Console.result(PullPrinter.sentence(sweep)) }
                if parked.isEmpty { try Console.result("Nothing waits for a decision.") }
            }
        }
    }

    struct Accept: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete the rows of a resource.")

        @Argument(help: "The path of the resource.")
        var resource: String

        @OptionGroup var options: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let store = try options.open()
            let importer = Importer(store)
            let report = try store.writer.write { db in try importer.acceptSweep(db, resource) }
            try ReportPrinter(output).print(report)
        }
    }

    struct Discard: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Keep the rows of a resource.")

        @Argument(help: "The path of the resource.")
        var resource: String

        @OptionGroup var options: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let store = try options.open()
            let importer = Importer(store)
            try store.writer.write { db in try importer.discardSweep(db, resource) }
        }
    }
}
