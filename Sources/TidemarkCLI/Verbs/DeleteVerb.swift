import ArgumentParser
import GRDB
import TidemarkModel
import TidemarkStore

/// The verb `tidemark delete`.
struct DeleteVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a row, and what goes with it by the model's delete rules."
    )

    @Argument(help: "The row, such as User:6 or User#12.")
    var row: RecordLocator

    @OptionGroup var store: CreatableStoreOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        let store = try store.open()
        let deleted = try store.writer.write { db in try store.delete(db, row) }
            .sorted { $0.key < $1.key }
        try Console.noteMirror(store, output)
        switch output.format {
        case .text:
            try Console.line(
                "deleted " + deleted.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
            )
        case .json:
            try Console.json { writer in
                writer.beginObject()
                writer.key("deleted")
                writer.beginObject()
                for (entity, count) in deleted {
                    writer.key(entity)
                    writer.integer(Int64(count))
                }
                writer.endObject()
                writer.endObject()
            }
        }
    }
}
