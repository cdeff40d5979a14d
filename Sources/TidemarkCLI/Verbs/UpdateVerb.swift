import ArgumentParser
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkStore

/// The verb `tidemark update`.
struct UpdateVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Change values and links of a row.",
        discussion: "Prints the names of what differs from before."
    )

    @Argument(help: "The row, such as User:6 or User#12.")
    var row: RecordLocator

    @OptionGroup var options: RowOptions

    @Option(
        help: ArgumentHelp(
            "A remote object whose attributes the row takes over, as an import would; - for standard input.",
            valueName: "file"
        )
    )
    var json: String?

    @OptionGroup var store: CreatableStoreOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        let store = try store.open()
        let record = try store.writer.read { db in try store.record(db, row) }
        let layout = try store.layout.entity(record.reference.entity)
        let values = try options.parsedValues(layout)
        let links = try options.parsedLinks()
        let document = try json.map { try DocumentFile($0, ProgressBar(output)).document() }
        let name = try RecordLocator(record.reference.description)
        let (filled, changed) = try store.writer.write { db in
            let filled = try document.map { try Importer(store).fill(db, name, with: $0) }
            return (filled, try store.update(db, name, values: values, links: links).changed)
        }
        let differing = (filled?.changed ?? []) + changed
        if !differing.isEmpty { try Console.noteMirror(store, output) }
        try print(record.reference, differing)
        if let filled { ReportPrinter(output).note(filled.diagnostics) }
    }

    private func print(_ reference: RowReference, _ changed: [String]) throws {
        switch output.format {
        case .text:
            let names = changed.isEmpty ? "nothing changed" : changed.joined(separator: ", ")
            try Console.line("\(reference): \(names)")
        case .json:
            try Console.json { writer in
                writer.beginObject()
                writer.key("ref")
                writer.string(reference.description)
                writer.key("changed")
                writer.beginArray()
                for name in changed { writer.string(name) }
                writer.endArray()
                writer.endObject()
            }
        }
    }
}
