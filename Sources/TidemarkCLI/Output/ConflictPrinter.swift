import Foundation
import GRDB
import TidemarkStore
import TidemarkSync

/// Prints changes of the service that contradicted local ones.
struct ConflictPrinter {
    private let output: OutputOptions

    init(_ output: OutputOptions) {
        self.output = output
    }

    /// Prints conflicts with all versions.
    ///
    /// - Parameter conflicts: The conflicts.
    /// - Throws: ``Failure`` if standard output cannot be written.
    func print(_ conflicts: [Conflict]) throws {
        try output.print(conflicts.map(Entry.init)) {
            guard !conflicts.isEmpty else { return try Console.line("There are no conflicts.") }
            var table = TextTable([
                "id", "row", "kind", "property", "base", "local", "remote", "decision", "decidedBy",
            ])
            for conflict in conflicts {
                for value in conflict.values {
                    table.add([
                        "\(conflict.id)", "\(conflict.row)", conflict.kind.rawValue, value.property,
                        Self.text(value.base), Self.text(value.local), Self.text(value.remote),
                        conflict.decision ?? "open", conflict.decidedBy ?? "",
                    ])
                }
            }
            try Console.lines(table.description)
        }
    }

    private static func text(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .null: ""
        case .int64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): text
        case .blob(let data): "\(data.count) bytes"
        }
    }

    /// A conflict in JSON.
    struct Entry: Encodable {
        let id: Int64
        let row: String
        let kind: String
        let time: String
        let decision: String?
        let decidedBy: String?
        let values: [Versions]

        init(_ conflict: Conflict) {
            id = conflict.id
            row = "\(conflict.row)"
            kind = conflict.kind.rawValue
            time = conflict.time.formatted(.iso8601)
            decision = conflict.decision
            decidedBy = conflict.decidedBy
            values = conflict.values.map(Versions.init)
        }
    }

    /// The versions of a property in JSON, as they are stored.
    struct Versions: Encodable {
        let property: String
        let base: Version
        let local: Version
        let remote: Version
        let kept: Version

        init(_ versions: Conflict.Versions) {
            property = versions.property
            base = Version(value: versions.base)
            local = Version(value: versions.local)
            remote = Version(value: versions.remote)
            kept = Version(value: versions.kept)
        }
    }

    /// A stored value in JSON.
    struct Version: Encodable {
        fileprivate let value: DatabaseValue

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch value.storage {
            case .null: try container.encodeNil()
            case .int64(let number): try container.encode(number)
            case .double(let number): try container.encode(number)
            case .string(let text): try container.encode(text)
            case .blob(let data): try container.encode(data.base64EncodedString())
            }
        }
    }
}
