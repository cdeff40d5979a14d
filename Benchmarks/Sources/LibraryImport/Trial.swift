import Foundation
import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// Imports of a document into a store, by one library call or by several.
struct Trial {
    private let document: String
    private let path: String
    private let store: Store
    private let opening: Double

    init(_ arguments: [String]) throws {
        document = arguments[1]
        path = arguments[2]
        let stopwatch = Stopwatch()
        store = try Store.open(at: path, model: Self.model(arguments))
        opening = stopwatch.seconds
    }

    private static func model(_ arguments: [String]) throws -> Model {
        let text = try Data(contentsOf: URL(fileURLWithPath: arguments[3]))
        return try JSONDecoder().decode(Model.self, from: text)
    }

    /// Imports into another store first, so that the process is warm.
    ///
    /// The first import in a process has costs that do not depend on the document, such as metadata
    /// that Swift creates lazily.
    static func warmUp(_ arguments: [String]) throws {
        let importer = try Importer(Store.inMemory(model: model(arguments)))
        for document in [#"[{"id":1,"notes":[{"id":1}],"manager_id":1}]"#, "[]"] {
            var items = try JSONDocument(Array(document.utf8)).items()
            _ = try importer.import(&items, into: "User")
        }
    }

    /// Measures scanning the bytes alone.
    static func scan(_ document: String) throws -> [String: Double] {
        var items = try openItems(document)
        let stopwatch = Stopwatch()
        while try items.next({ _ in }) {}
        return ["seconds": stopwatch.seconds]
    }

    /// Measures an import in one transaction.
    func importDocument() throws -> [String: Double] {
        var items = try openItems(document)
        let stopwatch = Stopwatch()
        let report = try Importer(store).import(&items, into: "User")
        return measurements(report, stopwatch.seconds)
    }

    /// Measures an import in transactions of about 10,000 rows: each user has two notes.
    func importInSession() throws -> [String: Double] {
        let importer = Importer(store)
        let session = ImportSession("users", into: "User")
        let items = try openItems(document)
        let stopwatch = Stopwatch()
        var report = ImportReport()
        try store.writer.write { db in try importer.begin(db, session) }
        while true {
            var batch = ItemBatch(items, limit: 3_333)
            report.add(
                try store.write(durability: .relaxed) {
                    try importer.apply($0.db, &batch, of: session)
                }
            )
            if batch.count < batch.limit { break }
        }
        report.add(try store.writer.write { db in try importer.finish(db, session) })
        try store.checkpoint()
        return measurements(report, stopwatch.seconds)
    }

    /// Measures an import in one transaction while another connection looks up users.
    func importWithConcurrentReader() throws -> [String: Double] {
        let reader = PointReader(path)
        let thread = Thread { reader.run() }
        thread.start()
        var measurements = try importDocument()
        let waits = reader.stop()
        measurements["reads"] = Double(waits.count)
        measurements["readP50"] = waits.percentile(0.5)
        measurements["readP99"] = waits.percentile(0.99)
        measurements["readWorst"] = waits.max() ?? 0
        return measurements
    }

    private func measurements(_ report: ImportReport, _ seconds: Double) -> [String: Double] {
        let counts = report.entities.values
        return [
            "seconds": seconds,
            "opening": opening,
            "inserted": Double(counts.reduce(0) { $0 + $1.inserted }),
            "updated": Double(counts.reduce(0) { $0 + $1.updated }),
            "unchanged": Double(counts.reduce(0) { $0 + $1.unchanged }),
            "deleted": Double(counts.reduce(0) { $0 + $1.deleted }),
        ]
    }
}
