import ArgumentParser
import GRDB
import TidemarkModel
import TidemarkStore
import TidemarkSync

/// The verb `tidemark query`.
struct QueryVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Print the rows of an entity, for people and pipes.",
        discussion: "Relationships are printed as the primary keys of the linked rows."
    )

    @Argument(help: "The entity; rows of entities that inherit from it are printed too.")
    var entity: String

    @OptionGroup var store: StoreOptions

    @OptionGroup var rows: PredicateOptions

    // A value may begin with a minus, which would otherwise be parsed as an option.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The attributes to sort by, or paths to them; a minus before one reverses its order.",
            valueName: "company.name,-createdAt"
        )
    )
    var sort: String?

    @Option(help: "The maximum number of rows.")
    var limit: Int?

    @Option(help: "The number of rows to skip.")
    var offset = 0

    @Option(
        help: ArgumentHelp(
            "The attributes and relationships to print, in this order; all if omitted.",
            valueName: "name,name"
        )
    )
    var columns: String?

    @Option(help: "The format of the rows.")
    var format = Format.table

    @Flag(
        help: ArgumentHelp(
            "Print the rows again after each change, until interrupted.",
            discussion: """
                Changes by other processes are noticed within a quarter of a second. A terminal \
                shows the latest rows only; elsewhere, an empty line separates them.
                """
        )
    )
    var watch = false

    @OptionGroup var remarks: QuietOptions

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table
        case json
        case csv
        case ndjson
    }

    func validate() throws {
        guard limit ?? 0 >= 0, offset >= 0 else {
            throw ValidationError("--limit and --offset cannot be negative.")
        }
    }

    func run() async throws {
        let store = try store.openForReading()
        let request = RecordRequest(
            entity,
            where: try rows.predicate(),
            sort: sortKeys,
            limit: limit,
            offset: offset,
            links: .all
        )
        let columns = try RecordColumns(self.columns, of: store.layout.entity(entity))
        guard watch else {
            return try show(columns, of: store) { reader, show in
                try reader.forEach(request, body: show)
            }
        }
        var isFirst = true
        for try await rows in store.live(request) {
            if Console.isResultTerminal {
                try Console.clear()
            } else if !isFirst {
                try Console.lines("")
            }
            isFirst = false
            try show(columns, of: store) { _, show in for row in rows { try show(row) } }
        }
    }

    /// Prints rows, which a closure passes one at a time.
    private func show(
        _ columns: RecordColumns,
        of store: Store,
        _ rows: (StoreReader, (StoredRecord) throws -> Void) throws -> Void
    ) throws {
        try store.read { reader in
            var printer = format.printer(columns)
            let cells = RecordCells(reader)
            try printer.begin()
            try rows(reader) { try printer.print($0, with: cells) }
            try printer.end()
        }
    }

    private var sortKeys: [RecordRequest.SortKey] {
        (sort ?? "").split(separator: ",").map { key in
            key.hasPrefix("-")
                ? RecordRequest.SortKey(String(key.dropFirst()), .descending)
                : RecordRequest.SortKey(String(key))
        }
    }
}

extension QueryVerb.Format {
    fileprivate func printer(_ columns: RecordColumns) -> any RecordPrinter {
        switch self {
        case .table: TablePrinter(columns)
        case .csv: CSVPrinter(columns)
        case .json: JSONPrinter(columns, isLines: false)
        case .ndjson: JSONPrinter(columns, isLines: true)
        }
    }
}
