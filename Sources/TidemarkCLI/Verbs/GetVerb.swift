import ArgumentParser
import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The verb `tidemark get`.
struct GetVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print one row, as dump prints it."
    )

    @Argument(help: "The row, such as User:6 or User#12.")
    var row: RecordLocator

    @OptionGroup var store: StoreOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        let store = try store.openForReading()
        var writer = JSONWriter(output.format == .text ? .pretty : .compact)
        let problem = try store.read { db in
            try StoreError.ofInvalidValue {
                try StoreDump(store).write(db.db, db.record(row), into: &writer)
            }
        }
        switch output.format {
        case .text: try Console.legibleJSON(writer.bytes)
        case .json: try Console.end(&writer)
        }
        if let problem { throw problem }
    }
}
