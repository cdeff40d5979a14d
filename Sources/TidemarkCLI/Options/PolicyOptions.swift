import ArgumentParser
import TidemarkImport

/// The options for references and values that cannot be stored.
struct PolicyOptions: ParsableArguments {
    @Option(help: "What happens to references to rows that are not stored.")
    var unresolved = ImportOptions().unresolved

    @Option(
        help: ArgumentHelp(
            "What happens to values that do not convert or violate a rule of the model.",
            discussion: """
                skip omits such a value, and a row that violates a rule; null and default store \
                another value; skip-row omits the row; abort ends the import.
                """
        )
    )
    var invalid = ImportOptions().invalid

    @Flag(help: "Show the invalid or differing values.")
    var showValues = false

    /// Returns the options of an import.
    func importOptions(operations: ImportOperations? = nil) -> ImportOptions {
        var options = ImportOptions(
            operations: operations,
            unresolved: unresolved,
            invalid: invalid
        )
        options.showsValues = showValues
        return options
    }
}
