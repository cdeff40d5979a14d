import ArgumentParser
import GRDB
import TidemarkImport
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

            With --from-service, a row that has the key already is updated.
            """
    )

    @Argument(help: "The row's entity.")
    var entity: String

    @OptionGroup var row: RowOptions

    @OptionGroup var origin: OriginOptions

    @OptionGroup var store: CreatableStoreOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        let options = store.store
        let store = try store.open()
        let layout = try store.layout.entity(entity)
        let values = try row.parsedValues(layout)
        let links = try row.parsedLinks()
        let reference: RowReference
        switch origin.origin {
        case .local:
            reference = try store.write { db in
                try db.insert(entity, values: values, links: links)
            }
            try output.logMirror(store)
        case .service:
            let importer = try origin.importer(store, options)
            let written = try store.write { db in
                try importer.write(db.db, values: values, links: links, to: .object(of: entity))
            }
            guard let written else {
                throw Failure(
                    .notAllowed,
                    "The \(entity) was deleted here, and that is not pushed yet: nothing was stored."
                )
            }
            reference = written.reference
        }
        try output.print(["ref": reference.description]) {
            try Console.line(reference.description)
        }
    }
}
