import Foundation
import TidemarkJSON
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
    ///   - records: Whether the store records local changes.
    /// - Throws: ``Failure`` if standard output cannot be written.
    func print(_ changes: [LocalChange], drafts: [String: Int], records: Bool) throws {
        switch output.format {
        case .json: try Self.printJSON(changes, drafts: drafts)
        case .text:
            if changes.isEmpty {
                try Console.line(
                    records
                        ? "Nothing is left to push."
                        : "The store mirrors its service: local changes are not recorded. Write "
                            + "push: preset under service in tidemark.yml, and pull, so that they are."
                )
            }
            if !changes.isEmpty { try Console.lines(Self.table(changes).description) }
            for line in Self.lines(drafts: drafts, of: arguments) { try Console.line(line) }
        }
    }

    /// Returns a line for the local drafts of each entity, which no push sends by itself.
    static func lines(drafts: [String: Int], of arguments: StoreArguments) -> [String] {
        drafts.sorted { $0.key < $1.key }.map { entity, count in
            "\(count.counted("local draft")) of \(entity) without a key: they were created before "
                + "changes were recorded, or under numbers of former rows. Push them with tidemark "
                + "outbox add \(entity)\(arguments.local)."
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
                change.attempts.count > 0 ? "\(change.attempts.count)" : "",
                [reason(change), change.blockedBy.map { "waits for \($0)" } ?? ""]
                    .filter { !$0.isEmpty }.joined(separator: ", "),
            ])
        }
        return table
    }

    static func reason(_ change: LocalChange) -> String {
        let status = change.attempts.status.map(String.init)
        let next = change.attempts.next.map { "next attempt at \(time($0))" }
        var why = [status, change.attempts.reason].compactMap(\.self).joined(separator: " ")
        // The message of an error is a sentence.
        if next != nil, why.hasSuffix(".") { why.removeLast() }
        if change.state == .conflicted { why = "see tidemark conflicts list --open" }
        return [why.isEmpty ? nil : why, next].compactMap(\.self).joined(separator: ", ")
    }

    static func time(_ date: Date) -> String {
        date.formatted(.iso8601)
    }

    /// Prints the outbox in JSON, a change after the other.
    private static func printJSON(_ changes: [LocalChange], drafts: [String: Int]) throws {
        var json = JSONWriter()
        json.beginObject()
        json.key("changes")
        json.beginArray()
        for change in changes {
            Entry(change).write(into: &json)
            try Console.flush(&json)
        }
        json.endArray()
        json.key("drafts")
        json.beginObject()
        for (entity, count) in drafts.sorted(by: { $0.key < $1.key }) {
            json.key(entity)
            json.integer(Int64(count))
        }
        json.endObject()
        json.endObject()
        try Console.end(&json)
    }

    /// A change in JSON.
    struct Entry: Encodable {
        private let attempts: Int
        private let blockedBy: String?
        private let fieldErrors: [String: [String]]
        private let key: String?
        private let kind: String
        private let nextAttempt: String?
        private let properties: [String]
        private let reason: String?
        private let row: String
        private let since: String?
        private let state: String
        private let status: Int?

        init(_ change: LocalChange) {
            attempts = change.attempts.count
            blockedBy = change.blockedBy?.description
            fieldErrors = change.attempts.fieldErrors
            key = change.key?.text
            kind = change.kind.rawValue
            nextAttempt = change.attempts.next.map(time)
            properties = change.properties
            reason = change.attempts.reason
            row = "\(change.row)"
            since = change.since.map(time)
            state = change.state.rawValue
            status = change.attempts.status
        }

        /// Writes the change several times as fast as an encoder: a list may be long.
        func write(into json: inout JSONWriter) {
            json.beginObject()
            json.member("attempts", attempts)
            json.member("blockedBy", blockedBy)
            json.key("fieldErrors")
            json.beginObject()
            for (property, texts) in fieldErrors.sorted(by: { $0.key < $1.key }) {
                json.member(property, texts)
            }
            json.endObject()
            json.member("key", key)
            json.member("kind", kind)
            json.member("nextAttempt", nextAttempt)
            json.member("properties", properties)
            json.member("reason", reason)
            json.member("row", row)
            json.member("since", since)
            json.member("state", state)
            json.member("status", status)
            json.endObject()
        }
    }
}

extension JSONWriter {
    /// Writes a member, unless it has no value.
    fileprivate mutating func member(_ name: String, _ text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }

    fileprivate mutating func member(_ name: String, _ number: Int?) {
        guard let number else { return }
        key(name)
        integer(Int64(number))
    }

    fileprivate mutating func member(_ name: String, _ texts: [String]) {
        key(name)
        beginArray()
        for text in texts { string(text) }
        endArray()
    }
}
