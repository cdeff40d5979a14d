import ArgumentParser
import TidemarkImport
import TidemarkStore

/// The option for what the service itself has sent.
struct OriginOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Store it as a pull would, as the service's own state.",
            discussion: """
                In a store that pushes, every other write is a local change, which the next push sends. \
                The policies of the tidemark.yml that names the store decide conflicts with local changes.
                """
        )
    )
    var fromService = false

    var origin: ImportOrigin { fromService ? .service : .local }

    /// Returns an importer, which decides conflicts by the configuration that names the store.
    ///
    /// - Parameters:
    ///   - store: The opened store.
    ///   - options: The options that name it.
    /// - Returns: The importer.
    /// - Throws: ``Failure`` if the configuration is invalid.
    func importer(_ store: Store, _ options: StoreOptions) throws -> Importer {
        guard fromService,
            let configuration = try ConfigurationFile.inCurrentFolder()?.configuration,
            try configuration.store == options.path(), let conflicts = configuration.conflicts
        else { return Importer(store) }
        return Importer(store, conflicts: try conflicts.policies(for: store.model))
    }
}
