import Foundation
import HTTPTypes
import Testing
import TidemarkImport
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// Pulls from a Kinto server that runs for tests.
@Suite(
    .serialized,
    .enabled(
        if: RealMirror.address("KINTO") != nil,
        "TIDEMARK_TEST_KINTO is not set: Kinto is not tested. `make test-services` starts it."
    )
)
struct KintoServicesTests {
    @Test(arguments: Carrier.allCases)
    func `what is there, and what becomes of it, is mirrored`(_ carrier: Carrier) async throws {
        let mirror = try await RealMirror.kinto()
        let ids = try await mirror.create(12)
        try await carrier.run { transport in
            let first = try await mirror.pull(over: transport)
            #expect(first.ending == .complete)
            #expect(first.pages == 3)
            #expect(try mirror.local() == (try await mirror.remote()))
            try await mirror.change(ids[1], ["title": "changed"])
            try await mirror.change(ids[11], ["position": 99])
            try await mirror.remove(ids[6])
            try await mirror.create("new", position: 100)
            let log = RequestLog(transport)
            let second = try await mirror.pull(over: log)
            #expect(try mirror.local() == (try await mirror.remote()))
            // One page of changes, with the tombstone among them, and how many there are.
            #expect(log.answers == ["GET 200", "HEAD 200"], "\(log.entries)")
            #expect(second.imported.entities["Task"]?.inserted == 1)
            #expect(second.imported.entities["Task"]?.updated == 2)
            #expect(second.imported.entities["Task"]?.deleted == 1)
        }
    }

    @Test(arguments: Carrier.allCases)
    func `when nothing has changed, one conditional request tells it`(
        _ carrier: Carrier
    ) async throws {
        let mirror = try await RealMirror.kinto()
        try await mirror.create(12)
        try await carrier.run { transport in
            try await mirror.pull(over: transport)
            let log = RequestLog(transport)
            for _ in 0..<2 {
                log.forget()
                let report = try await mirror.pull(over: log)
                #expect(report.ending == .unchanged)
                #expect(log.answers == ["GET 304"], "\(log.entries)")
            }
        }
    }

    @Test(arguments: Carrier.allCases)
    func `changes right behind the last one seen are seen`(_ carrier: Carrier) async throws {
        let mirror = try await RealMirror.kinto()
        let ids = try await mirror.create(3)
        try await carrier.run { transport in
            for round in 0..<10 {
                try await mirror.change(ids[round % 3], ["position": .number("\(round)")])
                try await mirror.pull(over: transport)
                #expect(try mirror.local() == (try await mirror.remote()))
            }
        }
    }

    @Test(arguments: Carrier.allCases)
    func `what changes while pages are read is seen by this pull or the next`(
        _ carrier: Carrier
    ) async throws {
        let mirror = try await RealMirror.kinto()
        let ids = try await mirror.create(12)
        try await carrier.run { transport in
            let log = RequestLog(transport)
            log.before(2) {
                try await mirror.remove(ids[2])
                try await mirror.remove(ids[9])
                try await mirror.change(ids[0], ["title": "moved"])
                try await mirror.create("meanwhile")
            }
            try await mirror.pull(over: log)
            try await mirror.pull(over: log)
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }

    @Test(arguments: Carrier.allCases)
    func `a first pull that was interrupted goes on at its page`(
        _ carrier: Carrier
    ) async throws {
        let mirror = try await RealMirror.kinto()
        let ids = try await mirror.create(12)
        try await carrier.run { transport in
            let log = RequestLog(transport)
            log.before(2) { throw RequestLog.cut }
            let failed = try await mirror.pull(over: log)
            #expect(failed.ending == .failed)
            #expect(failed.items == 5)
            let missed = log.entries.last?.request.path
            #expect(missed?.contains("_token=") == true)
            try await mirror.remove(ids[1])
            log.forget()
            let second = try await mirror.pull(over: log)
            #expect(second.ending == .complete)
            #expect(log.entries.first?.request.path == missed)
            try await mirror.pull(over: log)
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }

    @Test(arguments: Carrier.allCases)
    func `a collection that was deleted and made again deletes nothing without being asked`(
        _ carrier: Carrier
    ) async throws {
        let mirror = try await RealMirror.kinto()
        try await mirror.create(12)
        try await carrier.run { transport in
            try await mirror.pull(over: transport)
            let before = try mirror.local()
            try await mirror.removeCollection()
            try await mirror.makeCollection()
            let report = try await mirror.pull(over: transport)
            #expect(report.isFlushed)
            #expect(report.parked?.rows == 12)
            #expect(try mirror.local() == before)
            try await mirror.pull(over: transport) {
                $0.isFull = true
                $0.sweepGuard = nil
            }
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }

    @Test(arguments: Carrier.allCases)
    func `deletions whose tombstones are gone are found by counting`(
        _ carrier: Carrier
    ) async throws {
        let mirror = try await RealMirror.kinto()
        try await mirror.create(7)
        try await carrier.run { transport in
            try await mirror.pull(over: transport)
            // Whatever was known of the seven is gone, and a change tells nothing of that.
            try await mirror.removeCollection()
            try await mirror.makeCollection()
            try await mirror.create(2)
            try await mirror.pull(over: transport)
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }

    @Test(arguments: Carrier.allCases)
    func `a server that was emptied is an error until the collection is there again`(
        _ carrier: Carrier
    ) async throws {
        let mirror = try await RealMirror.kinto()
        try await mirror.create(7)
        try await carrier.run { transport in
            try await mirror.pull(over: transport)
            let before = try mirror.local()
            let server = try #require(RealMirror.address("KINTO"))
            try await mirror.desk.http.ask("POST", server.appending(path: "__flush__"))
            let failed = try await mirror.pull(over: transport)
            #expect(failed.ending == .failed)
            #expect(try mirror.local() == before)
            try await mirror.makeCollection()
            try await mirror.create("only one")
            try await mirror.pull(over: transport)
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }

    @Test(arguments: Carrier.allCases)
    func `a tag that something in between has made weak is the version all the same`(
        _ carrier: Carrier
    ) async throws {
        let mirror = try await RealMirror.kinto()
        let ids = try await mirror.create(7)
        try await carrier.run { transport in
            let log = RequestLog(transport) { fields in
                fields[.eTag] = fields[.eTag].map { "W/\($0)" }
            }
            try await mirror.pull(over: log)
            log.forget()
            let unchanged = try await mirror.pull(over: log)
            #expect(unchanged.ending == .unchanged)
            try await mirror.remove(ids[3])
            let changed = try await mirror.pull(over: log)
            #expect(changed.imported.entities["Task"]?.deleted == 1)
            #expect(!changed.isFlushed)
            #expect(log.answers == ["GET 304", "GET 200", "HEAD 200"], "\(log.entries)")
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }

    @Test(arguments: Carrier.allCases)
    func `credentials that are missing or wrong are told in the server's words`(
        _ carrier: Carrier
    ) async throws {
        for (user, status, words) in [
            (nil, 401, "Please authenticate yourself"), ("other", 403, "cannot access"),
        ] as [(String?, Int, String)] {
            let mirror = try await RealMirror.kinto(user: user)
            try await mirror.create(1)
            try await carrier.run { transport in
                let log = RequestLog(transport)
                let report = try await mirror.pull(over: log, attempts: 3)
                let error = report.failure as? RemoteError
                #expect(error?.code == .refused)
                #expect(error?.status == status)
                #expect(error?.message.contains(words) == true)
                #expect(log.entries.count == 1)
            }
        }
    }
}
