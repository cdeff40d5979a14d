import Foundation
import TidemarkStore

/// Prints what a migration did, or would do.
struct MigrationPrinter {
    private let output: OutputOptions

    init(_ output: OutputOptions) {
        self.output = output
    }

    /// Prints a migration; nil if the store already has the model.
    func print(_ migration: Migration?, isDryRun: Bool) throws {
        try output.print(Report(migration, isDryRun: isDryRun)) {
            for line in Self.lines(migration) { try Console.line(line) }
        }
    }

    private static func lines(_ migration: Migration?) -> [String] {
        guard let migration, !migration.isEmpty else { return ["Nothing to do."] }
        return migration.steps.map(\.description) + discarded(by: migration)
            + migration.rejections.map { "rejected: \($0)" }
    }

    private static func discarded(by migration: Migration) -> [String] {
        let counts = [
            (migration.discardedReferences, "unresolved reference"),
            (migration.discardedChanges, "local change"),
        ]
        return counts.filter { $0.0 > 0 }.map { "discard \($0.0.counted($0.1))" }
    }

    // MARK: One line

    private static let shownSteps = 5

    /// Returns a migration as one line, for commands that migrate as a side effect.
    static func line(_ migration: Migration, store path: String, isDryRun: Bool = false) -> String {
        // Steps that lose data come first and are never omitted.
        let lost = migration.steps.filter(\.losesData)
        let others = migration.steps.filter { !$0.losesData }
        let steps = (lost + others.prefix(max(0, shownSteps - lost.count))).map(\.description)
        let rest = migration.steps.count - steps.count
        let list = steps + (rest > 0 ? ["and \(rest) more"] : [])
        let verb = isDryRun ? "Would migrate" : "Migrated"
        return list.isEmpty
            ? "\(verb) \(path)." : "\(verb) \(path): \(list.joined(separator: "; "))."
    }

    /// Returns a description of the data that a migration loses.
    static func losses(_ migration: Migration) -> String {
        let steps = migration.steps.filter(\.losesData).map(\.description)
        return (steps + discarded(by: migration)).joined(separator: "; ")
    }

    /// Returns the message for a migration that cannot be done.
    static func sentence(
        _ rejection: MigrationRejection,
        of migration: Migration,
        store path: String
    ) -> String {
        let others = migration.rejections.count - 1
        let rest = others > 0 ? " There \(others == 1 ? "is 1" : "are \(others)") more." : ""
        return
            "The store \(path) cannot change to the model without losing data: \(rejection)\(rest)"
    }

    /// The report in JSON.
    ///
    /// Its keys are stable.
    private struct Report: Encodable {
        let dryRun: Bool
        let losesData: Bool
        let discardedReferences: Int
        let discardedChanges: Int
        let steps: [Step]
        let rejections: [Rejection]

        struct Step: Encodable {
            let name: String
            let count: Int?
            let losesData: Bool
        }

        struct Rejection: Encodable {
            let path: String
            let reason: String
            let hint: String
            let row: String?
            let count: Int
        }

        init(_ migration: Migration?, isDryRun: Bool) {
            dryRun = isDryRun
            losesData = migration?.losesData ?? false
            discardedReferences = migration?.discardedReferences ?? 0
            discardedChanges = migration?.discardedChanges ?? 0
            steps = (migration?.steps ?? []).map {
                Step(name: $0.name, count: $0.count, losesData: $0.losesData)
            }
            rejections = (migration?.rejections ?? []).map {
                Rejection(
                    path: $0.location,
                    reason: $0.reason,
                    hint: $0.hint,
                    row: $0.row?.description,
                    count: $0.count
                )
            }
        }
    }
}
