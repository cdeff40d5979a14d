import ArgumentParser
import GRDB
import TidemarkModel
import TidemarkStore
import TidemarkSync

/// The verb `tidemark outbox`.
struct OutboxVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "List local changes that the service does not have, and decide about them.",
        discussion: """
            Each change of a row is in one state: pending (sent by the next push), inFlight, uncertain \
            (it may have been applied; the next sync determines that), rejected (it is sent again once \
            the row is edited), or conflicted (it contradicts a change of the service).
            """,
        subcommands: [
            List.self, Show.self, Retry.self, Discard.self, Adopt.self, Add.self,
        ]
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
            let (changes, drafts, records) = try store.writer.read { db in
                (
                    try outbox.changes(db, of: entity), try outbox.drafts(db),
                    try Capture.isInstalled(db)
                )
            }
            try OutboxPrinter(output, arguments: options.arguments).print(
                changes,
                drafts: drafts.filter { (entity ?? $0.key) == $0.key },
                records: records
            )
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the change of a row: values, request, and the response of the service.",
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
            abstract: "Let rejected and postponed changes be sent by the next push.",
            discussion: """
                Changes in conflict are decided by `tidemark conflicts resolve`. Uncertain ones are \
                determined by the next sync; with --force they are sent again, although the service may \
                have applied them: an object may exist twice then.
                """
        )

        @Argument(help: "The rows, such as Note:7 or Note#12. Defaults to all.")
        var rows: [RecordLocator] = []

        @Flag(help: "Also send changes of these rows again that the service may have applied.")
        var force = false

        @OptionGroup var options: StoreOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard force, rows.isEmpty else { return }
            throw ValidationError("--force needs the rows whose changes are sent again.")
        }

        func run() throws {
            let store = try options.open()
            let (count, skipped) = try store.writer.write { db in
                let outbox = Outbox(store)
                let count = try outbox.retry(
                    db,
                    rows.isEmpty ? nil : rows,
                    mode: force ? .includingUncertain : .certainOnly
                )
                let left = try rows.flatMap { try outbox.changes(db, ofRow: $0) }
                return (count, left.filter { $0.state == .conflicted || $0.state == .uncertain })
            }
            try output.print(["changes": count]) {
                try Console.line("The next push sends \(count.counted("change")).")
            }
            for change in skipped {
                let reason =
                    change.state == .conflicted
                    ? "is in conflict: decide it with tidemark conflicts resolve"
                    : "is uncertain: tidemark sync determines whether it was applied"
                Console.log("\(change.row) \(reason).")
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
