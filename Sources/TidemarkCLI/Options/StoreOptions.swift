import ArgumentParser
import Foundation
import TidemarkModel
import TidemarkStore

/// Which store a verb works on.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The SQLite file.",
            discussion: "Without it: $TIDEMARK_STORE, else `store` in tidemark.yml of this folder.",
            valueName: "path"
        )
    )
    var store: String?

    /// The path of the store, wherever it was said.
    func path() throws -> String {
        if let store = store ?? Self.inEnvironment { return store }
        if let store = try ConfigurationFile.inCurrentFolder()?.configuration.store { return store }
        throw Failure(.usage, "No store is named. Say --store PATH, or set TIDEMARK_STORE.")
    }

    /// The store that the environment names, if it names one.
    static var inEnvironment: String? {
        let store = ProcessInfo.processInfo.environment["TIDEMARK_STORE"] ?? ""
        return store.isEmpty ? nil : store
    }

    /// Opens a store that exists.
    func open() throws -> Store {
        try Store.open(at: path())
    }
}

/// Which store a verb works on, and the model to make it with.
struct CreatableStoreOptions: ParsableArguments {
    @OptionGroup var store: StoreOptions

    @Option(
        help: ArgumentHelp(
            "The model to make the store with: .xcdatamodeld, .xcdatamodel, YAML or JSON.",
            discussion: "A store remembers its model; only the command that makes it needs one.",
            valueName: "path"
        )
    )
    var model: String?

    /// Opens the store, or makes it.
    func open() throws -> Store {
        try Store.open(at: store.path(), model: loadedModel())
    }

    /// Opens the store for a look; without one, a store in memory stands in for it.
    func openForDryRun() throws -> Store {
        let path = try store.path()
        if FileManager.default.fileExists(atPath: path) {
            return try Store.open(at: path, model: loadedModel())
        }
        guard let model = try loadedModel() else { return try Store.open(at: path) }
        return try Store.inMemory(model: model)
    }

    private func loadedModel() throws -> Model? {
        try model.map(ModelFile.load)
    }
}
