import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

import class Foundation.ProcessInfo

@testable import TidemarkSync

/// What becomes of edits at services whose responses promise more than they have done.
struct PushConfirmationTests {
    /// One of each meaning; all of them if `TIDEMARK_CASES` is set.
    private static let statuses =
        ProcessInfo.processInfo.environment["TIDEMARK_CASES"] == nil
        ? [200, 202, 206] : [200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 299]

    /// Every way in which a service may answer a change with the status of a success.
    private static let answers: [DoubtfulService.Answer] = statuses.flatMap { status in
        DoubtfulService.Effect.allCases.flatMap { effect in
            DoubtfulService.Content.allCases.map {
                DoubtfulService.Answer(status: status, effect: effect, content: $0)
            }
        }
    }

    private static let checks: [PushStyle.PreflightCheck] = [.read(parameter: nil), .none]

    private static let policies: [(String, ConflictPolicies)] = [
        ("remoteWins", ConflictPolicies()),
        ("localWins", ConflictPolicies(default: .localWins, deletes: .localWins)),
        ("manual", ConflictPolicies(default: .manual, deletes: .manual)),
    ]

    /// A service of tasks, a store that was synced with it, and an engine.
    private struct Fixture {
        let tasks: TaskService
        let doubtful: DoubtfulService
        let engine: SyncEngine

        init(
            _ policies: ConflictPolicies = ConflictPolicies(),
            _ configure: (inout PushStyle) -> Void = { _ in }
        ) async throws {
            var tasks = try TaskService(.rest)
            configure(&tasks.service.push)
            tasks.resources = tasks.resources.map { resource in
                tasks.service.resource(resource.entity, path: resource.path)
            }
            self.tasks = tasks
            doubtful = DoubtfulService(tasks.fake)
            engine = try tasks.engine(over: doubtful, conflicts: policies)
            _ = try await engine.pull()
        }

        /// Where an edit of the title of a row is; nil if it has left no trace.
        func trace(of title: String, row: RowReference, _ key: Int?) throws -> String? {
            let audit = tasks.fake.audit
            if audit.contains(where: { $0.object?["title"]?.string == title }) { return "service" }
            let store = tasks.store
            let (changes, conflicts, unconfirmed) = try store.read { reader in
                (
                    try Outbox(store).changes(reader.db),
                    try Conflicts(store).list(reader.db),
                    try AcknowledgedChanges(reader.db, store.layout).unconfirmedCounts()
                )
            }
            let change = changes.first { $0.row == row }
            if let change, change.state != .conflicted {
                return change.attempts.reason == nil ? nil : "outbox"
            }
            let isRecorded = conflicts.contains { conflict in
                conflict.row == row && conflict.properties.contains { $0.local.text == title }
            }
            if isRecorded { return "conflict" }
            return unconfirmed["Task"] == nil ? nil : "unconfirmed"
        }
    }

    // MARK: Every response

    @Test(arguments: checks)
    func `an update leaves a trace, whatever the response says`(
        check: PushStyle.PreflightCheck
    ) async throws {
        for (name, policy) in Self.policies {
            for answer in Self.answers {
                let fixture = try await Fixture(policy) { $0.check = check }
                let row = RowReference("Task", 1)
                try await fixture.tasks.rename(1, to: "mine")
                fixture.doubtful.answer(answer)
                _ = try await fixture.engine.push()
                let pushed = try fixture.trace(of: "mine", row: row, 1)
                #expect(pushed != nil, "\(answer), \(name): lost by the push")
                _ = try await fixture.engine.sync()
                let synced = try fixture.trace(of: "mine", row: row, 1)
                #expect(
                    synced != nil && synced != "unconfirmed",
                    "\(answer), \(name): \(synced ?? "lost") after a sync"
                )
                try expectNothingTwice(fixture, "\(answer), \(name)")
            }
        }
    }

    @Test(arguments: checks)
    func `a creation is neither lost nor doubled, whatever the response says`(
        check: PushStyle.PreflightCheck
    ) async throws {
        for answer in Self.answers {
            let fixture = try await Fixture { $0.check = check }
            try await fixture.tasks.add("dig")
            fixture.doubtful.answer(answer)
            _ = try await fixture.engine.push()
            let row = RowReference("Task", 3)
            #expect(
                try fixture.trace(of: "dig", row: row, nil) != nil,
                "\(answer): lost by the push"
            )
            var notShown: [RowReference] = []
            for _ in 0..<3 {
                notShown += try await fixture.engine.sync().pushed.notShown
                fixture.tasks.clock.advance(by: .seconds(8_000))
            }
            let synced = try fixture.trace(of: "dig", row: row, nil)
            #expect(
                synced != nil && synced != "unconfirmed" || notShown == [row],
                "\(answer): \(synced ?? "lost")"
            )
            try expectNothingTwice(fixture, "\(answer)")
            let rows = try await fixture.tasks.store.read { reader in
                try reader.fetch(RecordRequest("Task")).count
            }
            // An object that the service has made in spite of an error is a row of its own.
            let isLeft = try !fixture.tasks.changes().isEmpty && answer.effect != .none
            #expect(rows == (isLeft ? 4 : 3), "\(answer): \(rows) rows, \(synced ?? "–")")
        }
    }

    @Test(arguments: checks)
    func `a deletion is done, waits or is recorded, whatever the response says`(
        check: PushStyle.PreflightCheck
    ) async throws {
        for answer in Self.answers {
            let fixture = try await Fixture { $0.check = check }
            let tasks = fixture.tasks
            try await tasks.store.write { writer in _ = try writer.delete(tasks.task(1)) }
            fixture.doubtful.answer(answer)
            _ = try await fixture.engine.push()
            _ = try await fixture.engine.sync()
            let isDone = tasks.fake["tasks/1"] == nil
            let (changes, conflicts) = try (tasks.changes(), tasks.conflicts())
            #expect(
                isDone || !changes.isEmpty || !conflicts.isEmpty,
                "\(answer): the deletion has left no trace"
            )
            let rows = try await tasks.store.read { reader in
                try reader.fetch(RecordRequest("Task")).count
            }
            #expect(rows == (isDone || !changes.isEmpty ? 1 : 2), "\(answer): \(rows) rows")
        }
    }

    private func expectNothingTwice(_ fixture: Fixture, _ text: String) throws {
        let created = fixture.tasks.fake.audit.filter { $0.kind == .create }.count
        #expect(created <= 1, "\(text): created \(created) times")
        #expect(try fixture.tasks.store.read { try Store.integrityErrors($0.db) }.isEmpty)
    }
}

extension Conflict.Version {
    /// The value as text; nil if it is not a text.
    fileprivate var text: String? {
        if case .value(.string(let text)) = self { text } else { nil }
    }
}
