import Foundation
import TidemarkModel
import TidemarkStore
import TidemarkSync

/// Prints the local changes that the service does not have.
struct OutboxPrinter {
    let output: OutputOptions
    let arguments: StoreArguments

    init(_ output: OutputOptions, arguments: StoreArguments) {
        self.output = output
        self.arguments = arguments
    }

    /// Prints changes.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - drafts: The numbers of local drafts by entity.
    /// - Throws: ``Failure`` if standard output cannot be written.
    func print(_ changes: [LocalChange], drafts: [String: Int]) throws {
        try output.print(Document(changes: changes.map(Entry.init), drafts: drafts)) {
            if changes.isEmpty { try Console.line("Nothing is left to push.") }
            if !changes.isEmpty { try Console.lines(Self.table(changes).description) }
            for (entity, count) in drafts.sorted(by: { $0.key < $1.key }) {
                try Console.line(
                    "\(count.counted("local draft")) of \(entity) without a key: they were created "
                        + "before changes were recorded. Push them with tidemark outbox add "
                        + "\(entity)\(arguments.local)."
                )
            }
        }
    }

    private static func table(_ changes: [LocalChange]) -> TextTable {
        var table = TextTable([
            "row", "key", "kind", "properties", "state", "since", "attempts", "reason",
        ])
        for change in changes {
            table.add([
                "\(change.row)", change.key?.text ?? "", change.kind.rawValue,
                change.properties.joined(separator: ","), change.state.rawValue,
                change.since.map(time) ?? "",
                change.attempts.count > 0 ? "\(change.attempts.count)" : "", reason(change),
            ])
        }
        return table
    }

    static func reason(_ change: LocalChange) -> String {
        let status = change.attempts.status.map(String.init)
        let next = change.attempts.next.map { "next attempt at \(time($0))" }
        let why = [status, change.attempts.reason].compactMap(\.self).joined(separator: " ")
        return [why.isEmpty ? nil : why, next].compactMap(\.self).joined(separator: ", ")
    }

    static func time(_ date: Date) -> String {
        date.formatted(.iso8601)
    }

    /// The outbox in JSON.
    private struct Document: Encodable {
        let changes: [Entry]
        let drafts: [String: Int]
    }

    /// A change in JSON.
    struct Entry: Encodable {
        let row: String
        let key: String?
        let kind: String
        let properties: [String]
        let state: String
        let since: String?
        let attempts: Int
        let nextAttempt: String?
        let status: Int?
        let reason: String?
        let fieldErrors: [String: [String]]

        init(_ change: LocalChange) {
            row = "\(change.row)"
            key = change.key?.text
            kind = change.kind.rawValue
            properties = change.properties
            state = change.state.rawValue
            since = change.since.map(time)
            attempts = change.attempts.count
            nextAttempt = change.attempts.next.map(time)
            status = change.attempts.status
            reason = change.attempts.reason
            fieldErrors = change.attempts.fieldErrors
        }
    }
}
