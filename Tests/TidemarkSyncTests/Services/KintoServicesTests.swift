import Foundation
import HTTPTypes
import Testing
import TidemarkImport
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// Pulls from a Kinto server that is running for tests.
@Suite(
    .serialized,
    .enabled(
        if: RealMirror.address("KINTO") != nil,
        "TIDEMARK_TEST_KINTO is not set: Kinto is not tested. `make test-services` starts it."
    )
)
struct KintoServicesTests {
    @Test(arguments: SocketTransport.allCases)
    func `a collection that was deleted and created again deletes no rows without approval`(
        _ socketTransport: SocketTransport
    ) async throws {
        let mirror = try await RealMirror.kinto()
        try await mirror.create(12)
        try await socketTransport.run { transport in
            try await mirror.pull(over: transport)
            let before = try mirror.local()
            try await mirror.removeCollection()
            try await mirror.makeCollection()
            let report = try await mirror.pull(over: transport)
            #expect(report.wasReset)
            #expect(report.pendingDeletion?.rowCount == 12)
            #expect(try mirror.local() == before)
            try await mirror.pull(over: transport) {
                $0.isFull = true
                $0.deletionGuard = nil
            }
            try await mirror.expectInSync()
        }
    }

    @Test(arguments: SocketTransport.allCases)
    func `deletions whose tombstones were purged are found by counting`(
        _ socketTransport: SocketTransport
    ) async throws {
        let mirror = try await RealMirror.kinto()
        try await mirror.create(7)
        try await socketTransport.run { transport in
            try await mirror.pull(over: transport)
            // The tombstones are deleted with the collection, so that changes do not report the
            // seven.
            try await mirror.removeCollection()
            try await mirror.makeCollection()
            try await mirror.create(2)
            try await mirror.pull(over: transport)
            try await mirror.expectInSync()
        }
    }

    @Test(arguments: SocketTransport.allCases)
    func `a deleted bucket is an error until the collection exists again`(
        _ socketTransport: SocketTransport
    ) async throws {
        let mirror = try await RealMirror.kinto()
        try await mirror.create(7)
        try await socketTransport.run { transport in
            try await mirror.pull(over: transport)
            let before = try mirror.local()
            try await mirror.endpoints.http.send("DELETE", mirror.service.url)
            let failed = try await mirror.pull(over: transport)
            #expect(failed.ending == .failed)
            #expect(try mirror.local() == before)
            try await mirror.makeCollection()
            try await mirror.create("only one")
            try await mirror.pull(over: transport)
            try await mirror.expectInSync()
        }
    }

    @Test(arguments: SocketTransport.allCases)
    func `an entity tag that an intermediary has made weak is still the version`(
        _ socketTransport: SocketTransport
    ) async throws {
        let mirror = try await RealMirror.kinto()
        let ids = try await mirror.create(7)
        try await socketTransport.run { transport in
            let log = RequestLog(transport) { fields in
                fields[.eTag] = fields[.eTag].map { "W/\($0)" }
            }
            try await mirror.pull(over: log)
            log.clear()
            let unchanged = try await mirror.pull(over: log)
            #expect(unchanged.ending == .unchanged)
            try await mirror.remove(ids[3])
            let changed = try await mirror.pull(over: log)
            #expect(changed.imported.entities["Task"]?.deleted == 1)
            #expect(!changed.wasReset)
            #expect(log.exchanges == ["GET 304", "GET 200", "HEAD 200"], "\(log.entries)")
            try await mirror.expectInSync()
        }
    }

    @Test(arguments: SocketTransport.allCases)
    func `the error for missing or wrong credentials contains the server's message`(
        _ socketTransport: SocketTransport
    ) async throws {
        for (user, status, words) in [
            (nil, 401, "Please authenticate yourself"), ("other", 403, "cannot access"),
        ] as [(String?, Int, String)] {
            let mirror = try await RealMirror.kinto(user: user)
            try await mirror.create(1)
            try await socketTransport.run { transport in
                let log = RequestLog(transport)
                let report = try await mirror.pull(over: log, attempts: 3)
                let error = report.failure as? RemoteError
                #expect(error?.code == .unauthorized)
                #expect(error?.status == status)
                #expect(error?.message.contains(words) == true)
                #expect(log.entries.count == 1)
            }
        }
    }
}
