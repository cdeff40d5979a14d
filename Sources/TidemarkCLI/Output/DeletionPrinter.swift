import Foundation
import TidemarkImport
import TidemarkStore
import TidemarkSync

/// Prints deletions that await approval.
struct DeletionPrinter {
    private let output: OutputOptions

    init(_ output: OutputOptions) {
        self.output = output
    }

    /// Prints pending deletions.
    ///
    /// - Parameters:
    ///   - deletions: The deletions of rows.
    ///   - atService: The deletions at the service.
    ///   - names: The names of the lists.
    ///   - arguments: The arguments that commands need to find the store.
    /// - Throws: ``Failure`` if standard output cannot be written.
    func print(
        _ deletions: [ShownDeletion],
        atService: [ShownServiceDeletion],
        names: ResourceNames,
        arguments: StoreArguments
    ) throws {
        try output.print(Document(here: deletions, atService: atService)) {
            for deletion in deletions {
                for row in deletion.listed { try Console.line(row.line) }
                let sentence = Self.sentence(
                    deletion.pending,
                    names: names,
                    arguments: arguments
                )
                try Console.line(sentence)
            }
            for deletion in atService {
                for row in deletion.listed { try Console.line(row.line) }
                try Console.line(Self.sentence(deletion.pending, arguments: arguments))
            }
            if deletions.isEmpty, atService.isEmpty {
                try Console.line("No deletions are pending.")
            }
        }
    }

    /// The deletions in JSON: a list of both kinds.
    private struct Document: Encodable {
        let here: [ShownDeletion]
        let atService: [ShownServiceDeletion]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for deletion in here { try container.encode(deletion) }
            for deletion in atService { try container.encode(deletion) }
        }
    }

    /// Returns the number of objects whose deletion at the service awaits approval, and the
    /// commands that decide about it.
    static func sentence(
        _ pending: PendingServiceDeletion,
        arguments: StoreArguments
    ) -> String {
        let argument = "\(pending.entity.shellQuoted) --at-service\(arguments.local)"
        return "\(pending) They are not sent. Run `tidemark deletions approve \(argument)` to send "
            + "them with the next push, or `tidemark deletions reject \(argument)` to restore the rows."
    }

    /// Returns the number of rows that await approval, and the commands that approve or reject the
    /// deletion, quoted for a shell.
    static func sentence(
        _ pending: PendingDeletion,
        names: ResourceNames,
        arguments: StoreArguments
    ) -> String {
        let argument = names.argument(for: pending.resource)
        let shares = pending.shares
            .map { "\($0.rows) of \($0.total) rows of \($0.entity)" }
            .joined(separator: ", ")
        let approve = "`tidemark deletions approve \(argument)\(arguments.asking)`"
        let start = "\(names.name(of: pending.resource)): the service no longer has \(shares)."
        guard !pending.isRejected else {
            return "\(start) They are kept, as you decided. Run \(approve) to delete them."
        }
        return "\(start) They are kept. Run \(approve) to delete them, or "
            + "`tidemark deletions reject \(argument)\(arguments.local)` to keep them."
    }
}

/// Deletions at the service in JSON output.
struct ShownServiceDeletion: Encodable {
    let pending: PendingServiceDeletion
    let listed: [ShownDeletion.Row]

    init(_ pending: PendingServiceDeletion, rows: [ShownDeletion.Row] = []) {
        self.pending = pending
        listed = rows
    }

    private enum CodingKeys: CodingKey {
        case at, entity, rows, known, listed
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("service", forKey: .at)
        try container.encode(pending.entity, forKey: .entity)
        try container.encode(pending.count, forKey: .rows)
        try container.encode(pending.known, forKey: .known)
        if !listed.isEmpty { try container.encode(listed, forKey: .listed) }
    }
}

/// A pending deletion in JSON output.
struct ShownDeletion: Encodable {
    let pending: PendingDeletion
    let listed: [Row]

    init(_ pending: PendingDeletion, rows: [Row] = []) {
        self.pending = pending
        listed = rows
    }

    /// A row that would be deleted.
    struct Row: Encodable {
        let row: String
        let key: String?
        private let entity: String

        init(_ reference: RowReference, key: String?) {
            row = "\(reference)"
            entity = reference.entity
            self.key = key
        }

        var line: String { key.map { "\(entity):\($0)" } ?? row }

        private enum CodingKeys: CodingKey {
            case row, key
        }
    }

    private struct Share: Encodable {
        let rows: Int
        let total: Int
    }

    private enum CodingKeys: CodingKey {
        case at, resource, entity, rows, entities, listed, isRejected
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("store", forKey: .at)
        try container.encode(pending.resource, forKey: .resource)
        try container.encode(pending.entity, forKey: .entity)
        try container.encode(pending.rowCount, forKey: .rows)
        let entities = pending.shares.map { ($0.entity, Share(rows: $0.rows, total: $0.total)) }
        try container.encode(
            Dictionary(uniqueKeysWithValues: entities),
            forKey: .entities
        )
        if pending.isRejected { try container.encode(true, forKey: .isRejected) }
        if !listed.isEmpty { try container.encode(listed, forKey: .listed) }
    }
}
