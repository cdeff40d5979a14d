import ArgumentParser

/// The option for the file to which a verb writes the rows that it changed.
struct ChangeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write a JSON line for each changed row to this file, or to standard output with -.",
            discussion: """
                {"change":"insert|update|delete", "entity":…, "row":…, "key":…, "properties":[…]}, written \
                after the commit. With -, the report goes to standard error.
                """,
            valueName: "file|-"
        )
    )
    var changes: String?

    /// Rejects the option in a dry run, which commits nothing.
    func validate(isDryRun: Bool) throws {
        guard changes != nil, isDryRun else { return }
        throw ValidationError(
            "--changes reports what was committed, and --dry-run commits nothing."
        )
    }

    /// Opens the change log.
    ///
    /// Called before the verb does anything else, so that an unwritable file is reported before any
    /// change.
    ///
    /// - Throws: ``Failure`` if the file cannot be written.
    func open() throws -> ChangeLog {
        try ChangeLog.writing(to: changes)
    }
}
