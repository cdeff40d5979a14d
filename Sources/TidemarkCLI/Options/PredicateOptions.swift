import ArgumentParser
import TidemarkStore

/// Which stored rows a verb is about.
struct PredicateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only the rows that this holds for.",
            discussion: """
                In NSPredicate's language: "age > 30 AND name BEGINSWITH[c] 'a'", \
                "company.name = 'Acme'", "ANY notes.text CONTAINS 'x'".
                """,
            valueName: "predicate"
        )
    )
    var `where`: String?

    /// The predicate, if there is one.
    func predicate() throws -> RecordPredicate? {
        try `where`.map { try RecordPredicate($0) }
    }
}
