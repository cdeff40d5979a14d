import Foundation
import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// What a user decides about deletions at the service that exceed the guard of a push.
struct DeletionDecisionTests {
    @Test func `approved deletions are sent, and later ones are not`() async throws {
        let scene = try await DeletionScene(30)
        try await scene.delete(1...29)
        let first = try await scene.engine.push()
        #expect(first.entities["Task"] == PushReport.Counts(deleted: 29))
        #expect(try await scene.counts() == [1, 1])
        let other = try await DeletionScene(30)
        try await other.delete(1...30)
        _ = try await other.engine.push()
        #expect(try await other.counts() == [0, 30])
        #expect(try await other.approve() == 30)
        #expect(try other.pending().isEmpty)
        #expect(try await other.counts() == [0, 30])
        let report = try await other.engine.push()
        #expect(report.entities["Task"] == PushReport.Counts(deleted: 30))
        #expect(report.localChanges.pendingServiceDeletions.isEmpty)
        #expect(try await other.counts() == [0, 0])
        #expect(try await other.approve() == 0)
        // They do not count towards the next hour.
        other.tasks.fake.change { data in
            for number in 31...40 { data["tasks/\(number)"] = ["title": "more"] }
        }
        _ = try await other.engine.pull()
        try await other.delete(31...39)
        #expect(try await other.engine.push().entities["Task"]?.deleted == 9)
    }

    @Test func `rejected deletions are discarded, and the rows are there again`() async throws {
        let scene = try await DeletionScene(12)
        let before = try scene.tasks.state()
        try await scene.delete(1...12)
        _ = try await scene.engine.push()
        #expect(try await scene.reject() == 12)
        try expect(scene.tasks.state(), is: before)
        #expect(try await scene.reject() == 0)
        _ = try await scene.engine.sync()
        #expect(try await scene.counts() == [12, 12])
        #expect(try scene.tasks.changes().isEmpty)
    }

    @Test func `a retry does not approve them`() async throws {
        let scene = try await DeletionScene(12)
        try await scene.delete(1...12)
        _ = try await scene.engine.push()
        let count = try await scene.tasks.store.write { [store = scene.tasks.store] writer in
            try Outbox(store).retry(writer.db)
        }
        #expect(count == 0)
        _ = try await scene.engine.push()
        #expect(try await scene.counts() == [0, 12])
    }

    @Test func `a row that is deleted with others can be restored alone`() async throws {
        let scene = try await DeletionScene(12)
        try await scene.delete(1...12)
        _ = try await scene.engine.push()
        try await scene.tasks.store.write { [store = scene.tasks.store] writer in
            try Outbox(store).discard(writer.db, RecordLocator("Task#7"))
        }
        // Eleven of twelve are not all, and not more than 100.
        let report = try await scene.engine.push()
        #expect(report.entities["Task"]?.deleted == 11)
        #expect(try await scene.counts() == [1, 1])
    }

    @Test func `rows of two entities are restored in either order, or that is an error`()
        async throws
    {
        let tasks = try TaskService(.rest)
        tasks.fake.change { data in
            for number in 2...12 { data["projects/\(number)"] = ["name": "p"] }
            for number in 1...12 {
                data["tasks/\(number)"] = [
                    "title": "a", "done": false, "project_id": .number("\(number)"),
                ]
            }
        }
        let engine = try tasks.engine()
        _ = try await engine.pull()
        let before = try tasks.state()
        try await tasks.store.writer.write { db in
            try db.execute(sql: "DELETE FROM Task")
            try db.execute(sql: "DELETE FROM Project")
        }
        let report = try await engine.push()
        #expect(report.localChanges.pendingServiceDeletions.map(\.entity) == ["Project", "Task"])
        let store = tasks.store
        let error = try await #require(throws: StoreError.self) {
            try await store.write { writer in
                try Outbox(store).rejectDeletions(writer.db, of: "Task")
            }
        }
        #expect(error.code == .dependentChange)
        try await store.write { writer in
            try Outbox(store).rejectDeletions(writer.db, of: "Project")
            try Outbox(store).rejectDeletions(writer.db, of: "Task")
        }
        try expect(tasks.state(), is: before)
    }
}
