import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Texts that another program has written, and that are not valid UTF-8.
struct InvalidTextTests {
    private func hex(_ tasks: TaskService) async throws -> [String] {
        try await tasks.store.writer.read { db in
            try String.fetchAll(db, sql: "SELECT hex(title) FROM Task ORDER BY _id")
        }
    }

    private func write(_ sql: String, _ tasks: TaskService) async throws {
        try await tasks.store.writer.write { db in try db.execute(sql: sql) }
    }

    @Test(arguments: ["61FF62", "C3", "EDA080", "F4908080", "C0AF"])
    func `a change with such a text is rejected, and its bytes stay`(_ bytes: String) async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await write("UPDATE Task SET title = CAST(x'\(bytes)' AS TEXT) WHERE id = 1", tasks)
        try await tasks.rename(2, to: "mine")
        let report = try await engine.sync()
        #expect(report.pushed.entities["Task"] == PushReport.Counts(updated: 1, rejected: 1))
        #expect(try await hex(tasks) == [bytes, "6D696E65"])
        #expect(
            try tasks.changes() == [
                "Task#1 update, rejected: The value of title in Task#1 is not valid UTF-8, and JSON "
                    + "has no other text: give the row another value."
            ]
        )
        #expect(tasks.object(1) == #""title":"task 1","done":false"#)
        // Pulled again, also completely.
        var options = PullOptions()
        options.isFull = true
        _ = try await engine.pull(with: options)
        #expect(try await hex(tasks) == [bytes, "6D696E65"])
        // The user corrects it.
        try await tasks.rename(1, to: "right")
        _ = try await engine.sync()
        #expect(try tasks.changes().isEmpty)
        #expect(tasks.object(1) == #""title":"right","done":false"#)
    }

    @Test func `a new row with such a text is rejected`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await write("INSERT INTO Task (title) VALUES (CAST(x'61FF' AS TEXT))", tasks)
        let report = try await engine.push()
        #expect(report.entities["Task"] == PushReport.Counts(rejected: 1))
        #expect(tasks.fake.audit.isEmpty)
        #expect(try await hex(tasks).last == "61FF")
    }

    @Test func `another change of a row with such a text is sent`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await write("UPDATE Task SET title = CAST(x'61FF' AS TEXT) WHERE id = 1", tasks)
        // As if the service had it, so that it is not a change.
        try await write("DELETE FROM _tidemark_base", tasks)
        try await write("DELETE FROM _tidemark_change", tasks)
        try await write("UPDATE Task SET done = 1 WHERE id = 1", tasks)
        let report = try await engine.push()
        #expect(report.entities["Task"] == PushReport.Counts(updated: 1))
    }

    @Test func `a replacement character that a user has written is sent`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.rename(1, to: "a\u{FFFD}b")
        _ = try await engine.sync()
        #expect(try tasks.changes().isEmpty)
        #expect(tasks.object(1) == #""title":"a\#u{FFFD}b","done":false"#)
    }
}
