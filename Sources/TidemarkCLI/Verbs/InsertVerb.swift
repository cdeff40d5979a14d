import ArgumentParser
import GRDB
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The verb `tidemark insert`.
struct InsertVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insert",
        abstract: "Insert a row, and print its record locator.",
        discussion: """
            Typed values are written {"$date": "2014-02-14T00:00:00Z"}, {"$decimal": "12.2"}, {"$uuid": …}, \
            {"$url": …}, {"$binary": base64}.
            """
    )

    @Argument(help: "The row's entity.")
    var entity: String

    @OptionGroup var row: RowOptions

    @OptionGroup var store: CreatableStoreOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        let store = try store.open()
        let layout = try store.layout.entity(entity)
        let values = try row.parsedValues(layout)
        let links = try row.parsedLinks()
        let reference = try store.write { db in
            try db.insert(entity, values: values, links: links)
        }
        try output.logMirror(store)
        try output.print(["ref": reference.description]) {
            try Console.line(reference.description)
        }
    }
}
