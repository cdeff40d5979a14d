import GRDB
import HTTPTypes
import Testing
import TidemarkFakeServer
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTesting

/// Pulls over sockets, in every dialect and with both transports.
@Suite(.timeLimit(.minutes(40)))
struct SocketTests {
    @Test(arguments: Mirror.Dialect.standard, SocketTransport.allCases)
    func `a first pull imports everything, and later ones the changes`(
        _ dialect: Mirror.Dialect,
        _ socketTransport: SocketTransport
    ) async throws {
        try await Mirror(dialect).onSocket(socketTransport) { mirror in
            let first = try await mirror.pull()
            #expect(first.failure == nil)
            #expect(first.ending == .complete)
            #expect(try mirror.local() == mirror.remote)
            mirror.clock.advance(by: .seconds(5))
            mirror.write("n2", "second")
            mirror.write("n9", "new")
            mirror.write("n4", nil)
            let second = try await mirror.pull()
            #expect(second.failure == nil)
            let counts = second.imported.entities["Note"]
            #expect([counts?.inserted, counts?.updated, counts?.deleted] == [1, 1, 1])
            #expect(try mirror.local() == mirror.remote)
            // A change at the same time as the last one.
            mirror.write("n1", "third")
            try await mirror.pull()
            #expect(try mirror.local() == mirror.remote)
        }
    }

    @Test(arguments: Mirror.Dialect.standard, SocketTransport.allCases)
    func `unmodified pages are not sent again if responses have validators`(
        _ dialect: Mirror.Dialect,
        _ socketTransport: SocketTransport
    ) async throws {
        try await Mirror(dialect).onSocket(socketTransport) { mirror in
            mirror.clock.advance(by: .seconds(5))
            mirror.write("n6", "second")
            try await mirror.pull()
            mirror.fake.clearRequests()
            let report = try await mirror.pull()
            #expect(report.imported.changedRows == 0)
            #expect(mirror.fake.requests.map(\.status) == dialect.statusesOfNothing)
        }
    }

    @Test(arguments: Mirror.Dialect.standard, SocketTransport.allCases)
    func `compressed responses are imported and revalidated`(
        _ dialect: Mirror.Dialect,
        _ socketTransport: SocketTransport
    ) async throws {
        try await Mirror(dialect).onSocket(socketTransport, coding: .compressed) { mirror in
            mirror.clock.advance(by: .seconds(5))
            mirror.write("n6", "second")
            try await mirror.pull()
            #expect(try mirror.local() == mirror.remote)
            mirror.clock.advance(by: .seconds(5))
            mirror.fake.clearRequests()
            try await mirror.pull()
            #expect(mirror.fake.requests.map(\.status) == dialect.statusesOfNothing)
            mirror.write("n5", nil)
            try await mirror.pull()
            #expect(try mirror.local() == mirror.remote)
        }
    }

    @Test(arguments: Mirror.Dialect.standard, SocketTransport.allCases)
    func `an interrupted pull resumes at its checkpoint`(
        _ dialect: Mirror.Dialect,
        _ socketTransport: SocketTransport
    ) async throws {
        try await Mirror(dialect).onSocket(socketTransport) { mirror in
            var mirror = mirror
            let log = RequestLog(mirror.transport)
            mirror.transport = log
            log.before(2) { throw RequestLog.connectionLost }
            let failed = try await mirror.engine { $0.http.attempts = 1 }.pull()
            #expect(!failed.isComplete)
            let missed = log.entries.last?.request.path
            #expect(try mirror.local().split(separator: "\n").count == 3)
            log.clear()
            let report = try await mirror.pull()
            #expect(report.ending == .complete)
            #expect(log.entries.first?.request.path == missed)
            #expect(try mirror.local() == mirror.remote)
        }
    }

    @Test(arguments: Mirror.Dialect.standard, SocketTransport.allCases)
    func `requests over broken connections are retried`(
        _ dialect: Mirror.Dialect,
        _ socketTransport: SocketTransport
    ) async throws {
        try await Mirror(dialect).onSocket(socketTransport) { mirror in
            for fault in [
                FakeFault.connectionClosed, .truncatedBody(after: 30), .reset(after: 30),
                .status(503),
            ] {
                mirror.fake.inject(fault, times: 1)
                mirror.clock.advance(by: .seconds(5))
                mirror.write("n3", "\(fault)")
                let report = try await mirror.pull()
                #expect(report.failure == nil, "\(fault)")
                #expect(try mirror.local() == mirror.remote)
            }
        }
    }

    @Test(arguments: Mirror.Dialect.standard, SocketTransport.allCases)
    func `a reset service deletes no rows without approval`(
        _ dialect: Mirror.Dialect,
        _ socketTransport: SocketTransport
    ) async throws {
        try await Mirror(dialect, notes: 12).onSocket(socketTransport) { mirror in
            try await mirror.pull()
            let before = try mirror.local()
            mirror.fake.reset()
            mirror.clock.advance(by: .seconds(5))
            let report = try await mirror.pull()
            #expect(report.pendingDeletion?.rowCount == 12)
            #expect(try mirror.local() == before)
            _ = try await mirror.store.writer.write { db in
                try Importer(mirror.store).approveDeletion(
                    db,
                    report.pendingDeletion?.resource ?? ""
                )
            }
            try await mirror.pull()
            #expect(try mirror.local() == "")
        }
    }

    @Test(arguments: Mirror.Dialect.standard, SocketTransport.allCases)
    func `another engine is busy during a pull, and callers of the same engine join it`(
        _ dialect: Mirror.Dialect,
        _ socketTransport: SocketTransport
    ) async throws {
        try await Mirror(dialect).onSocket(socketTransport) { mirror in
            var busy = mirror
            let log = RequestLog(mirror.transport)
            busy.transport = log
            let other = try mirror.engine()
            log.before(2) {
                let error = await #expect(throws: SyncError.self) { try await other.pull() }
                #expect(error?.code == .busy)
            }
            let engine = try busy.engine()
            async let first = engine.pull()
            async let second = engine.pull()
            let reports = try await [first, second]
            #expect(reports.map(\.requests) == [log.entries.count, log.entries.count])
            #expect(mirror.fake.requests.count == log.entries.count)
            #expect(try mirror.local() == mirror.remote)
        }
    }
}

extension Mirror.Dialect {
    /// The statuses of the responses to a pull of seven unchanged notes, three per page.
    fileprivate var statusesOfNothing: [Int] {
        switch self {
        case .kinto: [304]
        // The latest change is returned again, on one page, and then the count is requested.
        case .parse: [200, 200]
        // Its responses have no validators.
        case .jsonAPI: [200, 200, 200]
        case .rails, .rest, .offsets, .cursors, .changes, .ordered, .shelves, .embedded,
            .zeroBased, .suspected, .flagged, .unfollowed:
            [304, 304, 304]
        }
    }
}
