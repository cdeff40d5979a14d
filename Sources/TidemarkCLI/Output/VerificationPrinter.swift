import Foundation
import TidemarkModel
import TidemarkStore
import TidemarkSync

/// Prints the differences between a store and its service.
struct VerificationPrinter {
    private let output: OutputOptions
    private let layout: StoreLayout
    private let showsValues: Bool

    init(_ output: OutputOptions, layout: StoreLayout, showsValues: Bool) {
        self.output = output
        self.layout = layout
        self.showsValues = showsValues
    }

    /// Prints a verification.
    ///
    /// - Parameters:
    ///   - verification: The verification.
    ///   - changes: The number of local changes that were not pushed.
    ///   - arguments: The arguments that suggested commands need to find the store.
    /// - Throws: ``Failure`` if standard output cannot be written.
    func print(
        _ verification: SyncVerification,
        localChanges changes: Int,
        arguments: StoreArguments
    ) throws {
        UnrecordedText.log(verification.unrecorded, of: arguments)
        let rows = try verification.differences.rows.map(row)
        let unpushed = try verification.changedOnBothSides.rows.map(row)
        try output.print(Document(verification, rows: rows, unpushed: unpushed)) {
            try printText(verification, rows: rows, unpushed: unpushed, changes)
        }
    }

    private func printText(
        _ verification: SyncVerification,
        rows: [Row],
        unpushed: [Row],
        _ changes: Int
    ) throws {
        try printLines(of: rows, outOf: verification.differences)
        if !unpushed.isEmpty {
            try Console.line("Rows with local changes, which the service has changed, too:")
            try printLines(of: unpushed, outOf: verification.changedOnBothSides)
        }
        for line in Self.lines(verification.unconfirmed) { try Console.line(line) }
        for link in verification.missingLinks {
            try Console.line("\(link.row) lacks \(link.relationship), which the model requires.")
        }
        ReportPrinter(output).log(verification.invalid)
        let resources = verification.report.resources
        let names = ResourceNames(resources.mapValues(\.entity))
        for path in names.sortedPaths {
            guard let end = resources[path]?.unprovenEnd else { continue }
            try Console.line("\(names.name(of: path)): \(StatusPrinter.sentence(end))")
        }
        guard verification.matches else { return }
        let exception =
            changes == 0
            ? "" : ", apart from \(changes.counted("local change")) that the service does not have"
        let extent =
            resources.values.contains { $0.unprovenEnd != nil } ? " as far as it is known" : ""
        try Console.line("The store matches the service\(extent)\(exception).")
    }

    /// Returns a line for each change that the service has accepted and not taken, or not shown.
    private static func lines(_ changes: [UnconfirmedChange]) -> [String] {
        changes.compactMap { change in
            let accepted = "\(change.row): the service has accepted a change, and "
            let names = change.properties.joined(separator: ", ")
            return switch change.outcome {
            case .taken: nil
            case .notTaken where names.isEmpty: accepted + "not done it."
            case .notTaken: accepted + "kept its own value of \(names)."
            case .notShown: accepted + "does not show it yet."
            }
        }
    }

    private func printLines(of rows: [Row], outOf differences: StoreDifferences) throws {
        for row in rows { try Console.line(row.line) }
        let rest = differences.count - rows.count
        if rest > 0 { try Console.line("… and \(rest) more.") }
    }

    // MARK: Rows

    /// A differing row in JSON output.
    private struct Row: Encodable {
        enum Difference: String, Encodable {
            case missing, extra, different
        }

        let entity: String
        let key: String?
        let ref: String
        let difference: Difference
        let properties: [String]
        let here: [String: String]?
        let there: [String: String]?

        var line: String {
            let name = key.map { "\(entity):\($0)" } ?? ref
            switch difference {
            case .missing: return "\(name) is missing here."
            case .extra: return "\(name) is not at the service."
            case .different:
                let parts = properties.map { property in
                    guard let here, let there else { return property }
                    return
                        "\(property) (\(VerificationPrinter.shown(here[property], default: "no value")) here, "
                        + "\(VerificationPrinter.shown(there[property], default: "no valid value")) at the service)"
                }
                return "\(name) differs in \(parts.joined(separator: ", "))."
            }
        }
    }

    private static func shown(_ value: String?, default none: String) -> String {
        value.flatMap { $0.isEmpty ? nil : $0 } ?? none
    }

    private func row(_ difference: RowDifference) throws -> Row {
        let entity = try layout.entity(difference.row.entity)
        let isDifferent = difference.stored != nil && difference.other != nil
        return Row(
            entity: entity.name,
            key: difference.key?.text,
            ref: difference.row.description,
            difference: isDifferent ? .different : difference.stored == nil ? .missing : .extra,
            properties: difference.properties,
            here: isDifferent ? values(of: difference.properties, in: difference.stored) : nil,
            there: isDifferent ? values(of: difference.properties, in: difference.other) : nil
        )
    }

    private func values(of properties: [String], in record: StoredRecord?) -> [String: String]? {
        guard showsValues, let record else { return nil }
        let texts = properties.map { property in
            let links = record.links[property]?.map(\.description).joined(separator: " ")
            return (property, links ?? RecordCells.text(record[property]))
        }
        return Dictionary(texts) { first, _ in first }
    }

    // MARK: JSON

    /// The verification in JSON.
    private struct Document: Encodable {
        let comparison: Comparison
        let lists: Lists

        init(_ verification: SyncVerification, rows: [Row], unpushed: [Row]) {
            comparison = Comparison(verification, rows: rows, unpushed: unpushed)
            lists = Lists(verification.report)
        }

        func encode(to encoder: any Encoder) throws {
            try comparison.encode(to: encoder)
            try lists.encode(to: encoder)
        }
    }

    /// The lists that prove nothing about rows which they lack, and those whose ends are not
    /// proved, in JSON.
    private struct Lists: Encodable {
        let incomplete: [String]
        let unprovenEnds: [String: String]

        init(_ report: SyncReport) {
            incomplete = report.resources.filter { !$0.value.isComplete }.keys.sorted()
            unprovenEnds = report.resources.compactMapValues { resource in
                resource.unprovenEnd.map { "\($0)" }
            }
        }
    }

    /// The rows that differ, in JSON.
    private struct Comparison: Encodable {
        struct Counts: Encodable {
            let missing: Int
            let extra: Int
            let different: Int
        }

        let matches: Bool
        let entities: [String: Counts]
        let rows: [Row]
        let rowsOmitted: Int
        let unpushed: [Row]
        let unpushedOmitted: Int
        let missingLinks: [Missing]
        let skippedEntities: [String]
        let invalid: [Diagnostic]
        let unconfirmed: [Unconfirmed]
        let unrecorded: UnrecordedText?

        struct Unconfirmed: Encodable {
            let ref: String
            let outcome: String
            let properties: [String]
        }

        struct Missing: Encodable {
            let ref: String
            let relationship: String
        }

        init(_ verification: SyncVerification, rows: [Row], unpushed: [Row]) {
            matches = verification.matches
            entities = verification.differences.counts.mapValues {
                Counts(missing: $0.onlyOther, extra: $0.onlyStored, different: $0.differing)
            }
            self.rows = rows
            rowsOmitted = verification.differences.count - rows.count
            self.unpushed = unpushed
            unpushedOmitted = verification.changedOnBothSides.count - unpushed.count
            missingLinks = verification.missingLinks.map {
                Missing(ref: "\($0.row)", relationship: $0.relationship)
            }
            skippedEntities = verification.skippedEntities
            invalid = verification.invalid
            unconfirmed = verification.unconfirmed.map {
                Unconfirmed(
                    ref: "\($0.row)",
                    outcome: $0.outcome.rawValue,
                    properties: $0.properties
                )
            }
            unrecorded = verification.unrecorded.map { UnrecordedText($0) }
        }
    }
}
