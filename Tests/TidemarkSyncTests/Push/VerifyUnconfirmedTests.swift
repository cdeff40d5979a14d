import MetricsTestKit
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Verifications, dry runs and metrics of changes that the service has accepted and not shown.
struct VerifyUnconfirmedTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Task",
            attributes: [
                Attribute("id", .integer64), Attribute("title", .string),
                Attribute("note", .string),
            ]
        )
    ])

    /// Tasks 1 to 5, whose changes are accepted: 1 is taken, 2 is not, 3 is normalized, of 4 no
    /// object shows the note, and the deletion of 5 is not done.
    private static func mirror(
        _ policies: ConflictPolicies = ConflictPolicies()
    ) async throws -> PlainMirror {
        let tasks = (1...5).map { number -> FakeJSON in
            ["id": .number("\(number)"), "title": "a", "note": "n"]
        }
        let service = PlainService(["tasks": tasks]) { request, lists in
            guard request.method != "GET" else { return nil }
            switch request.steps.last {
            case "1": lists["tasks"]?[0]["title"] = "mine"
            case "3": lists["tasks"]?[2]["title"] = "MINE"
            case "4": lists["tasks"]?[3]["note"] = nil
            default: break
            }
            return PlainService.Response(status: 204)
        }
        var mirror = try PlainMirror(model, [("Task", "tasks")], with: service)
        mirror.conflicts = policies
        try await mirror.pull()
        for number in 1...3 {
            try await mirror.update("Task:\(number)", ["title": .string("mine")])
        }
        try await mirror.update("Task:4", ["note": .string("mine")])
        try await mirror.store.write { writer in _ = try writer.delete(RecordLocator("Task:5")) }
        #expect(try await mirror.push().localChanges.unconfirmed == ["Task": 5])
        _ = mirror.service.takeWrites()
        return mirror
    }

    private static func lines(_ changes: [UnconfirmedChange]) -> [String] {
        changes.map { "\($0.row) \($0.outcome) \($0.properties.joined(separator: " "))" }
    }

    private static let outcomes = [
        "Task#1 taken ", "Task#2 notTaken title", "Task#3 taken ", "Task#4 notShown ",
        "Task#5 notTaken id note title",
    ]

    private static func state(_ mirror: PlainMirror) throws -> String {
        let rows = try mirror.store.read { reader in
            try reader.fetch(RecordRequest("Task")).map { "\($0.reference) \($0["title"])" }
        }
        return (rows + (try mirror.changes()) + (try mirror.recordedConflicts())).joined(
            separator: "\n"
        )
            + "\n\(try mirror.unconfirmed())"
    }

    @Test func `a verification shows what was taken, whatever the policies are`() async throws {
        for policy in [ConflictPolicy.remoteWins, .localWins, .manual] {
            let mirror = try await Self.mirror(ConflictPolicies(default: policy))
            let before = try Self.state(mirror)
            for _ in 1...4 {
                let verification = try await mirror.engine().verify()
                #expect(Self.lines(verification.unconfirmed) == Self.outcomes)
                let differing = verification.differences.rows.map(\.row.number).sorted()
                // No list contains the note of 4 any more.
                #expect(differing == [2, 3, 4, 5])
                #expect(!verification.matches)
            }
            #expect(try Self.state(mirror) == before)
            #expect(mirror.service.takeWrites() == [])
        }
    }

    @Test func `a dry run of a pull reports it, and decides nothing`() async throws {
        let mirror = try await Self.mirror()
        let before = try Self.state(mirror)
        let report = try await mirror.engine().dryRunEngine().pull()
        #expect(report.pushed.total.notTaken == 2)
        #expect(report.pushed.localChanges.unconfirmed == ["Task": 1])
        #expect(try Self.state(mirror) == before)
        #expect(try await mirror.read().pushed.total.notTaken == 2)
    }

    @Test func `a change that no list has shown for long is not taken for one`() async throws {
        let mirror = try await Self.mirror()
        for _ in 1...2 { _ = try await mirror.read() }
        let verification = try await mirror.engine().verify()
        #expect(Self.lines(verification.unconfirmed) == ["Task#4 notShown "])
        #expect(try mirror.unconfirmed() == ["Task": 1])
    }

    @Test func `without unconfirmed changes nothing is listed`() async throws {
        let mirror = try PlainMirror(
            Self.model,
            [("Task", "tasks")],
            with: PlainService(["tasks": [["id": 1, "title": "a", "note": "n"]]])
        )
        try await mirror.pull()
        let verification = try await mirror.engine().verify()
        #expect(verification.unconfirmed.isEmpty)
        #expect(verification.matches)
    }

    @Test func `metrics count what is unconfirmed and what was not taken`() async throws {
        let metrics = TestMetrics()
        var mirror = try await Self.mirror()
        mirror.metrics = metrics
        _ = try await mirror.push()
        let gauge = { try metrics.expectGauge("tidemark_unconfirmed", [("entity", "Task")]) }
        #expect(try gauge().lastValue == 5)
        // A dry run and a verification change nothing.
        _ = try await mirror.engine().verify()
        _ = try await mirror.engine().dryRunEngine().pull()
        #expect(try gauge().lastValue == 5)
        let outcome = [("entity", "Task"), ("outcome", "notTaken")]
        #expect(throws: (any Error).self) {
            try metrics.expectCounter("tidemark_changes", outcome)
        }
        let engine = try mirror.engine()
        _ = try await engine.pull()
        #expect(try metrics.expectCounter("tidemark_changes", outcome).totalValue == 2)
        #expect(try gauge().lastValue == 1)
        for _ in 1...2 { _ = try await engine.pull() }
        #expect(try gauge().lastValue == 0)
        #expect(
            try metrics.expectCounter("tidemark_not_shown", [("entity", "Task")]).totalValue == 1
        )
    }
}
