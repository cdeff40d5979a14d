import ArgumentParser
import TidemarkImport
import TidemarkStore

/// The options for the stored rows that a document replaces.
struct ImportScopeOptions: ParsableArguments {
    @OptionGroup var rows: PredicateOptions

    @Option(help: "The row whose children the document lists.")
    var parent: RecordLocator?

    @Option(help: "The parent's relationship, if several lead to the entity.")
    var relationship: String?

    func validate() throws {
        guard relationship == nil || parent != nil else {
            throw ValidationError("--relationship goes with --parent.")
        }
        guard parent == nil || rows.where == nil else {
            throw ValidationError("Use --where or --parent, not both.")
        }
    }

    /// Returns the set of stored rows that the document replaces.
    func scope() throws -> ImportScope {
        if let parent { return .children(of: parent, relationship: relationship) }
        return try rows.predicate().map { .rows(where: $0) } ?? .entity
    }
}
