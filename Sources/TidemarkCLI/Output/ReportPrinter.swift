import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkStore

/// Prints the report of an import.
struct ReportPrinter {
    private let output: OutputOptions

    init(_ output: OutputOptions) {
        self.output = output
    }

    /// Prints a report.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - store: The store whose unresolved references are listed; nil to list none, as after a
    ///     dry run.
    /// - Throws: `DatabaseError`; ``Failure`` if the report cannot be written.
    func print(_ report: ImportReport, of store: Store? = nil) throws {
        try output.print(report) { try printText(report, of: store) }
    }

    private func printText(_ report: ImportReport, of store: Store?) throws {
        guard !output.quiet else { return log(report) }
        try Console.lines(Self.table(report).description)
        if report.unresolvedReferenceCount > 0 {
            try Console.line(
                "\(report.unresolvedReferenceCount.counted("reference")) could not be linked."
                    + (store.map(Self.unresolvedReferences) ?? "")
            )
        }
        log(report)
    }

    /// Returns the unresolved references in a store by relationship, the most frequent first.
    private static func unresolvedReferences(_ store: Store) throws -> String {
        let counts = try store.read { db in try db.unresolvedReferenceCounts() }
            .sorted { $0.count > $1.count }
        guard !counts.isEmpty else { return "" }
        let names = counts.prefix(shownRelationships).map { relationship, count in
            "\(count) of \(relationship.identifier) to \(relationship.relationship.destination)"
        }
        let rest = counts.count > shownRelationships ? ["…"] : []
        return " Unresolved: \((names + rest).joined(separator: ", "))."
    }

    private static let shownRelationships = 5

    /// Prints the diagnostics of a report on standard error, except those that `--quiet`
    /// suppresses.
    func log(_ report: ImportReport) {
        let printed = report.diagnostics.filter(isPrinted)
        log(Array(printed.prefix(Self.shownFindings)))
        let rest = max(0, printed.count - Self.shownFindings) + report.diagnosticsOmitted
        if rest > 0 {
            Console.log("… and \(rest) more kinds of findings; --format json shows them.")
        }
    }

    /// Prints diagnostics on standard error, one per line, except those that `--quiet` suppresses.
    func log(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics where isPrinted(diagnostic) {
            Console.log(Self.sentence(diagnostic))
        }
    }

    /// Returns whether a diagnostic is printed.
    ///
    /// With `--quiet`, only data that was not stored is reported.
    private func isPrinted(_ diagnostic: Diagnostic) -> Bool {
        !output.quiet || diagnostic.severity == .error
    }

    private static let shownFindings = 20

    /// Returns the counts of each entity as a table.
    static func table(_ report: ImportReport) -> TextTable {
        var table = TextTable([
            "entity", "inserted", "updated", "unchanged", "deleted", "skipped",
        ])
        for (entity, counts) in report.entities.sorted(by: { $0.key < $1.key }) {
            table.add([
                entity, "\(counts.inserted)", "\(counts.updated)", "\(counts.unchanged)",
                "\(counts.deleted)", "\(counts.skipped)",
            ])
        }
        return table
    }

    private static func sentence(_ diagnostic: Diagnostic) -> String {
        let key = diagnostic.key.map { ":\($0)" } ?? ""
        let path = diagnostic.path.map { ", \($0)" } ?? ""
        let value = diagnostic.value.map { " (\($0))" } ?? ""
        let times = diagnostic.count > 1 ? " (\(diagnostic.count) times)" : ""
        return "\(diagnostic.entity)\(key)\(path): \(diagnostic.message)\(value)\(times)"
    }
}
