import ArgumentParser
import TidemarkStore

/// The option that selects stored rows by a predicate.
struct PredicateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only the rows that match a predicate.",
            discussion: """
                In the language of NSPredicate: "age > 30 AND name BEGINSWITH[c] 'a'", \
                "company.name = 'Acme'", "ANY notes.text CONTAINS 'x'".
                """,
            valueName: "predicate"
        )
    )
    var `where`: String?

    /// Returns the parsed predicate, or nil if the option is not used.
    func predicate() throws -> RecordPredicate? {
        try `where`.map { try RecordPredicate($0) }
    }
}
