import HTTPTypes
import Testing
import TidemarkImport
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// What holds of every real service that runs for tests.
@Suite(
    .serialized,
    .enabled(
        if: !RealService.running.isEmpty,
        "No real service is tested. `make test-services` starts them."
    )
)
struct AllServicesTests {
    @Test(arguments: RealService.running, SocketTransport.allCases)
    func `what is there, and what becomes of it, is mirrored`(
        _ service: RealService,
        _ carrier: SocketTransport
    ) async throws {
        let mirror = try await service.mirror()
        let ids = try await mirror.create(2 * service.page + 1)
        try await carrier.run { transport in
            let first = try await mirror.pull(over: transport)
            #expect(first.ending == .complete)
            #expect(first.pages == 3)
            try await mirror.expectAlike()
            try await mirror.change(ids[1], ["title": "changed"])
            try await mirror.remove(ids[6])
            try await mirror.remove(ids[3])
            try await mirror.create("new", position: 100)
            let second = try await mirror.pull(over: transport)
            #expect(second.ending == .complete)
            #expect(second.imported.entities["Task"]?.deleted == 2)
            #expect(second.imported.entities["Task"]?.inserted == 1)
            #expect(second.imported.entities["Task"]?.updated == 1)
            try await mirror.expectAlike()
        }
    }

    @Test(arguments: RealService.running, SocketTransport.allCases)
    func `when nothing has changed, conditional requests tell it`(
        _ service: RealService,
        _ carrier: SocketTransport
    ) async throws {
        let mirror = try await service.mirror()
        let ids = try await mirror.create(2 * service.page + 1)
        try await carrier.run { transport in
            try await mirror.pull(over: transport)
            let log = RequestLog(transport)
            for _ in 0..<2 {
                log.forget()
                let unchanged = try await mirror.pull(over: log)
                #expect(unchanged.ending == .unchanged)
                #expect(log.answers == service.unchanged, "\(log.entries)")
            }
            guard let expected = service.changedInTheMiddle else { return }
            log.forget()
            try await mirror.change(ids[service.page + 1], ["title": "changed"])
            try await mirror.pull(over: log)
            #expect(log.answers == expected, "\(log.entries)")
            try await mirror.expectAlike()
        }
    }

    @Test(arguments: RealService.running, SocketTransport.allCases)
    func `rows that move between pages while they are read are neither missed nor kept`(
        _ service: RealService,
        _ carrier: SocketTransport
    ) async throws {
        let mirror = try await service.mirror()
        let ids = try await mirror.create(3 * service.page + 1)
        try await carrier.run { transport in
            try await mirror.pull(over: transport)
            let log = RequestLog(transport)
            log.before(2) {
                try await mirror.remove(ids[1])
                try await mirror.change(ids[0], ["title": "moved"])
            }
            log.before(3) { try await mirror.create("behind") }
            try await mirror.pull(over: log) { $0.isFull = true }
            try await mirror.pull(over: transport)
            try await mirror.expectAlike()
        }
    }

    @Test(arguments: RealService.running, SocketTransport.allCases)
    func `a first pull that was interrupted goes on at its page`(
        _ service: RealService,
        _ carrier: SocketTransport
    ) async throws {
        let mirror = try await service.mirror()
        let ids = try await mirror.create(2 * service.page + 1)
        try await carrier.run { transport in
            let log = RequestLog(transport)
            log.before(2) { throw RequestLog.cut }
            let failed = try await mirror.pull(over: log)
            #expect(failed.ending == .failed)
            #expect(failed.items == service.page)
            let missed = log.entries.last?.request.path
            log.forget()
            let second = try await mirror.pull(over: log)
            #expect(second.ending == .complete)
            #expect(log.entries.count == 2)
            #expect(log.entries.first?.request.path == missed)
            try await mirror.expectAlike()
            try await mirror.remove(ids[1])
            try await mirror.pull(over: transport)
            try await mirror.expectAlike()
        }
    }

    @Test(arguments: RealService.changing, SocketTransport.allCases)
    func `changes are asked for alone, and deletions found`(
        _ service: RealService,
        _ carrier: SocketTransport
    ) async throws {
        let mirror = try await service.changingMirror()
        let ids = try await mirror.create(2 * service.page + 1)
        try await carrier.run { transport in
            for _ in 0..<2 { try await mirror.pull(over: transport) }
            let log = RequestLog(transport)
            try await mirror.change(ids[2], ["title": "changed"])
            let changed = try await mirror.pull(over: log)
            #expect(changed.imported.entities["Task"]?.updated == 1)
            #expect(log.answers == service.change, "\(log.entries)")
            try await mirror.expectAlike()
            try await mirror.remove(ids[5])
            try await mirror.pull(over: transport)
            try await mirror.expectAlike()
        }
    }

    @Test(arguments: RealService.changing, SocketTransport.allCases)
    func `changes right behind the last one seen are seen`(
        _ service: RealService,
        _ carrier: SocketTransport
    ) async throws {
        let mirror = try await service.changingMirror()
        let ids = try await mirror.create(service.page)
        try await carrier.run { transport in
            for round in 0..<10 {
                try await mirror.change(
                    ids[round % service.page],
                    ["position": .number("\(round)")]
                )
                try await mirror.pull(over: transport)
                try await mirror.expectAlike()
            }
        }
    }
}

// MARK: - Lists that tell no deletions

extension AllServicesTests {
    @Test(arguments: RealService.swept, SocketTransport.allCases)
    func `a page that is gone when it is asked for ends no list`(
        _ service: RealService,
        _ carrier: SocketTransport
    ) async throws {
        let mirror = try await service.mirror()
        let ids = try await mirror.create(2 * service.page + 1)
        try await carrier.run { transport in
            try await mirror.pull(over: transport)
            let log = RequestLog(transport)
            // The address of the last page, which the service has just given, leads nowhere.
            log.before(3) { try await mirror.remove(ids[6]) }
            let report = try await mirror.pull(over: log) { $0.isFull = true }
            #expect(report.failure == nil)
            try await mirror.pull(over: transport)
            try await mirror.expectAlike()
        }
    }

    @Test(arguments: RealService.swept, SocketTransport.allCases)
    func `a list of which everything is gone deletes nothing without being asked`(
        _ service: RealService,
        _ carrier: SocketTransport
    ) async throws {
        let mirror = try await service.mirror()
        let ids = try await mirror.create(10)
        try await carrier.run { transport in
            try await mirror.pull(over: transport)
            let before = try mirror.local()
            for id in ids { try await mirror.remove(id) }
            let guarded = try await mirror.pull(over: transport)
            #expect(guarded.pendingDeletion?.rows == 10)
            #expect(try mirror.local() == before)
            try await mirror.pull(over: transport) { $0.deletionGuard = nil }
            try await mirror.expectAlike()
        }
    }
}
