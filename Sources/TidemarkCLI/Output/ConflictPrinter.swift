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
                        TaggedVersion(property.base).text,
                        TaggedVersion(property.local).text,
                        TaggedVersion(property.remote).text, conflict.decision?.rawValue ?? "open",
                        conflict.decidedBy ?? "",
                    ])
                }
            }
            try Console.lines(table.description)
        }
    }

    /// Prints one conflict with all versions, and what was kept.
    ///
    /// - Parameters:
    ///   - conflict: The conflict.
    ///   - arguments: The arguments of suggested commands.
    /// - Throws: ``Failure`` if standard output cannot be written.
    func print(_ conflict: Conflict, arguments: StoreArguments) throws {
        try output.print(Entry(conflict)) {
            let time = conflict.time.formatted(.iso8601)
            try Console.line(
                "Conflict \(conflict.id) of \(conflict.row): \(conflict.kind.rawValue), \(time)"
            )
            var table = TextTable(["property", "base", "local", "remote", "kept"])
            for property in conflict.properties {
                table.add(
                    [property.name]
                        + [property.base, property.local, property.remote, property.kept]
                        .map { TaggedVersion($0).text }
                )
            }
            try Console.lines(table.description)
            guard let decision = conflict.decision else {
                return try Console.line(
                    "It is open. Decide it with tidemark conflicts resolve \(conflict.id) --take "
                        + "local, remote or base\(arguments.local)."
                )
            }
            let policy = conflict.decidedBy.map { ", by \($0)" } ?? ""
            try Console.line("Decision: \(decision.rawValue)\(policy)")
        }
    }

    /// Prints conflicts as JSON Lines.
    ///
    /// - Parameter conflicts: The conflicts.
    /// - Throws: ``Failure`` if standard output cannot be written.
    static func export(_ conflicts: [Conflict]) throws {
        for conflict in conflicts { try Console.json(Entry(conflict)) }
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
        let base: TaggedVersion
        let local: TaggedVersion
        let remote: TaggedVersion
        let kept: TaggedVersion

        init(_ property: Conflict.Property) {
            self.property = property.name
            base = TaggedVersion(property.base)
            local = TaggedVersion(property.local)
            remote = TaggedVersion(property.remote)
            kept = TaggedVersion(property.kept)
        }
    }
}
