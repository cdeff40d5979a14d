import HTTPTypes
import Testing
import TidemarkImport
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// Pulls from every real service that is running for tests.
@Suite(
    .serialized,
    .enabled(
        if: !RealService.running.isEmpty,
        "No real service is tested. `make test-services` starts them."
    )
)
struct AllServicesTests {
    @Test(arguments: RealService.running, SocketTransport.allCases)
    func `the store follows inserts, updates and deletions at the service`(
        _ service: RealService,
        _ socketTransport: SocketTransport
    ) async throws {
        let mirror = try await service.mirror()
        let ids = try await mirror.create(2 * service.page + 1)
        try await socketTransport.run { transport in
            let first = try await mirror.pull(over: transport)
            #expect(first.ending == .complete)
            #expect(first.pages == 3)
            try await mirror.expectInSync()
            try await mirror.change(ids[1], ["title": "changed"])
            try await mirror.remove(ids[6])
            try await mirror.remove(ids[3])
            try await mirror.create("new", position: 100)
            let second = try await mirror.pull(over: transport)
            #expect(second.ending == .complete)
            #expect(second.imported.entities["Task"]?.deleted == 2)
            #expect(second.imported.entities["Task"]?.inserted == 1)
            #expect(second.imported.entities["Task"]?.updated == 1)
            try await mirror.expectInSync()
        }
    }

    @Test(arguments: RealService.running, SocketTransport.allCases)
    func `conditional requests detect that nothing has changed`(
        _ service: RealService,
        _ socketTransport: SocketTransport
    ) async throws {
        let mirror = try await service.mirror()
        let ids = try await mirror.create(2 * service.page + 1)
        try await socketTransport.run { transport in
            try await mirror.pull(over: transport)
            let log = RequestLog(transport)
            for _ in 0..<2 {
                log.clear()
                let unchanged = try await mirror.pull(over: log)
                #expect(unchanged.ending == .unchanged)
                #expect(log.exchanges == service.unchanged, "\(log.entries)")
            }
            guard let expected = service.changedInTheMiddle else { return }
            log.clear()
            try await mirror.change(ids[service.page + 1], ["title": "changed"])
            try await mirror.pull(over: log)
            #expect(log.exchanges == expected, "\(log.entries)")
            try await mirror.expectInSync()
        }
    }

    @Test(arguments: RealService.running, SocketTransport.allCases)
    func `rows that move between pages during a pull are neither missed nor kept by mistake`(
        _ service: RealService,
        _ socketTransport: SocketTransport
    ) async throws {
        let mirror = try await service.mirror()
        let ids = try await mirror.create(3 * service.page + 1)
        try await socketTransport.run { transport in
            try await mirror.pull(over: transport)
            let log = RequestLog(transport)
            log.before(2) {
                try await mirror.remove(ids[1])
                try await mirror.change(ids[0], ["title": "moved"])
            }
            log.before(3) { try await mirror.create("after") }
            try await mirror.pull(over: log) { $0.isFull = true }
            try await mirror.pull(over: transport)
            try await mirror.expectInSync()
        }
    }

    @Test(arguments: RealService.running, SocketTransport.allCases)
    func `an interrupted first pull resumes at its checkpoint`(
        _ service: RealService,
        _ socketTransport: SocketTransport
    ) async throws {
        let mirror = try await service.mirror()
        let ids = try await mirror.create(2 * service.page + 1)
        try await socketTransport.run { transport in
            let log = RequestLog(transport)
            log.before(2) { throw RequestLog.connectionLost }
            let failed = try await mirror.pull(over: log)
            #expect(failed.ending == .failed)
            #expect(failed.items == service.page)
            let missed = log.entries.last?.request.path
            log.clear()
            let second = try await mirror.pull(over: log)
            #expect(second.ending == .complete)
            #expect(log.entries.count == 2)
            #expect(log.entries.first?.request.path == missed)
            try await mirror.expectInSync()
            try await mirror.remove(ids[1])
            try await mirror.pull(over: transport)
            try await mirror.expectInSync()
        }
    }

    @Test(arguments: RealService.changing, SocketTransport.allCases)
    func `requests only the changes, and finds deletions`(
        _ service: RealService,
        _ socketTransport: SocketTransport
    ) async throws {
        let mirror = try await service.changingMirror()
        let ids = try await mirror.create(2 * service.page + 1)
        try await socketTransport.run { transport in
            for _ in 0..<2 { try await mirror.pull(over: transport) }
            let log = RequestLog(transport)
            try await mirror.change(ids[2], ["title": "changed"])
            let changed = try await mirror.pull(over: log)
            #expect(changed.imported.entities["Task"]?.updated == 1)
            #expect(log.exchanges == service.change, "\(log.entries)")
            try await mirror.expectInSync()
            try await mirror.remove(ids[5])
            try await mirror.pull(over: transport)
            try await mirror.expectInSync()
        }
    }

    @Test(arguments: RealService.changing, SocketTransport.allCases)
    func `changes immediately after the last seen one are found`(
        _ service: RealService,
        _ socketTransport: SocketTransport
    ) async throws {
        let mirror = try await service.changingMirror()
        let ids = try await mirror.create(service.page)
        try await socketTransport.run { transport in
            for round in 0..<10 {
                try await mirror.change(
                    ids[round % service.page],
                    ["position": .number("\(round)")]
                )
                try await mirror.pull(over: transport)
                try await mirror.expectInSync()
            }
        }
    }
}

// MARK: - Lists that do not report deletions

extension AllServicesTests {
    @Test(arguments: RealService.unlistedDeletions, SocketTransport.allCases)
    func `a page that no longer exists when it is requested does not fail the pull`(
        _ service: RealService,
        _ socketTransport: SocketTransport
    ) async throws {
        let mirror = try await service.mirror()
        let ids = try await mirror.create(2 * service.page + 1)
        try await socketTransport.run { transport in
            try await mirror.pull(over: transport)
            let log = RequestLog(transport)
            // The URL of the last page, which the service has just returned, no longer exists.
            log.before(3) { try await mirror.remove(ids[6]) }
            let report = try await mirror.pull(over: log) { $0.isFull = true }
            #expect(report.failure == nil)
            try await mirror.pull(over: transport)
            try await mirror.expectInSync()
        }
    }

    @Test(arguments: RealService.unlistedDeletions, SocketTransport.allCases)
    func `an emptied list deletes no rows without approval`(
        _ service: RealService,
        _ socketTransport: SocketTransport
    ) async throws {
        let mirror = try await service.mirror()
        let ids = try await mirror.create(10)
        try await socketTransport.run { transport in
            try await mirror.pull(over: transport)
            let before = try mirror.local()
            for id in ids { try await mirror.remove(id) }
            let guarded = try await mirror.pull(over: transport)
            #expect(guarded.pendingDeletion?.rowCount == 10)
            #expect(try mirror.local() == before)
            try await mirror.pull(over: transport) { $0.deletionGuard = nil }
            try await mirror.expectInSync()
        }
    }
}
