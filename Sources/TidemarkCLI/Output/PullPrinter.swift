import Foundation
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync

/// Prints the report of a pull.
struct PullPrinter {
    private let output: OutputOptions

    private let arguments: StoreArguments

    /// - Parameters:
    ///   - output: The output format.
    ///   - arguments: The arguments that suggested commands need to find the store.
    init(_ output: OutputOptions, arguments: StoreArguments = StoreArguments()) {
        self.output = output
        self.arguments = arguments
    }

    /// Prints the report of a pull.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - pushed: What the same run has pushed; nil for a pull alone.
    ///   - planned: The requests that a dry run would send; nil for a pull alone.
    /// - Throws: ``Failure`` if standard output cannot be written.
    func print(
        _ report: SyncReport,
        pushed: PushDocument? = nil,
        planned: [PlannedRequestPrinter.Entry]? = nil
    ) throws {
        try output.print(Document(report, pushed: pushed, planned: planned)) {
            try printText(report)
        }
    }

    /// Prints the report of a pull alone, with what it has decided about changes that were pushed
    /// before.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - plan: What was pulled.
    ///   - planned: The requests that a dry run would send; nil for a pull alone.
    ///   - isDryRun: Whether nothing was recorded.
    /// - Throws: ``Failure`` if standard output cannot be written; `DatabaseError`.
    func print(
        _ report: SyncReport,
        after plan: PullPlan,
        planned: [PlannedRequestPrinter.Entry]? = nil,
        isDryRun: Bool
    ) throws {
        guard try plan.store.read({ reader in try reader.recordsLocalChanges }) else {
            return try print(report, planned: planned)
        }
        try print(report, pushed: PushDocument(report.pushed), planned: planned)
        if output.format == .text, !output.quiet {
            let lines = PushPrinter.lines(unconfirmed: report.pushed.localChanges.unconfirmed)
            for line in lines { try Console.line(line) }
        }
        PushPrinter(output, plan).logNotTaken(report.pushed, isDryRun: isDryRun)
    }

    private func printText(_ report: SyncReport) throws {
        guard !output.quiet else { return ReportPrinter(output).log(report.total) }
        try Console.lines(Self.table(report).description)
        try Console.line(Self.cost(report))
        for references in report.unresolvedReferences { try Console.line("\(references)") }
        let names = Self.names(report)
        for path in names.sortedPaths {
            guard let resource = report.resources[path] else { continue }
            let name = names.name(of: path)
            for warning in resource.warnings { Console.log("\(name): \(warning.message)") }
            // The error that ends the pull says it of lists that lack objects.
            if !Self.lacksObjects(resource), let remark = Self.remark(resource) {
                Console.log("\(name) \(remark)")
            }
            if resource.wasReset {
                Console.log("\(name) had been emptied: the whole list was read again.")
            }
        }
        for deletion in report.pendingDeletions where deletion.isRejected {
            Console.log(DeletionPrinter.sentence(deletion, names: names, arguments: arguments))
        }
        ReportPrinter(output).log(report.total)
    }

    private static func names(_ report: SyncReport) -> ResourceNames {
        ResourceNames(report.resources.mapValues(\.entity))
    }

    private static func remark(_ resource: SyncReport.ResourceReport) -> String? {
        // If a resource consists of the lists of several parents, some of them may have been read
        // completely, and their unlisted rows deleted.
        let hasDeleted = resource.imported.entities[resource.entity]?.deleted ?? 0 > 0
        return switch resource.ending {
        case .unchanged, .complete: nil
        case .inconsistent:
            "moved between pages while it was read\(counts(resource))"
                + (hasDeleted ? "." : "; nothing of it was deleted.")
                + (lacksObjects(resource)
                    ? " If it is so in every pull, check pagination and base, or request a stable "
                        + "order." : "")
        case .unproven: resource.unprovenEnd.map { unproven($0, count: resource.items) }
        case .failed:
            "did not finish" + (hasDeleted ? "." : "; none of its rows were deleted.")
        }
    }

    /// Whether objects of a list may be missing here.
    private static func lacksObjects(_ resource: SyncReport.ResourceReport) -> Bool {
        switch resource.ending {
        case .unproven: true
        case .inconsistent: resource.total.map { $0 > resource.items } ?? false
        case .unchanged, .complete, .failed: false
        }
    }

    /// Returns a sentence, without its subject, about a list that may have more objects than were
    /// read.
    static func unproven(_ end: UnprovenEnd, count: Int) -> String {
        "may have more than the \(count.counted("object")) that were read: \(end). Nothing was "
            + "deleted. In a tidemark.yml, set pagination to the way in which the service pages its "
            + "lists, or to none if these are all objects."
    }

    /// Returns one sentence for each list of which objects may be missing here.
    static func unproven(_ report: SyncReport) -> [String] {
        let names = names(report)
        return names.sortedPaths.compactMap { path in
            guard let resource = report.resources[path], lacksObjects(resource) else { return nil }
            return remark(resource).map { "\(names.name(of: path)) \($0)" }
        }
    }

    /// Returns the number of objects that were read, if the service reports a different number.
    private static func counts(_ resource: SyncReport.ResourceReport) -> String {
        guard let total = resource.total, total != resource.items else { return "" }
        return resource.items < total
            ? " (\(resource.items) of \(total.counted("object")) read)"
            : " (\(resource.items.counted("object")) read, \(total) reported by the service)"
    }

    /// Returns one sentence for each list whose deletions await approval after a pull.
    static func pending(_ report: SyncReport, arguments: StoreArguments) -> [String] {
        report.pendingDeletions.filter { !$0.isRejected }.map {
            DeletionPrinter.sentence($0, names: names(report), arguments: arguments)
        }
    }

    /// Returns the outcome of each resource as a table.
    static func table(_ report: SyncReport) -> TextTable {
        var table = TextTable([
            "resource", "pages", "objects", "inserted", "updated", "unchanged", "deleted",
            "skipped",
        ])
        let names = names(report)
        let total = report.total.entities
        for path in names.sortedPaths {
            guard let resource = report.resources[path] else { continue }
            // Cascading deletions from other lists are counted here only if this is the only list
            // of its entity.
            let isAlone = names.path(of: resource.entity) == path
            var counts = resource.imported.entities[resource.entity] ?? .init()
            if isAlone { counts.deleted = total[resource.entity]?.deleted ?? 0 }
            table.add([
                names.name(of: path), "\(resource.pages)", "\(resource.items)",
                "\(counts.inserted)",
                "\(counts.updated)", "\(counts.unchanged)", "\(counts.deleted)",
                "\(counts.skipped)",
            ])
        }
        let listed = Set(report.resources.values.map(\.entity))
        for (entity, counts) in total.sorted(by: { $0.key < $1.key })
        where !listed.contains(entity)
            && counts.inserted + counts.updated + counts.deleted + counts.skipped > 0
        {
            table.add([
                entity, "", "", "\(counts.inserted)", "\(counts.updated)", "\(counts.unchanged)",
                "\(counts.deleted)", "\(counts.skipped)",
            ])
        }
        return table
    }

    /// Returns the cost of a pull as a sentence.
    static func cost(_ report: SyncReport) -> String {
        let items = report.resources.values.map(\.items).reduce(0, +)
        let requests = report.requests.counted("request")
        return "\(requests), \(report.bytes >> 10) KiB, \(items.counted("object")) read."
    }

    /// The report in JSON.
    private struct Document: Encodable {
        let resources: [String: Resource]
        let entities: [String: ImportReport.Counts]
        let unresolvedReferenceCount: Int
        let unresolved: [UnresolvedReferences]
        let diagnostics: [Diagnostic]
        let diagnosticsOmitted: Int
        let requests: Int
        let bytes: Int
        let isComplete: Bool
        let pendingDeletions: [ShownDeletion]
        let pushed: PushDocument?
        let plannedRequests: [PlannedRequestPrinter.Entry]?

        struct Resource: Encodable {
            let entity: String
            let ending: String
            let pages: Int
            let unchangedPages: Int
            let objects: Int
            let total: Int?
            let failure: String?
            let unprovenEnd: String?
            let warnings: [String]
        }

        init(
            _ report: SyncReport,
            pushed: PushDocument?,
            planned: [PlannedRequestPrinter.Entry]?
        ) {
            self.pushed = pushed
            plannedRequests = planned
            let total = report.total
            resources = report.resources.mapValues {
                Resource(
                    entity: $0.entity,
                    ending: $0.ending.rawValue,
                    pages: $0.pages,
                    unchangedPages: $0.unchangedPages,
                    objects: $0.items,
                    total: $0.total,
                    failure: $0.failure.map { "\($0)" },
                    unprovenEnd: $0.unprovenEnd.map { "\($0)" },
                    warnings: $0.warnings.map(\.message)
                )
            }
            entities = total.entities
            unresolvedReferenceCount = report.unresolvedReferenceCount
            unresolved = report.unresolvedReferences
            diagnostics = total.diagnostics
            diagnosticsOmitted = total.diagnosticsOmitted
            requests = report.requests
            bytes = report.bytes
            isComplete = report.isComplete
            pendingDeletions = report.pendingDeletions.map { ShownDeletion($0) }
        }
    }
}
