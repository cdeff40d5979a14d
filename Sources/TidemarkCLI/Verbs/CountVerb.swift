import ArgumentParser
import GRDB
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The verb `tidemark count`.
struct CountVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count",
        abstract: "Count the rows of an entity."
    )

    @Argument(help: "The entity; rows of entities that inherit from it count too.")
    var entity: String

    @OptionGroup var store: StoreOptions

    @OptionGroup var rows: PredicateOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        let store = try store.openForReading()
        let request = RecordRequest(entity, where: try rows.predicate())
        let count = try store.read { db in try db.count(request) }
        try output.print(["count": count]) { try Console.line("\(count)") }
    }
}
