import Foundation
import TidemarkModel
import TidemarkSync

/// Prints how far pulls have come.
struct StatusPrinter {
    private let output: OutputOptions

    init(_ output: OutputOptions) {
        self.output = output
    }

    func print(_ status: SyncStatus) throws {
        switch output.format {
        case .text: try printText(status)
        case .json: try printJSON(status)
        }
    }

    private func printText(_ status: SyncStatus) throws {
        guard let service = status.service else {
            return try Console.result(
                "The store belongs to no service: nothing was pulled into it."
            )
        }
        let account = status.account.map { " as \($0)" } ?? ""
        try Console.result("The store belongs to \(service)\(account).")
        try Console.result(Self.table(status).description)
        if let next = status.next { try Console.result("The next pull begins \(Self.time(next)).") }
        for resource in status.resources {
            if let failure = resource.failure { try Console.result("\(resource.path): \(failure)") }
        }
        if status.waiting > 0 {
            try Console.result("\(status.waiting) references wait for rows that are not here.")
        }
        for sweep in status.parked {
            try Console.result(PullPrinter.sentence(sweep))
        }
    }

    private static func table(_ status: SyncStatus) -> TextTable {
        var table = TextTable([
            "resource", "rows", "complete since", "last pull", "outcome", "cursor",
        ])
        for resource in status.resources {
            table.add([
                resource.path, "\(resource.rows)", resource.completed.map(time) ?? "not yet",
                resource.ran.map(time) ?? "never", outcome(resource), resource.cursor ?? "",
            ])
        }
        return table
    }

    private static func outcome(_ resource: SyncStatus.ResourceStatus) -> String {
        let page = resource.nextPage.map { ", goes on at page \($0)" } ?? ""
        return "\(resource.ending.map(\.rawValue) ?? "interrupted")\(page)"
    }

    private static func time(_ date: Date) -> String {
        let microseconds = Int64((date.timeIntervalSince1970 * 1_000_000).rounded())
        return DateFormat.iso8601(.never).string(from: microseconds)
    }

    private func printJSON(_ status: SyncStatus) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try Console.result(String(decoding: encoder.encode(Document(status)), as: UTF8.self))
    }

    /// The status as programs read it.
    private struct Document: Encodable {
        let service: String?
        let account: String?
        let resources: [String: Resource]
        let nextRun: String?
        let waiting: Int
        let parked: [PullPrinter.Sweep]

        struct Resource: Encodable {
            let entity: String
            let rows: Int
            let isComplete: Bool
            let completed: String?
            let cursor: String?
            let lastRun: String?
            let ending: String?
            let failure: String?
            let nextPage: Int?
        }

        init(_ status: SyncStatus) {
            service = status.service
            account = status.account
            nextRun = status.next.map(StatusPrinter.time)
            waiting = status.waiting
            parked = status.parked.map(PullPrinter.Sweep.init)
            let resources = status.resources.map { resource in
                (
                    resource.path,
                    Resource(
                        entity: resource.entity,
                        rows: resource.rows,
                        isComplete: resource.completed != nil,
                        completed: resource.completed.map(StatusPrinter.time),
                        cursor: resource.cursor,
                        lastRun: resource.ran.map(StatusPrinter.time),
                        ending: resource.ending?.rawValue,
                        failure: resource.failure,
                        nextPage: resource.nextPage
                    )
                )
            }
            self.resources = Dictionary(uniqueKeysWithValues: resources)
        }
    }
}
