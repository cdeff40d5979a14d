import ArgumentParser
import GRDB
import TidemarkModel
import TidemarkStore
import TidemarkSync

/// The verb `tidemark outbox`.
struct OutboxVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "List local changes that the service does not have, and decide about them.",
        discussion: """
            Each change of a row is in one state: pending (sent by the next push), inFlight, uncertain \
            (it may have been applied; the next sync determines that), rejected (it is sent again once \
            the row is edited), or conflicted (it contradicts a change of the service).
            """,
        subcommands: [List.self, Show.self, Retry.self, Discard.self, Add.self]
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the changes that are left, and why."
        )

        @Argument(help: "Only the rows of this entity.")
        var entity: String?

        @OptionGroup var options: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let store = try options.openForReading()
            if let entity { _ = try store.layout.entity(entity) }
            let outbox = Outbox(store)
            let (changes, drafts) = try store.writer.read { db in
                (try outbox.changes(db, of: entity), try outbox.drafts(db))
            }
            try OutboxPrinter(output, arguments: options.arguments).print(
                changes,
                drafts: drafts.filter { (entity ?? $0.key) == $0.key }
            )
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the change of a row: values, request, and the answer of the service.",
            discussion: """
                base is what the service had when the change was made, local what is stored here. A row \
                that was edited while the outcome of its request is unknown has two changes.
                """
        )

        @Argument(help: "The row, such as Note:7; by its number, Note#12, if it was deleted.")
        var row: RecordLocator

        @OptionGroup var options: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let store = try options.openForReading()
            let changes = try store.writer.read { db in
                try Outbox(store).details(db, of: row)
            }
            try OutboxPrinter(output, arguments: options.arguments).print(changes)
        }
    }

    struct Retry: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let rejected and postponed changes be sent by the next push."
        )

        @Argument(help: "The rows, such as Note:7 or Note#12. Defaults to all.")
        var rows: [RecordLocator] = []

        @OptionGroup var options: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let store = try options.open()
            let count = try store.writer.write { db in
                try Outbox(store).retry(db, rows.isEmpty ? nil : rows)
            }
            try output.print(["changes": count]) {
                try Console.line("The next push sends \(count.counted("change")).")
            }
        }
    }

    struct Discard: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Discard the change of a row.",
            discussion: """
                The row is again as the service knows it: one that was created is deleted, and one that \
                was deleted is there again.
                """
        )

        @Argument(help: "The row, such as Note:7; by its number, Note#12, if it was deleted.")
        var row: RecordLocator

        @Flag(help: "Discard it even if the service may have applied it.")
        var force = false

        @OptionGroup var options: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let store = try options.open()
            let change = try store.writer.write { db in
                try Outbox(store).discard(
                    db,
                    row,
                    mode: force ? .includingUncertain : .certainOnly
                )
            }
            try output.print(OutboxPrinter.Entry(change)) {
                try Console.line("The \(change.kind.rawValue) of \(change.row) was discarded.")
            }
            if change.state == .uncertain {
                Console.log("The service may have applied it: pull to see what it has.")
            }
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add local drafts: rows without a key from before changes were recorded."
        )

        @Argument(help: "Only the rows of this entity.")
        var entity: String?

        @OptionGroup var options: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let store = try options.open()
            if let entity { _ = try store.layout.entity(entity) }
            let count = try store.writer.write { db in
                try Outbox(store).add(db, draftsOf: entity)
            }
            try output.print(["objects": count]) {
                try Console.line("The next push creates \(count.counted("object")).")
            }
        }
    }
}
