import ArgumentParser
import GRDB
import TidemarkStore

/// The verb `tidemark erase`.
struct EraseVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Remove every row; the file and the model stay."
    )

    @OptionGroup var store: CreatableStoreOptions

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let path = try store.store.path()
        guard yes || Console.isConfirmed("Erase every row of \(path)? Type yes:") else {
            throw Failure(
                .notAllowed,
                "Nothing was erased. Use --yes to erase without being asked."
            )
        }
        // Opening may create or migrate the store, so it comes after the confirmation.
        let store = try store.open()
        try store.writer.write { db in try store.erase(db) }
        if output.format == .json { try Console.json(["erased": path]) }
    }
}
