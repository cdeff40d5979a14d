import ArgumentParser

/// Where a verb writes which rows it changed.
struct ChangeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write a JSON line for each changed row to this file, or to standard output with -.",
            discussion: """
                {"change":"insert|update|delete","entity":…,"row":…,"key":…,"properties":[…]}, after \
                the commit that changed it. With - the report goes to standard error.
                """,
            valueName: "file|-"
        )
    )
    var changes: String?

    /// Rejects the option in a run that commits nothing.
    func validate(isDryRun: Bool) throws {
        guard changes != nil, isDryRun else { return }
        throw ValidationError(
            "--changes reports what was committed, and --dry-run commits nothing."
        )
    }

    /// Opens what the changes are written to, before the verb does anything else.
    ///
    /// - Throws: ``Failure`` where it cannot be written.
    func open() throws -> ChangeLog {
        try ChangeLog(changes)
    }
}
