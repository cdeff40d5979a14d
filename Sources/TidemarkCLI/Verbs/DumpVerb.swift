import ArgumentParser
import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The verb `tidemark dump`.
struct DumpVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Print the whole store as one JSON document.",
        discussion: "Two stores with the same dump have the same contents."
    )

    @OptionGroup var store: StoreOptions

    @Option(help: "Only the rows of this entity.")
    var entity: String?

    @OptionGroup var output: JSONOutputOptions

    func run() throws {
        let store = try store.openForReading()
        var writer = JSONWriter()
        let problem = try store.reader.read { db in
            try StoreError.ofInvalidValue {
                try StoreDump(store).write(db, entity: entity, into: &writer) { writer in
                    try Console.flush(&writer)
                }
            }
        }
        try Console.end(&writer)
        if let problem { throw problem }
    }
}
