import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Acquiring, renewing and releasing the lease of a store.
struct LeaseTests {
    private let clock = ManualClock()
    private let database: DatabaseQueue

    init() throws {
        database = try DatabaseQueue()
        try database.write { try SyncTables.create($0) }
    }

    private static let here = ProcessIdentity(host: "here", number: 7, started: 70)

    /// Returns the environment of a process, with the processes that are running.
    private func makeEnvironment(
        of process: ProcessIdentity = here,
        running: Set<ProcessIdentity> = [here]
    ) -> SystemEnvironment {
        var environment = clock.environment
        environment.process = { process }
        environment.isRunning = { running.contains($0) }
        return environment
    }

    private func acquire(_ environment: SystemEnvironment) throws -> Lease {
        try database.write { try Lease.acquire($0, environment) }
    }

    private func renew(
        _ lease: Lease,
        _ environment: SystemEnvironment,
        for wait: Duration = .zero
    ) throws {
        _ = try database.write { try lease.renew($0, environment, for: wait) }
    }

    @Test func `the error of a concurrent run names the process that holds the lease`() throws {
        _ = try acquire(makeEnvironment())
        for other in [Self.here, ProcessIdentity(host: "here", number: 8, started: 80)] {
            let error = #expect(throws: SyncError.self) { try acquire(makeEnvironment(of: other)) }
            #expect(error?.code == .busy)
            #expect(
                error?.description == """
                    Another run is using this store: process 7 on here. \
                    Wait until it finishes, and try again.
                    """
            )
        }
    }

    private static let otherHost = ProcessIdentity(host: "elsewhere", number: 7, started: 70)

    @Test func `the error about a run on another host explains how to release its lease`() throws {
        _ = try acquire(makeEnvironment(of: Self.otherHost))
        let error = #expect(throws: SyncError.self) { try acquire(makeEnvironment()) }
        #expect(
            error?.description == """
                Another run is using this store: process 7 on elsewhere. Wait until it finishes; \
                if it is not running any more, release its lease with tidemark unlock.
                """
        )
    }

    @Test(arguments: [86_500.0, 63_072_000, 9e300, .infinity])
    func `a lease that expires more than a day ahead is taken over`(_ seconds: Double) throws {
        _ = try acquire(makeEnvironment(of: Self.otherHost))
        let expires = clock.now.timeIntervalSince1970 + seconds
        try database.write { db in
            try db.execute(sql: "UPDATE _tidemark_lease SET expires = ?", arguments: [expires])
        }
        let lease = try acquire(makeEnvironment())
        try renew(lease, makeEnvironment())
    }

    @Test func `a lease expires within a day, however long the timeouts are`() throws {
        let holder = try database.write { db in
            try Lease.acquire(
                db,
                makeEnvironment(of: Self.otherHost),
                idleTimeout: .seconds(30 * 3_600)
            )
        }
        #expect(throws: SyncError.self) { try acquire(makeEnvironment()) }
        try renew(holder, makeEnvironment(of: Self.otherHost), for: .seconds(1e9))
        clock.advance(by: .seconds(22 * 3_600))
        #expect(throws: SyncError.self) { try acquire(makeEnvironment()) }
        clock.advance(by: .seconds(2 * 3_600))
        _ = try acquire(makeEnvironment())
    }

    @Test func `releases an abandoned lease, but not that of a running process of this host`()
        throws
    {
        let store = try Store.validated(model: Model(entities: [.named("Tag")]))
        #expect(try store.releaseLease(environment: makeEnvironment()) == nil)
        try store.writer.write { db in
            try SyncTables.create(db)
            _ = try Lease.acquire(db, makeEnvironment(of: Self.otherHost))
        }
        #expect(try store.releaseLease(environment: makeEnvironment()) == Self.otherHost)
        #expect(try store.releaseLease(environment: makeEnvironment()) == nil)
        _ = try store.writer.write { db in try Lease.acquire(db, makeEnvironment()) }
        let error = #expect(throws: SyncError.self) {
            try store.releaseLease(environment: makeEnvironment())
        }
        #expect(error?.code == .busy)
        #expect(try store.releaseLease(environment: makeEnvironment(running: [])) == Self.here)
    }

    /// The holder of the lease, the running processes, and whether another run takes it over at
    /// once.
    static let holders: [(holder: ProcessIdentity, running: Set<ProcessIdentity>, Bool)] = [
        (here, [], true),
        (here, [here], false),
        // The process number was reused for a process that started later.
        (here, [ProcessIdentity(host: "here", number: 7, started: 71)], true),
        // Whether a process of another host is running is unknown.
        (ProcessIdentity(host: "elsewhere", number: 7, started: 70), [], false),
        (ProcessIdentity(host: "", number: 7, started: 70), [], false),
    ]

    @Test(arguments: holders)
    func `the lease of an ended process is taken over at once, on its own host only`(
        _ holder: ProcessIdentity,
        _ running: Set<ProcessIdentity>,
        _ isReplaced: Bool
    ) throws {
        let first = try acquire(makeEnvironment(of: holder))
        let caller = ProcessIdentity(host: "here", number: 9, started: 90)
        let environment = makeEnvironment(of: caller, running: running)
        if isReplaced {
            let second = try acquire(environment)
            #expect(second.token != first.token)
            #expect(throws: SyncError.self) { try renew(first, makeEnvironment(of: holder)) }
        } else {
            #expect(throws: SyncError.self) { try acquire(environment) }
            try renew(first, makeEnvironment(of: holder))
        }
    }

    @Test(arguments: [(59_999, false), (60_000, true), (3_600_000, true)])
    func `a lease that is not renewed expires after a minute`(
        _ milliseconds: Int,
        _ isReplaced: Bool
    ) throws {
        let otherHost = ProcessIdentity(host: "elsewhere", number: 1, started: 1)
        let first = try acquire(makeEnvironment(of: otherHost))
        clock.advance(by: .milliseconds(milliseconds))
        if isReplaced {
            _ = try acquire(makeEnvironment())
            let error = #expect(throws: SyncError.self) { try renew(first, makeEnvironment()) }
            #expect(error?.code == .leaseLost)
        } else {
            #expect(throws: SyncError.self) { try acquire(makeEnvironment()) }
        }
    }

    @Test func `each renewal extends the lease by a minute plus the length of a wait`() throws {
        let lease = try acquire(makeEnvironment())
        for _ in 0..<5 {
            clock.advance(by: .seconds(50))
            try renew(lease, makeEnvironment())
        }
        clock.advance(by: .seconds(59))
        #expect(throws: SyncError.self) { try acquire(makeEnvironment()) }
        try renew(lease, makeEnvironment(), for: .seconds(600))
        // A renewal never shortens the lease.
        try renew(lease, makeEnvironment())
        clock.advance(by: .seconds(659))
        #expect(throws: SyncError.self) { try acquire(makeEnvironment()) }
        clock.advance(by: .seconds(1))
        _ = try acquire(makeEnvironment())
    }

    @Test func `an expired lease can be renewed until another run takes it over`() throws {
        let lease = try acquire(makeEnvironment())
        clock.advance(by: .seconds(3_600))
        try renew(lease, makeEnvironment())
        #expect(throws: SyncError.self) { try acquire(makeEnvironment()) }
    }

    @Test func `a released lease can be acquired, and only its holder can release it`() throws {
        let first = try acquire(makeEnvironment())
        clock.advance(by: .seconds(60))
        let second = try acquire(makeEnvironment())
        try database.write { try first.release($0) }
        #expect(throws: SyncError.self) { try acquire(makeEnvironment()) }
        try database.write { try second.release($0) }
        try database.write { try second.release($0) }
        _ = try acquire(makeEnvironment())
        let error = #expect(throws: SyncError.self) { try renew(second, makeEnvironment()) }
        #expect(error?.code == .leaseLost)
    }

    @Test func `a transaction that is rolled back leaves the lease unchanged`() throws {
        struct Stop: Error {}
        let lease = try acquire(makeEnvironment())
        #expect(throws: Stop.self) {
            try database.write { db in
                try lease.release(db)
                throw Stop()
            }
        }
        try renew(lease, makeEnvironment())
        #expect(throws: SyncError.self) { try acquire(makeEnvironment()) }
    }
}
