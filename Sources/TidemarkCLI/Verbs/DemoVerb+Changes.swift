import GRDB
import TidemarkModel
import TidemarkStore
import TidemarkSync
import TidemarkTesting

/// The part of the demo that changes rows.
extension DemoVerb {
    /// Edits films offline, and shows what becomes of the changes: one is sent, one contradicts the
    /// change of another client, and one is rejected and corrected.
    func showChanges(
        _ engine: SyncEngine,
        _ fake: FakeService,
        store: Store
    ) async throws {
        try printText("Editing three films offline:\n")
        try await store.write { writer in
            for (film, attribute, value) in Self.edits {
                _ = try writer.update(RecordLocator(film), values: [attribute: value])
            }
        }
        try await showOutbox(store)

        try printText("\nAnother client changes the director of one of them, too. Syncing:\n")
        fake["films/2"]?["director"] = "I. Kershner"
        let known = try await conflicts(store).count
        try await sync(engine)
        let new = try await conflicts(store).dropFirst(known)
        if output.format == .text, !output.quiet { try ConflictPrinter(output).print(Array(new)) }
        try printText("\nThe conflict was decided for the service. What is left:\n")
        try await showOutbox(store)

        try printText("\nCorrecting the title, and syncing again:\n")
        let title = Value.string("Revenge of the Jedi")
        try await store.write { writer in
            _ = try writer.update(RecordLocator("Film:3"), values: ["title": title])
        }
        try await sync(engine)
        try await showOutbox(store)
        try printText("")
    }

    /// The films that are edited offline; a film without a title is rejected.
    private static let edits: [(film: String, attribute: String, value: Value)] = [
        ("Film:1", "title", .string("Star Wars")),
        ("Film:2", "director", .string("Kershner")),
        ("Film:3", "title", .null),
    ]

    private func sync(_ engine: SyncEngine) async throws {
        let report = try await engine.sync()
        switch output.format {
        case .json: try PullPrinter(output).print(report, pushed: PushDocument(report.pushed))
        case .text: try printText(PushPrinter.lines(report.pushed).joined(separator: "\n"))
        }
        try PullVerb.throwFailure(of: report)
    }

    private func conflicts(_ store: Store) async throws -> [Conflict] {
        try await store.writer.read { db in try Conflicts(store).list(db) }
    }

    private func showOutbox(_ store: Store) async throws {
        guard output.format == .text, !output.quiet else { return }
        let changes = try await store.writer.read { db in try Outbox(store).changes(db) }
        try OutboxPrinter(output, arguments: StoreArguments()).print(
            changes,
            drafts: [:],
            records: true
        )
    }
}
