import ArgumentParser
import Foundation
import TidemarkModel
import TidemarkStore
import TidemarkSync

/// The option for the store of a verb.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The SQLite file.",
            discussion:
                "Defaults to $TIDEMARK_STORE, otherwise to `store` in the tidemark.yml of this folder.",
            valueName: "path"
        )
    )
    var store: String?

    /// Returns the path of the store: that of the option, the environment or the configuration, in
    /// this order.
    func path() throws -> String {
        if let store = store ?? Self.inEnvironment { return store }
        if let store = try ConfigurationFile.inCurrentFolder()?.configuration.store { return store }
        throw Failure(.usage, "No store is named. Use --store PATH, or set TIDEMARK_STORE.")
    }

    /// Returns the path of the store, and that of the configuration if it specifies the store.
    func files() throws -> [String] {
        let isGiven = (store ?? Self.inEnvironment) != nil
        return try [path()] + (isGiven ? [] : [ConfigurationFile.usualName])
    }

    /// The arguments with which a suggested command finds the same store.
    var arguments: StoreArguments { StoreArguments(store: store) }

    /// The path in `TIDEMARK_STORE`; nil if the variable is empty or not set.
    static var inEnvironment: String? {
        let store = ProcessInfo.processInfo.environment["TIDEMARK_STORE"] ?? ""
        return store.isEmpty ? nil : store
    }

    /// Opens an existing store for reading and writing.
    func open() throws -> Store {
        let path = try path()
        // Opening for reading reports a missing file without suggesting to specify a model.
        guard FileManager.default.fileExists(atPath: path) else { return try openForReading() }
        return try Store.open(at: path)
    }

    /// Opens an existing store for reading.
    func openForReading() throws -> Store {
        try Store.openReadOnly(at: path())
    }
}

/// The options for a store that the verb creates if it does not exist, and for its model.
struct CreatableStoreOptions: ParsableArguments {
    @OptionGroup var store: StoreOptions

    @Option(
        help: ArgumentHelp(
            "The model of the store: .xcdatamodeld, .xcdatamodel, YAML or JSON.",
            discussion: """
                A store contains its model, so only the command that creates it needs one. A store \
                with another model is migrated.
                """,
            valueName: "path"
        )
    )
    var model: String?

    /// Returns the paths of the store and of all files that are read.
    func files() throws -> [String] { try store.files() + [model].compactMap(\.self) }

    /// Opens the store, or creates it.
    func open() throws -> Store {
        try Self.open(store.path(), model: loadedModel())
    }

    /// Opens the store, or creates it, and writes the changes of a migration to a change log.
    ///
    /// - Parameters:
    ///   - changes: The change log.
    ///   - document: The path of another file that is read, which must not be overwritten.
    /// - Returns: The store.
    /// - Throws: ``Failure``, `StoreError`, `ModelError`, `DatabaseError`.
    func open(_ changes: ChangeLog, sparing document: String) throws -> Store {
        try Self.open(
            store.path(),
            model: loadedModel(),
            changes: changes,
            sparing: [document] + files()
        )
    }

    /// Opens or creates a store, and prints a note if it is migrated.
    ///
    /// - Parameters:
    ///   - path: The SQLite file.
    ///   - model: The model of the store; nil for the model that it has.
    ///   - changes: The change log for the changes of a migration; nil to write none.
    ///   - files: The paths of files that must not be overwritten.
    ///   - willMigrate: Called with the planned migration. If it throws, the store is not changed.
    /// - Returns: The store.
    /// - Throws: `StoreError`, `DatabaseError`, ``Failure``, and the errors of `willMigrate`.
    static func open(
        _ path: String,
        model: Model?,
        changes: ChangeLog? = nil,
        sparing files: [String] = [],
        willMigrate: (Migration) throws -> Void = { _ in }
    ) throws -> Store {
        var done: Migration?
        func migrate(_ store: Store, to model: Model) throws -> Store {
            try store.migrate(to: model, environment: .live) { migration in
                try willMigrate(migration)
                done = migration
            }
        }
        let store = try withHint(model: model) {
            try Store.open(at: path, model: model) { store, model in
                guard let changes else { return try migrate(store, to: model) }
                return try changes.recording(store, sparing: files) {
                    try migrate(store, to: model)
                }
            }
        }
        if let done { Console.log(MigrationPrinter.line(done, store: path)) }
        return store
    }

    /// Adds a hint to the error for a missing store if no model is given.
    private static func withHint(
        model: Model?,
        _ body: () throws -> Store
    ) throws -> Store {
        do {
            return try body()
        } catch var error as StoreError where error.code == .notFound && model == nil {
            error.hint =
                "Create it with --model PATH; `tidemark model infer` writes a model from samples."
            throw error
        }
    }

    /// Opens a temporary copy of the store for a dry run.
    ///
    /// If the store does not exist, an in-memory store is used.
    func openForDryRun() throws -> Store {
        try Self.copy(store.path(), model: loadedModel())
    }

    /// Returns a temporary copy of a store, migrated to a model.
    ///
    /// If the store does not exist, returns an in-memory store.
    ///
    /// `check` is called with the copy before it is migrated.
    static func copy(
        _ path: String,
        model: Model?,
        check: (Store) throws -> Void = { _ in },
        willMigrate: (Migration) throws -> Void = { _ in }
    ) throws -> Store {
        if let model, !FileManager.default.fileExists(atPath: path) {
            return try Store.inMemory(model: model)
        }
        let copy = try withHint(model: model) {
            try Store.openReadOnly(at: path).temporaryCopy()
        }
        try check(copy)
        guard let model, model != copy.model else { return copy }
        var migration: Migration?
        let migrated = try copy.migrate(to: model) {
            try willMigrate($0)
            migration = $0
        }
        if let migration {
            Console.log(MigrationPrinter.line(migration, store: path, isDryRun: true))
        }
        return migrated
    }

    private func loadedModel() throws -> Model? {
        try model.map(ModelFile.load)
    }
}
