import Foundation
import TidemarkModel
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
                for property in conflict.properties {
                    table.add([
                        "\(conflict.id)", "\(conflict.row)", conflict.kind.rawValue, property.name,
                        Self.text(property.base), Self.text(property.local),
                        Self.text(property.remote), conflict.decision?.rawValue ?? "open",
                        conflict.decidedBy ?? "",
                    ])
                }
            }
            try Console.lines(table.description)
        }
    }

    private static func text(_ version: Conflict.Version) -> String {
        switch version {
        case .value(let value): RecordCells.text(value)
        case .row(let row): row.map { "\($0)" } ?? ""
        case .objects(let json): json
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
            decision = conflict.decision?.rawValue
            decidedBy = conflict.decidedBy
            values = conflict.properties.map(Versions.init)
        }
    }

    /// The versions of a property in JSON.
    struct Versions: Encodable {
        let property: String
        let base: Version
        let local: Version
        let remote: Version
        let kept: Version

        init(_ property: Conflict.Property) {
            self.property = property.name
            base = Version(version: property.base)
            local = Version(version: property.local)
            remote = Version(version: property.remote)
            kept = Version(version: property.kept)
        }
    }

    /// A version of a property in JSON: a value, or the local name of a row.
    struct Version: Encodable {
        fileprivate let version: Conflict.Version

        func encode(to encoder: any Encoder) throws {
            switch version {
            case .value(let value): try TaggedValue(value: value).encode(to: encoder)
            case .row(let row):
                var container = encoder.singleValueContainer()
                try container.encode(row?.description)
            case .objects(let json):
                var container = encoder.singleValueContainer()
                try container.encode(json)
            }
        }
    }
}
