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
        /// The members, sorted by name.
        private let members: [(name: String, value: Member)]

        private enum Member {
            case text(String)
            case number(Int)
            case texts([String])
            case messages([String: [String]])
        }

        init(_ change: LocalChange) {
            let attempts = change.attempts
            let members: [(name: String, value: Member?)] = [
                ("attempts", .number(attempts.count)),
                ("fieldErrors", .messages(attempts.fieldErrors)),
                ("key", change.key.map { .text($0.text) }),
                ("kind", .text(change.kind.rawValue)),
                ("nextAttempt", attempts.next.map { .text(time($0)) }),
                ("properties", .texts(change.properties)),
                ("reason", attempts.reason.map(Member.text)),
                ("row", .text("\(change.row)")),
                ("since", change.since.map { .text(time($0)) }),
                ("state", .text(change.state.rawValue)),
                ("status", attempts.status.map(Member.number)),
            ]
            self.members = members.compactMap { name, value in value.map { (name, $0) } }
        }

        /// Writes the change several times as fast as an encoder: a list may be long.
        func write(into json: inout JSONWriter) {
            func write(_ texts: [String]) {
                json.beginArray()
                for text in texts { json.string(text) }
                json.endArray()
            }
            json.beginObject()
            for (name, value) in members {
                json.key(name)
                switch value {
                case .text(let text): json.string(text)
                case .number(let number): json.integer(Int64(number))
                case .texts(let texts): write(texts)
                case .messages(let messages):
                    json.beginObject()
                    for (property, texts) in messages.sorted(by: { $0.key < $1.key }) {
                        json.key(property)
                        write(texts)
                    }
                    json.endObject()
                }
            }
            json.endObject()
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Name.self)
            for (name, value) in members {
                let name = Name(stringValue: name)
                switch value {
                case .text(let text): try container.encode(text, forKey: name)
                case .number(let number): try container.encode(number, forKey: name)
                case .texts(let texts): try container.encode(texts, forKey: name)
                case .messages(let messages): try container.encode(messages, forKey: name)
                }
            }
        }

        private struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }
}
