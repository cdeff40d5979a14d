import Foundation
import TidemarkImport
import TidemarkModel
import TidemarkSync

/// Prints what a pull did.
struct PullPrinter {
    private let output: OutputOptions

    init(_ output: OutputOptions) {
        self.output = output
    }

    func print(_ report: SyncReport) throws {
        switch output.format {
        case .text: try printText(report)
        case .json: try printJSON(report)
        }
    }

    private func printText(_ report: SyncReport) throws {
        try Console.result(Self.table(report).description)
        try Console.result(Self.cost(report))
        if report.waiting > 0 {
            try Console.result("\(report.waiting) references wait for rows that are not here.")
        }
        for sweep in report.parked { try Console.result(Self.sentence(sweep)) }
        guard !output.quiet else { return }
        for (path, resource) in report.resources.sorted(by: { $0.key < $1.key }) {
            if let remark = Self.remark(resource.ending) { Console.note("\(path) \(remark)") }
            if resource.isFlushed { Console.note("\(path) had been emptied: all was read anew.") }
        }
        ReportPrinter(output).note(report.total)
    }

    private static func remark(_ ending: SyncReport.Ending) -> String? {
        switch ending {
        case .unchanged, .complete: nil
        case .drifted: "moved between pages while it was read; nothing of it was deleted."
        case .failed: "was not pulled to its end; nothing of it was deleted."
        }
    }

    /// What there is to decide, and how.
    static func sentence(_ sweep: ParkedSweep) -> String {
        "\(sweep.resource) no longer lists \(sweep.rows) of \(sweep.total) rows. They stay until you "
            + "say `tidemark sweeps accept \(sweep.resource)` or `… discard \(sweep.resource)`."
    }

    /// What there is to decide, as programs read it.
    struct Sweep: Encodable {
        let resource: String
        let entity: String
        let rows: Int
        let total: Int

        init(_ sweep: ParkedSweep) {
            resource = sweep.resource
            entity = sweep.entity
            rows = sweep.rows
            total = sweep.total
        }
    }

    /// What became of each resource as a table.
    static func table(_ report: SyncReport) -> TextTable {
        var table = TextTable([
            "resource", "pages", "objects", "inserted", "updated", "unchanged", "deleted",
            "skipped",
        ])
        for (path, resource) in report.resources.sorted(by: { $0.key < $1.key }) {
            let counts = resource.imported.entities[resource.entity] ?? .init()
            table.add([
                path, "\(resource.pages)", "\(resource.items)", "\(counts.inserted)",
                "\(counts.updated)", "\(counts.unchanged)", "\(counts.deleted)",
                "\(counts.skipped)",
            ])
        }
        return table
    }

    /// What a pull cost, in a sentence.
    static func cost(_ report: SyncReport) -> String {
        let items = report.resources.values.map(\.items).reduce(0, +)
        return "\(report.requests) requests, \(report.bytes >> 10) KiB, \(items) rows read."
    }

    private func printJSON(_ report: SyncReport) throws {
        let document = Document(report)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try Console.result(String(decoding: encoder.encode(document), as: UTF8.self))
    }

    /// Prints what there is to decide, as programs read it.
    func print(_ parked: [ParkedSweep]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let document = try encoder.encode(parked.map(Sweep.init))
        try Console.result(String(decoding: document, as: UTF8.self))
    }

    /// The report as programs read it.
    private struct Document: Encodable {
        let resources: [String: Resource]
        let entities: [String: ImportReport.Counts]
        let waiting: Int
        let diagnostics: [Diagnostic]
        let diagnosticsOmitted: Int
        let requests: Int
        let bytes: Int
        let isComplete: Bool
        let parked: [Sweep]

        struct Resource: Encodable {
            let entity: String
            let ending: String
            let pages: Int
            let unchangedPages: Int
            let objects: Int
            let failure: String?
        }

        init(_ report: SyncReport) {
            let total = report.total
            resources = report.resources.mapValues {
                Resource(
                    entity: $0.entity,
                    ending: $0.ending.rawValue,
                    pages: $0.pages,
                    unchangedPages: $0.unchangedPages,
                    objects: $0.items,
                    failure: $0.failure.map { "\($0)" }
                )
            }
            entities = total.entities
            waiting = report.waiting
            diagnostics = total.diagnostics
            diagnosticsOmitted = total.diagnosticsOmitted
            requests = report.requests
            bytes = report.bytes
            isComplete = report.isComplete
            parked = report.parked.map(Sweep.init)
        }
    }
}
