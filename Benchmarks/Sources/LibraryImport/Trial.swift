import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkStore

/// A document that is brought into a store by one library call or by several.
struct Trial {
    private let document: String
    private let path: String
    private let store: Store
    private let opening: Double

    init(_ arguments: [String]) throws {
        document = arguments[1]
        path = arguments[2]
        let watch = Stopwatch()
        let model = try JSONDecoder().decode(
            Model.self,
            from: Data(contentsOf: URL(fileURLWithPath: arguments[3]))
        )
        store = try Store.open(at: path, model: model)
        opening = watch.seconds
    }

    /// How long the bytes alone take.
    static func scan(_ document: String) throws -> [String: Double] {
        var items = try openItems(document)
        let watch = Stopwatch()
        while try items.next({ _ in }) {}
        return ["seconds": watch.seconds]
    }

    /// One transaction.
    func importDocument() throws -> [String: Double] {
        var items = try openItems(document)
        let watch = Stopwatch()
        let report = try Importer(store).import(&items, into: "User")
        return figures(report, watch.seconds)
    }

    /// Transactions of some 10,000 rows: a user comes with two notes.
    func walk() throws -> [String: Double] {
        let importer = Importer(store)
        let walk = Walk("users", into: "User")
        let items = try openItems(document)
        let watch = Stopwatch()
        var report = ImportReport()
        try store.writer.write { db in try importer.begin(db, walk) }
        while true {
            var portion = ItemPortion(items, limit: 3_333)
            report.add(try store.writer.write { try importer.apply($0, &portion, of: walk) })
            if portion.count < portion.limit { break }
        }
        report.add(try store.writer.write { db in try importer.finish(db, walk) })
        try store.truncateLog()
        return figures(report, watch.seconds)
    }

    /// One transaction, and meanwhile another connection that looks up one user after the other.
    func importBesideReader() throws -> [String: Double] {
        let reader = PointReader(path)
        let thread = Thread { reader.run() }
        thread.start()
        var figures = try importDocument()
        let waits = reader.stop()
        figures["reads"] = Double(waits.count)
        figures["readP50"] = waits.percentile(0.5)
        figures["readP99"] = waits.percentile(0.99)
        figures["readWorst"] = waits.max() ?? 0
        return figures
    }

    private func figures(_ report: ImportReport, _ seconds: Double) -> [String: Double] {
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
