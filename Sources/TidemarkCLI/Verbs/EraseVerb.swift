import ArgumentParser
import GRDB
import TidemarkStore

/// The verb `tidemark erase`.
struct EraseVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Delete all rows. The file and the model remain."
    )

    @OptionGroup var store: CreatableStoreOptions

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    // Hidden as long as the command binds no store to a service that it pushes to.
    @Flag(
        help: ArgumentHelp(
            "Discard local changes that were not pushed. Without it they are an error.",
            visibility: .hidden
        )
    )
    var discardChanges = false

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
        try store.write { writer in
            try writer.erase(unpushedChanges: discardChanges ? .discard : .reject)
        }
        try output.print(["erased": path]) {}
    }
}
