import ArgumentParser
import GRDB
import TidemarkModel
import TidemarkStore

/// The verb `tidemark query`.
struct QueryVerb: ParsableCommand {
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

    func run() throws {
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
        try store.read { db in
            var printer = format.printer(columns)
            let cells = RecordCells(db)
            try printer.begin()
            try db.forEach(request) { record in
                try printer.print(record, with: cells)
            }
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
