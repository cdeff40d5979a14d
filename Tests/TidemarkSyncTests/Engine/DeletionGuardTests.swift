import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTesting

/// The deletion guard, whose limit applies to every entity that loses rows.
struct DeletionGuardTests {
    private static let model = Model {
        EntityDescription("User") {
            Attribute("id", .integer64)
            Relationship(
                "notes",
                to: "Note",
                isToMany: true,
                inverse: "user",
                deleteRule: .cascade
            )
        }
        EntityDescription("Note") {
            Attribute("id", .integer64)
            Relationship("user", to: "User", inverse: "notes")
        }
    }

    private static func mirror() throws -> ScriptedMirror {
        try ScriptedMirror(model, [("User", "users")])
    }

    /// Returns a list of users with `notes` notes each.
    private static func users(_ numbers: ClosedRange<Int>, notes: Int) -> String {
        let users = numbers.map { user in
            let notes = (0..<notes).map { #"{"id": \#(user * 100 + $0)}"# }
            return #"{"id": \#(user), "notes": [\#(notes.joined(separator: ", "))]}"#
        }
        return #"{"results": [\#(users.joined(separator: ", "))], "next": null}"#
    }

    /// Sets limits that a few rows exceed.
    private static func strictly(_ options: inout PullOptions) {
        options.deletionGuard = DeletionGuard(share: 0.5, rows: 2, fullDeletionThreshold: 3)
    }

    private func expectPending(
        _ mirror: ScriptedMirror,
        _ report: SyncReport,
        _ shares: [PendingDeletion.Share]
    ) throws {
        #expect(report.pendingDeletions.map(\.shares) == [shares])
        #expect(report.total.entities.values.allSatisfy { $0.deleted == 0 })
    }

    @Test func `nested rows that are all missing await approval`() async throws {
        let mirror = try Self.mirror()
        mirror.service["/users"] = Self.users(1...20, notes: 10)
        try await mirror.pull()
        mirror.service["/users"] = Self.users(1...20, notes: 0)
        let report = try await mirror.pull()
        try expectPending(mirror, report, [.init(entity: "Note", rows: 200, total: 200)])
        let store = mirror.store
        for (limit, count) in [(-1, 0), (0, 0), (3, 3), (1_000, 200)] {
            let rows = try await store.writer.read { db in
                try Importer(store).rowsOfPendingDeletion(db, "users", limit: limit)
            }
            #expect(rows.count == count)
        }
    }

    @Test func `rows deleted by cascade count towards the limit`() async throws {
        let mirror = try Self.mirror()
        mirror.service["/users"] = Self.users(1...20, notes: 10)
        try await mirror.pull()
        mirror.service["/users"] = Self.users(1...8, notes: 10)
        let report = try await mirror.pull()
        try expectPending(
            mirror,
            report,
            [
                .init(entity: "User", rows: 12, total: 20),
                .init(entity: "Note", rows: 120, total: 200),
            ]
        )
        #expect(try mirror.count("User") == 20)
    }

    @Test func `rows that the pull inserts do not raise the limit`() async throws {
        let mirror = try Self.mirror()
        mirror.service["/users"] = Self.users(1...20, notes: 0)
        try await mirror.pull()
        mirror.service["/users"] = Self.users(101...120, notes: 0)
        let report = try await mirror.pull()
        try expectPending(mirror, report, [.init(entity: "User", rows: 20, total: 20)])
        #expect(try mirror.count("User") == 40)
    }

    @Test func `tombstones count towards the limit, and rows that are listed again are withdrawn`()
        async throws
    {
        var mirror = try Self.mirror()
        mirror.resources[0].style.deletes = .marked(["deleted"])
        mirror.service["/users"] = Self.users(1...20, notes: 0)
        try await mirror.pull()
        let tombstones = (1...20).map { #"{"id": \#($0), "deleted": true}"# }
        mirror.service["/users"] = #"{"results": [\#(tombstones.joined(separator: ", "))]}"#
        let report = try await mirror.pull()
        try expectPending(mirror, report, [.init(entity: "User", rows: 20, total: 20)])
        mirror.service["/users"] = Self.users(1...5, notes: 0)
        let second = try await mirror.pull(Self.strictly)
        try expectPending(mirror, second, [.init(entity: "User", rows: 15, total: 20)])
        mirror.service["/users"] = Self.users(1...20, notes: 0)
        #expect(try await mirror.pull().pendingDeletions == [])
    }

    @Test func `approving requests the list again and keeps the rows that it contains`()
        async throws
    {
        let mirror = try Self.mirror()
        mirror.service["/users"] = Self.users(1...20, notes: 1)
        try await mirror.pull()
        mirror.service["/users"] = Self.users(1...2, notes: 1)
        try await mirror.pull(Self.strictly)
        mirror.service["/users"] = Self.users(1...7, notes: 1)
        let report = try await mirror.engine().approveDeletion(of: "users")
        #expect(report.total.entities["User"]?.deleted == 13)
        #expect(report.total.entities["Note"]?.deleted == 13)
        #expect(try mirror.count("User") == 7)
        #expect(try SyncStatus.of(mirror.store).pendingDeletions == [])
    }

    @Test func `approving deletes nothing while the service cannot be read`() async throws {
        let mirror = try Self.mirror()
        mirror.service["/users"] = Self.users(1...20, notes: 0)
        try await mirror.pull()
        mirror.service["/users"] = Self.users(1...1, notes: 0)
        try await mirror.pull(Self.strictly)
        mirror.service["/users"] = nil
        await #expect(throws: SyncFailure.self) {
            try await mirror.engine().approveDeletion(of: "users")
        }
        #expect(try mirror.count("User") == 20)
        #expect(try SyncStatus.of(mirror.store).pendingDeletions.map(\.rowCount) == [19])
    }

    @Test func `pulls during an approval wait for it or are busy, and rows are deleted once`()
        async throws
    {
        let mirror = try Mirror(.rest, notes: 12)
        try await mirror.pull()
        for note in 0..<12 { mirror.write("n\(note)", nil) }
        try await mirror.pull()
        var environment = mirror.clock.environment
        environment.isRunning = { _ in true }
        let transport = InterceptingTransport(mirror.fake, laterPage: mirror.dialect.laterPage)
        let other = try mirror.engine(environment)
        transport.before(1) {
            let busy = await #expect(throws: SyncError.self) { try await other.pull() }
            #expect(busy?.code == .busy)
        }
        let engine = try mirror.engine(over: transport, environment)
        async let approval = engine.approveDeletion(of: mirror.resource.path)
        async let first = engine.pull()
        async let second = engine.pull()
        let reports = try await [approval, first, second]
        #expect(reports.map(\.isComplete) == [true, true, true])
        #expect(reports.compactMap { $0.total.entities["Note"]?.deleted }.max() == 12)
        #expect(try SyncStatus.of(mirror.store).pendingDeletions == [])
        #expect(try mirror.local() == mirror.remote)
        #expect(try await mirror.engine().verify().matches)
    }

    @Test func `a count that matches again withdraws a pending deletion`() async throws {
        let mirror = try Mirror(.parse, notes: 12)
        try await mirror.pull()
        for note in 0..<12 { mirror.write("n\(note)", nil) }
        try await mirror.pull()
        #expect(try SyncStatus.of(mirror.store).pendingDeletions.map(\.rowCount) == [12])
        for note in 0..<12 { mirror.write("n\(note)", "back") }
        try await mirror.pull()
        #expect(try SyncStatus.of(mirror.store).pendingDeletions == [])
        #expect(try mirror.local() == mirror.remote)
    }

    private func reject(_ mirror: ScriptedMirror) throws {
        try mirror.store.writer.write { try Importer(mirror.store).rejectDeletion($0, "users") }
    }

    @Test func `what a guard that permits nothing has found waits, whatever later ones permit`()
        async throws
    {
        let mirror = try Self.mirror()
        mirror.service["/users"] = Self.users(1...20, notes: 0)
        try await mirror.pull()
        mirror.service["/users"] = Self.users(1...19, notes: 0)
        let first = try await mirror.pull { options in
            options.deletionGuard = DeletionGuard(share: 0, rows: 0, fullDeletionThreshold: 1)
        }
        #expect(first.pendingDeletions.map(\.rowCount) == [1])
        // The usual guard deletes another row, and not this one.
        mirror.service["/users"] = Self.users(1...18, notes: 0)
        for _ in 0..<2 {
            #expect(try await mirror.pull().pendingDeletions.map(\.rowCount) == [1])
            #expect(try mirror.count("User") == 19)
        }
        mirror.service["/users"] = Self.users(1...20, notes: 0)
        #expect(try await mirror.pull().pendingDeletions == [])
        mirror.service["/users"] = Self.users(1...19, notes: 0)
        #expect(try await mirror.pull().pendingDeletions == [])
        #expect(try mirror.count("User") == 19)
    }

    @Test func `a rejection applies to later pulls until the list contains the rows again`()
        async throws
    {
        let mirror = try Self.mirror()
        mirror.service["/users"] = Self.users(1...20, notes: 0)
        try await mirror.pull()
        mirror.service["/users"] = Self.users(1...5, notes: 0)
        try await mirror.pull(Self.strictly)
        try reject(mirror)
        for _ in 0..<2 {
            let report = try await mirror.pull(Self.strictly)
            #expect(report.pendingDeletions.map(\.isRejected) == [true])
            #expect(report.pendingDeletions.map(\.rowCount) == [15])
        }
        // The guard would permit this number of deletions.
        mirror.service["/users"] = Self.users(1...18, notes: 0)
        let fewer = try await mirror.pull()
        #expect(fewer.pendingDeletions.map(\.isRejected) == [true])
        #expect(fewer.pendingDeletions.map(\.rowCount) == [2])
        #expect(try mirror.count("User") == 20)
        mirror.service["/users"] = Self.users(1...20, notes: 0)
        #expect(try await mirror.pull(Self.strictly).pendingDeletions == [])
        mirror.service["/users"] = Self.users(1...5, notes: 0)
        let again = try await mirror.pull(Self.strictly)
        #expect(again.pendingDeletions.map(\.isRejected) == [false])
    }

    @Test func `other rows are deleted despite rejected ones, or await approval with them`()
        async throws
    {
        let mirror = try Self.mirror()
        mirror.service["/users"] = Self.users(1...40, notes: 0)
        try await mirror.pull()
        mirror.service["/users"] = Self.users(11...40, notes: 0)
        try await mirror.pull {
            $0.deletionGuard = DeletionGuard(share: 0.1, rows: 2, fullDeletionThreshold: 3)
        }
        try reject(mirror)
        mirror.service["/users"] = Self.users(12...40, notes: 0)
        let report = try await mirror.pull()
        #expect(report.total.entities["User"]?.deleted == 1)
        #expect(report.pendingDeletions.map(\.rowCount) == [10])
        #expect(report.pendingDeletions.map(\.isRejected) == [true])
        mirror.service["/users"] = Self.users(35...40, notes: 0)
        let more = try await mirror.pull(Self.strictly)
        #expect(more.pendingDeletions.map(\.rowCount) == [33])
        #expect(more.pendingDeletions.map(\.isRejected) == [false])
        try reject(mirror)
        #expect(
            try await mirror.engine().approveDeletion(of: "users").total.entities["User"]?.deleted
                == 33
        )
        #expect(try SyncStatus.of(mirror.store).pendingDeletions == [])
        #expect(try mirror.count("User") == 6)
    }

    @Test func `rejected rows do not count towards the limit of others`() async throws {
        let mirror = try Self.mirror()
        mirror.service["/users"] = Self.users(1...300, notes: 0)
        try await mirror.pull()
        mirror.service["/users"] = Self.users(201...300, notes: 0)
        try await mirror.pull()
        try reject(mirror)
        mirror.service["/users"] = Self.users(202...300, notes: 0)
        let one = try await mirror.pull()
        #expect(one.total.entities["User"]?.deleted == 1)
        #expect(
            one.pendingDeletions.map(\.shares) == [[.init(entity: "User", rows: 200, total: 299)]]
        )
        #expect(one.pendingDeletions.map(\.isRejected) == [true])
        // All remaining rows exceed the limit, although they are fewer than the rejected ones were.
        mirror.service["/users"] = Self.users(301...301, notes: 0)
        let all = try await mirror.pull()
        #expect(
            all.pendingDeletions.map(\.shares) == [[.init(entity: "User", rows: 299, total: 299)]]
        )
        #expect(all.pendingDeletions.map(\.isRejected) == [false])
    }
}
