import Foundation
import TidemarkModel
import TidemarkStore
import TidemarkSync

/// A change with its values and its request.
extension OutboxPrinter {
    /// Prints all that is known about the changes of a row.
    ///
    /// - Parameter changes: The changes, in the order in which they are sent.
    /// - Throws: ``Failure`` if standard output cannot be written.
    func print(_ changes: [LocalChange.Details]) throws {
        try output.print(DetailsDocument(changes: changes.map(DetailedEntry.init))) {
            for (index, change) in changes.enumerated() {
                if index > 0 { try Console.line("") }
                try printText(change)
            }
        }
    }

    private func printText(_ details: LocalChange.Details) throws {
        let change = details.change
        let key = change.key.map { " (\(change.row.entity):\($0.text))" } ?? ""
        let since = change.since.map { " since \(Self.time($0))" } ?? ""
        try Console.line(
            "\(change.row)\(key): \(change.kind.rawValue), \(change.state.rawValue)\(since)"
        )
        if !details.properties.isEmpty {
            try Console.lines(Self.table(details.properties).description)
        }
        if let request = details.request {
            try Console.line("request: \(request.method) \(request.path)")
            if !request.idempotencyKey.isEmpty {
                try Console.line("idempotency key: \(request.idempotencyKey)")
            }
            if let body = request.body { try Console.line("body: \(body)") }
        }
        if change.attempts.count > 0 {
            let last = details.request?.lastAttempt.map { ", the last at \(Self.time($0))" } ?? ""
            try Console.line("attempts: \(change.attempts.count)\(last)")
        }
        let reason = Self.reason(change)
        if !reason.isEmpty { try Console.line("reason: \(reason)") }
        if let row = change.blockedBy {
            try Console.line(
                "It waits for \(row): tidemark outbox show '\(row)'\(arguments.local)"
            )
        }
    }

    private static func table(_ properties: [LocalChange.Property]) -> TextTable {
        var table = TextTable(["property", "base", "local"])
        for property in properties {
            table.add(
                [property.name]
                    + [property.base, property.local].map {
                        $0.map { TaggedVersion($0).text } ?? ""
                    }
            )
        }
        return table
    }
}

/// The changes of a row in JSON.
private struct DetailsDocument: Encodable {
    let changes: [DetailedEntry]
}

/// A change in JSON: as in a list, and with its values and its request.
private struct DetailedEntry: Encodable {
    private let entry: OutboxPrinter.Entry
    private let rest: Rest

    private struct Rest: Encodable {
        let values: [Property]
        let request: Request?
    }

    private struct Property: Encodable {
        let property: String
        let base: TaggedVersion?
        let local: TaggedVersion?
    }

    private struct Request: Encodable {
        let method: String
        let path: String
        let idempotencyKey: String
        let body: String?
        let firstAttempt: String?
        let lastAttempt: String?
    }

    init(_ details: LocalChange.Details) {
        entry = OutboxPrinter.Entry(details.change)
        rest = Rest(
            values: details.properties.map { property in
                Property(
                    property: property.name,
                    base: property.base.map(TaggedVersion.init),
                    local: property.local.map(TaggedVersion.init)
                )
            },
            request: details.request.map { request in
                Request(
                    method: request.method,
                    path: request.path,
                    idempotencyKey: request.idempotencyKey,
                    body: request.body,
                    firstAttempt: request.firstAttempt.map(OutboxPrinter.time),
                    lastAttempt: request.lastAttempt.map(OutboxPrinter.time)
                )
            }
        )
    }

    func encode(to encoder: any Encoder) throws {
        try entry.encode(to: encoder)
        try rest.encode(to: encoder)
    }
}
