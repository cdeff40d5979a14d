import ArgumentParser
import Foundation
import GRDB
import TidemarkModel
import TidemarkStore
import TidemarkSync

/// The verb `tidemark conflicts`.
struct ConflictsVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract:
            "List changes of the service that contradicted local ones, and decide about them.",
        discussion: """
            Whatever a policy has decided, all versions are recorded: what the service had before, what \
            was stored here, and what the service has.
            """,
        subcommands: [List.self, Show.self, Resolve.self, Export.self]
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the conflicts with all versions, the oldest first."
        )

        @Flag(help: "Only conflicts that await a decision.")
        var open = false

        @OptionGroup var options: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let store = try options.openForReading()
            let conflicts = try store.writer.read { db in
                try Conflicts(store).list(db, filter: open ? .open : .all)
            }
            try ConflictPrinter(output).print(conflicts)
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a conflict with all versions, and what was kept."
        )

        @Argument(help: "The number of the conflict.")
        var id: Int64

        @OptionGroup var options: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let store = try options.openForReading()
            let conflict = try store.writer.read { db in try Conflicts(store).conflict(db, id) }
            try ConflictPrinter(output).print(conflict, arguments: options.arguments)
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print all conflicts as JSON Lines, the oldest first.",
            discussion: """
                Use it to keep conflicts longer than the store does: those that were decided are \
                deleted after 90 days if there are more than 10,000.
                """
        )

        @OptionGroup var options: StoreOptions
        @OptionGroup var output: JSONOutputOptions

        func run() throws {
            let store = try options.openForReading()
            let conflicts = try store.writer.read { db in try Conflicts(store).list(db) }
            try ConflictPrinter.export(conflicts)
        }
    }

    struct Resolve: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take one version of a conflict.",
            discussion: """
                The row gets that version, and the next push sends it if the service has another one. \
                If the service has a newer value than the conflict shows, nothing is changed.
                """
        )

        @Argument(help: "The number of the conflict.")
        var id: Int64

        @Option(
            help: ArgumentHelp(
                "What was stored here, what the service had, or what it had before.",
                valueName: "version"
            )
        )
        var take: Version?

        @OptionGroup var values: ValueOptions

        @OptionGroup var options: StoreOptions
        @OptionGroup var output: OutputOptions

        enum Version: String, ExpressibleByArgument, CaseIterable {
            case local, remote, base

            var choice: Conflicts.Choice {
                switch self {
                case .local: .local
                case .remote: .remote
                case .base: .base
                }
            }
        }

        func validate() throws {
            guard (take == nil) != (values.values == nil) else {
                throw ValidationError("Choose a version with --take, or write --values.")
            }
        }

        func run() throws {
            let store = try options.open()
            let conflicts = Conflicts(store)
            let resolution = try store.writer.write { db in
                let entity = try conflicts.conflict(db, id).row.entity
                let values = try self.values.parsed(store.layout.entity(entity))
                let choice = take?.choice ?? .values(values)
                return try conflicts.resolve(db, id, taking: choice)
            }
            let row = resolution.conflict.row
            guard !resolution.isStale else {
                throw Failure(
                    .tryAgain,
                    "The service has a newer value of \(row) than conflict \(id) shows: nothing was "
                        + "changed."
                )
            }
            try output.print(ConflictPrinter.Entry(resolution.conflict)) {
                let version = take.map { "the \($0.rawValue) version" } ?? "these values"
                try Console.line("\(row) has \(version).")
            }
        }
    }
}
