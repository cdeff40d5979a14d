import ArgumentParser
import GRDB
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The verb `tidemark delete`.
struct DeleteVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a row, and apply the model's delete rules."
    )

    @Argument(help: "The row, such as User:6 or User#12.")
    var row: RecordLocator

    @OptionGroup var store: CreatableStoreOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        let store = try store.open()
        let deleted = try store.write { db in try db.delete(row) }
        try output.logMirror(store)
        try output.print(["deleted": deleted]) {
            let counts = deleted.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            try Console.line("deleted \(counts.joined(separator: ", "))")
        }
    }
}
