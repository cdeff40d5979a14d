import Foundation
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync

/// Prints the sync status of a store.
struct StatusPrinter {
    private let output: OutputOptions
    private let arguments: StoreArguments

    /// - Parameters:
    ///   - output: The output format.
    ///   - arguments: The arguments that suggested commands need to find the store.
    init(_ output: OutputOptions, arguments: StoreArguments) {
        self.output = output
        self.arguments = arguments
    }

    func print(_ status: SyncStatus) throws {
        try output.print(Document(status)) { try printText(status) }
    }

    private func printText(_ status: SyncStatus) throws {
        guard let service = status.service else {
            return try Console.line(
                "The store belongs to no service: nothing was pulled into it."
            )
        }
        let account = status.account.map { " as \($0)" } ?? ""
        try Console.line("The store belongs to \(service)\(account).")
        if let running = status.running {
            try Console.line(
                "A run is active: process \(running.number) on \(running.host)."
            )
        }
        try Console.lines(Self.table(status).description)
        if let next = status.next { try Console.line("The next run begins \(Self.time(next)).") }
        let names = Self.names(status)
        for resource in status.resources {
            guard let failure = resource.failure else { continue }
            let success =
                resource.lastSuccess.map {
                    " The last pull without a failure was at \(Self.time($0))."
                }
                ?? ""
            try Console.line("\(names.name(of: resource.path)): \(failure)\(success)")
        }
        for resource in status.resources {
            guard let end = resource.unprovenEnd else { continue }
            try Console.line("\(names.name(of: resource.path)): \(Self.sentence(end))")
        }
        for changes in status.localChanges.unpushed {
            let next = changes.nextAttempt.map { ", next attempt at \(Self.time($0))" } ?? ""
            try Console.line(
                "\(changes.entity): \(changes.count.counted("local change")) "
                    + "\(changes.state.rawValue)\(next). See tidemark outbox list\(arguments.local)."
            )
        }
        for (entity, count) in status.localChanges.unconfirmed.sorted(by: { $0.key < $1.key }) {
            try Console.line(
                "\(entity): \(count.counted("row")) with changes that the service has accepted and "
                    + "not shown yet. The next sync shows what it has taken."
            )
        }
        for line in OutboxPrinter.lines(drafts: status.localChanges.drafts, of: arguments) {
            try Console.line(line)
        }
        if let edits = status.localChanges.unrecorded {
            try Console.line(UnrecordedText.sentence(edits, of: arguments))
        }
        for line in Self.formLines(status) { try Console.line(line) }
        for resource in status.resources where resource.versionsFail {
            try Console.line(
                "\(resource.path): the service finds versions outdated (ETag, If-Match) although objects "
                    + "are unchanged, as behind a proxy that changes them. Objects are read before they "
                    + "are changed instead."
            )
        }
        for relationship in status.unsentOrders {
            try Console.line(
                "The order of \(relationship) is not sent: the service shows the links with the other "
                    + "rows. If it accepts the list, set `links: \(relationship)` under push."
            )
        }
        for references in status.unresolvedReferences { try Console.line("\(references)") }
        for pending in status.pendingDeletions {
            try Console.line(DeletionPrinter.sentence(pending, names: names, arguments: arguments))
        }
        for pending in status.localChanges.pendingServiceDeletions {
            try Console.line(DeletionPrinter.sentence(pending, arguments: arguments))
        }
    }

    /// Returns what is not known about the end of a list.
    static func sentence(_ end: UnprovenEnd) -> String {
        switch end {
        case .assumed: "\(end). That they are all is assumed."
        case .suspected: "\(end), so there may be more objects; nothing is deleted."
        }
    }

    /// Returns a line for each entity whose values the service writes in forms of its own.
    private static func formLines(_ status: SyncStatus) -> [String] {
        var named: Set<String> = []
        return status.resources
            .filter { !$0.forms.isEmpty && named.insert($0.entity).inserted }
            .map { resource in
                let forms = resource.forms.sorted { $0.key < $1.key }
                    .map { "\($0.key) as \($0.value)" }.joined(separator: ", ")
                return "\(resource.entity): the service writes \(forms)."
            }
    }

    private static func table(_ status: SyncStatus) -> TextTable {
        var table = TextTable([
            "resource", "rows", "complete since", "last pull", "outcome", "cursor",
        ])
        let names = names(status)
        for resource in status.resources {
            table.add([
                names.name(of: resource.path), "\(resource.rows)",
                resource.firstFullSync.map(time) ?? "not yet",
                resource.lastAttempt.map(time) ?? "never", outcome(of: resource, in: status),
                resource.cursor ?? "",
            ])
        }
        return table
    }

    private static func names(_ status: SyncStatus) -> ResourceNames {
        let entities = status.resources.map { ($0.path, $0.entity) }
        return ResourceNames(Dictionary(entities) { first, _ in first })
    }

    /// Returns how the last pull of a resource ended, or the progress of a running pull.
    private static func outcome(
        of resource: SyncStatus.ResourceStatus,
        in status: SyncStatus
    ) -> String {
        if status.running != nil, let page = resource.nextPage { return "running, at page \(page)" }
        let page = resource.nextPage.map { ", resumes at page \($0)" } ?? ""
        let isRunning = status.running != nil && resource.ending == nil
        return (resource.ending?.rawValue ?? (isRunning ? "running" : "interrupted")) + page
    }

    private static func time(_ date: Date) -> String {
        let microseconds = Int64((date.timeIntervalSince1970 * 1_000_000).rounded())
        return DateFormat.iso8601(.never).string(from: microseconds)
    }

    /// The status in JSON.
    private struct Document: Encodable {
        private let store: StoreDocument
        private let changes: ChangesDocument

        init(_ status: SyncStatus) {
            store = StoreDocument(status)
            changes = ChangesDocument(status)
        }

        func encode(to encoder: any Encoder) throws {
            try store.encode(to: encoder)
            try changes.encode(to: encoder)
        }
    }

    /// What is known of local changes, in JSON.
    private struct ChangesDocument: Encodable {
        let pendingServiceDeletions: [ShownServiceDeletion]
        let unpushed: [Unpushed]
        let unconfirmed: [String: Int]
        let drafts: [String: Int]
        let unrecorded: UnrecordedText?
        let unsentOrders: [String]

        struct Unpushed: Encodable {
            let entity: String
            let state: String
            let count: Int
            let oldest: String?
            let nextAttempt: String?
        }

        init(_ status: SyncStatus) {
            pendingServiceDeletions = status.localChanges.pendingServiceDeletions.map {
                ShownServiceDeletion($0)
            }
            unpushed = status.localChanges.unpushed.map { changes in
                Unpushed(
                    entity: changes.entity,
                    state: changes.state.rawValue,
                    count: changes.count,
                    oldest: changes.oldest.map(StatusPrinter.time),
                    nextAttempt: changes.nextAttempt.map(StatusPrinter.time)
                )
            }
            unconfirmed = status.localChanges.unconfirmed
            drafts = status.localChanges.drafts
            unrecorded = status.localChanges.unrecorded.map { UnrecordedText($0) }
            unsentOrders = status.unsentOrders
        }
    }

    /// What is known of the service and its lists, in JSON.
    private struct StoreDocument: Encodable {
        let service: String?
        let account: String?
        let resources: [String: Resource]
        let nextRun: String?
        let running: Running?
        let unresolvedReferenceCount: Int
        let unresolved: [UnresolvedReferences]
        let pendingDeletions: [ShownDeletion]

        struct Running: Encodable {
            let process: Int64
            let host: String
        }

        /// The last pull of a list.
        struct LastPull: Encodable {
            let lastAttempt: String?
            let lastSuccess: String?
            let ending: String?
            let failure: String?
            let unprovenEnd: String?

            init(_ resource: SyncStatus.ResourceStatus) {
                lastAttempt = resource.lastAttempt.map(StatusPrinter.time)
                lastSuccess = resource.lastSuccess.map(StatusPrinter.time)
                ending = resource.ending?.rawValue
                failure = resource.failure
                unprovenEnd = resource.unprovenEnd.map { "\($0)" }
            }
        }

        struct Resource: Encodable {
            let list: List
            let lastPull: LastPull

            func encode(to encoder: any Encoder) throws {
                try list.encode(to: encoder)
                try lastPull.encode(to: encoder)
            }
        }

        struct List: Encodable {
            let entity: String
            let rows: Int
            let isComplete: Bool
            let firstFullSync: String?
            let cursor: String?
            let nextPage: Int?
            let forms: [String: String]
            let versionsFail: Bool
        }

        init(_ status: SyncStatus) {
            service = status.service
            account = status.account
            nextRun = status.next.map(StatusPrinter.time)
            running = status.running.map { Running(process: $0.number, host: $0.host) }
            unresolvedReferenceCount = status.unresolvedReferenceCount
            unresolved = status.unresolvedReferences
            pendingDeletions = status.pendingDeletions.map { ShownDeletion($0) }
            let resources = status.resources.map { resource in
                (
                    resource.path,
                    Resource(
                        list: List(
                            entity: resource.entity,
                            rows: resource.rows,
                            isComplete: resource.firstFullSync != nil,
                            firstFullSync: resource.firstFullSync.map(StatusPrinter.time),
                            cursor: resource.cursor,
                            nextPage: resource.nextPage,
                            forms: resource.forms,
                            versionsFail: resource.versionsFail
                        ),
                        lastPull: LastPull(resource)
                    )
                )
            }
            self.resources = Dictionary(uniqueKeysWithValues: resources)
        }
    }
}
