import ArgumentParser
import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The verb `tidemark update`.
struct UpdateVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Change values and links of a row.",
        discussion: "Prints the names of the changed properties."
    )

    @Argument(help: "The row, such as User:6 or User#12.")
    var row: RecordLocator

    @OptionGroup var options: RowOptions

    @Option(
        help: ArgumentHelp(
            "A remote object to update the attributes from, as an import does; - for standard input.",
            valueName: "file"
        )
    )
    var json: String?

    @OptionGroup var origin: OriginOptions

    @OptionGroup var store: CreatableStoreOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        let storeOptions = store.store
        let store = try store.open()
        let record = try store.read { db in try db.record(row) }
        let layout = try store.layout.entity(record.reference.entity)
        let values = try options.parsedValues(layout)
        let links = try options.parsedLinks()
        let document = try json.map {
            try DocumentFile.open($0, progress: ProgressBar(output)).document()
        }
        let name = RecordLocator(record.reference)
        let importer = try origin.importer(store, storeOptions)
        let (filled, changed) = try store.write { [origin] db in
            let filled = try document.map {
                try importer.fill(db.db, name, with: $0, from: origin.origin)
            }
            switch origin.origin {
            case .local:
                return (filled, try db.update(name, values: values, links: links).changed)
            case .service:
                let row = ServiceRow.row(record.reference)
                let written = try importer.write(db.db, values: values, links: links, to: row)
                return (filled, written?.changed ?? [])
            }
        }
        let differing = (filled?.changed ?? []) + changed
        if origin.origin == .local, !differing.isEmpty { try output.logMirror(store) }
        let result = Result(ref: record.reference.description, changed: differing)
        try output.print(result) {
            let names = differing.isEmpty ? "nothing changed" : differing.joined(separator: ", ")
            try Console.line("\(result.ref): \(names)")
        }
        if let filled { ReportPrinter(output).log(filled.diagnostics) }
    }

    /// The result in JSON.
    private struct Result: Encodable {
        let ref: String
        let changed: [String]
    }
}
