import ArgumentParser
import Foundation
import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The verb `tidemark export`.
struct ExportVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print rows as the service's JSON."
    )

    @Argument(help: "An entity for a list of its rows, or a row for one object.")
    var subject: String

    @OptionGroup var store: StoreOptions

    @OptionGroup var rows: PredicateOptions

    @Option(help: "The case of JSON keys.")
    var keys = ExportOptions.Keys.snake

    @Option(help: "The representation of relationships.")
    var relationships = ExportOptions.Relationships.objects

    @Option(help: ArgumentHelp("The properties to print; all if omitted.", valueName: "names"))
    var only: String?

    @Option(help: ArgumentHelp("A Unicode date pattern.", valueName: "pattern"))
    var dateFormat: String?

    @Option(help: ArgumentHelp("The time zone of dates.", valueName: "name"))
    var timeZone = "UTC"

    @OptionGroup var output: JSONOutputOptions

    func validate() throws {
        if isRow, rows.where != nil {
            throw ValidationError("--where goes with an entity, not with one row.")
        }
    }

    private var isRow: Bool { subject.contains { $0 == "#" || $0 == ":" } }

    func run() throws {
        guard let zone = TimeZone(identifier: timeZone) else {
            throw Failure(.usage, "There is no time zone \(timeZone). Try Europe/Madrid or UTC.")
        }
        let store = try store.openForReading()
        let options = ExportOptions(
            keys: keys,
            relationships: relationships,
            dateFormat: try dateFormat.map { try DateFormat($0) },
            timeZone: zone
        )
        let exporter = Exporter(store, options: options)
        let predicate = try rows.predicate()
        let properties = only.map { Set($0.split(separator: ",").map(String.init)) }
        var writer = JSONWriter()
        try store.reader.read { db in
            if isRow {
                try exporter.write(db, RecordLocator(subject), only: properties, into: &writer)
            } else {
                let request = RecordRequest(subject, where: predicate)
                try exporter.write(db, request, only: properties, into: &writer) { writer in
                    try Console.flush(&writer)
                }
            }
        }
        try Console.end(&writer)
    }
}
