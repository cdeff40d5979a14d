import ArgumentParser
import Foundation
import TidemarkModel
import TidemarkStore
import TidemarkSync

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
        throw Failure(.usage, "No store is named. Use --store PATH, or set TIDEMARK_STORE.")
    }

    /// The paths of the store, and of the configuration where it names the store.
    func files() throws -> [String] {
        let isGiven = (store ?? Self.inEnvironment) != nil
        return try [path()] + (isGiven ? [] : [ConfigurationFile.usualName])
    }

    /// What a suggested command needs to find the same store.
    var arguments: StoreArguments { StoreArguments(store: store) }

    /// The store that the environment names, if it names one.
    static var inEnvironment: String? {
        let store = ProcessInfo.processInfo.environment["TIDEMARK_STORE"] ?? ""
        return store.isEmpty ? nil : store
    }

    /// Opens a store that exists, for writing.
    func open() throws -> Store {
        let path = try path()
        // Without a model none is created: the error should not ask for one.
        guard FileManager.default.fileExists(atPath: path) else { return try openForReading() }
        return try Store.open(at: path)
    }

    /// Opens a store that exists, and changes nothing.
    func openForReading() throws -> Store {
        try Store.openReadOnly(at: path())
    }
}

/// Which store a verb works on, and the model to make it with.
struct CreatableStoreOptions: ParsableArguments {
    @OptionGroup var store: StoreOptions

    @Option(
        help: ArgumentHelp(
            "The model of the store: .xcdatamodeld, .xcdatamodel, YAML or JSON.",
            discussion: """
                A store remembers its model, so only the command that makes it needs one. A store \
                with another model is migrated.
                """,
            valueName: "path"
        )
    )
    var model: String?

    /// The paths of the files that are read, and that of the store.
    func files() throws -> [String] { try store.files() + [model].compactMap(\.self) }

    /// Opens the store, or makes it.
    func open() throws -> Store {
        try Self.open(store.path(), loadedModel())
    }

    /// Opens the store, or makes it, and writes what a migration changes.
    ///
    /// - Parameters:
    ///   - changes: Where the changes of a migration are written.
    ///   - document: The path of another file that is read.
    /// - Returns: The store.
    /// - Throws: ``Failure``, `StoreError`, `ModelError`, `DatabaseError`.
    func open(_ changes: ChangeLog, sparing document: String) throws -> Store {
        try Self.open(
            store.path(),
            loadedModel(),
            changes: changes,
            sparing: [document] + files()
        )
    }

    /// Opens or makes a store, and says so where it is migrated, unless that is refused.
    ///
    /// - Parameters:
    ///   - path: The SQLite file.
    ///   - model: What the store is to hold; nil for the model that it has.
    ///   - changes: Where the changes of a migration are written; nil for nowhere.
    ///   - files: The paths of files that must not be overwritten.
    ///   - willMigrate: Called with what a migration will do; nothing is done when it throws.
    /// - Returns: The store.
    /// - Throws: `StoreError`, `DatabaseError`, ``Failure``, and what `willMigrate` throws.
    static func open(
        _ path: String,
        _ model: Model?,
        changes: ChangeLog? = nil,
        sparing files: [String] = [],
        willMigrate: (Migration) throws -> Void = { _ in }
    ) throws -> Store {
        var done: Migration?
        func migrate(_ store: Store, _ model: Model) throws -> Store {
            try store.migrated(to: model, environment: .live) { migration in
                try willMigrate(migration)
                done = migration
            }
        }
        let store = try withHint(path, model) {
            try Store.open(at: path, model: model) { store, model in
                guard let changes else { return try migrate(store, model) }
                return try changes.recording(store, sparing: files) { try migrate(store, model) }
            }
        }
        if let done { Console.note(MigrationPrinter.line(done, path)) }
        return store
    }

    /// Says how a store is created, where it does not exist and no model is given.
    private static func withHint(
        _ path: String,
        _ model: Model?,
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

    /// Opens a copy of the store, in which a dry run may do everything; a store in memory is used
    /// for one that does not exist.
    func openForDryRun() throws -> Store {
        try Self.copy(store.path(), loadedModel())
    }

    /// A copy of a store, as if it had the model; one in memory where there is none.
    ///
    /// The store that is there is checked before anything is made of it.
    static func copy(
        _ path: String,
        _ model: Model?,
        check: (Store) throws -> Void = { _ in },
        willMigrate: (Migration) throws -> Void = { _ in }
    ) throws -> Store {
        if let model, !FileManager.default.fileExists(atPath: path) {
            return try Store.inMemory(model: model)
        }
        let copy = try withHint(path, model) {
            try Store.openReadOnly(at: path).temporaryCopy()
        }
        try check(copy)
        guard let model, model != copy.model else { return copy }
        var migration: Migration?
        let migrated = try copy.migrated(to: model) {
            try willMigrate($0)
            migration = $0
        }
        if let migration { Console.note(MigrationPrinter.line(migration, path, isDryRun: true)) }
        return migrated
    }

    private func loadedModel() throws -> Model? {
        try model.map(ModelFile.load)
    }
}
