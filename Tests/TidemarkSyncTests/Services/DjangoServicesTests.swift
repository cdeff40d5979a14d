import HTTPTypes
import Testing
import TidemarkImport
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// Pulls from a service made with Django REST framework that runs for tests.
@Suite(
    .serialized,
    .enabled(
        if: RealMirror.address("DRF") != nil,
        "TIDEMARK_TEST_DRF is not set: Django is not tested. `make test-services` starts it."
    )
)
struct DjangoServicesTests {
    @Test(arguments: RealMirror.DjangoPages.allCases, Carrier.allCases)
    func `what is there, and what becomes of it, is mirrored`(
        _ pages: RealMirror.DjangoPages,
        _ carrier: Carrier
    ) async throws {
        let mirror = try await RealMirror.django(pages)
        let ids = try await mirror.create(7)
        try await carrier.run { transport in
            let first = try await mirror.pull(over: transport)
            #expect(first.ending == .complete)
            #expect(first.pages == 3)
            #expect(try mirror.local() == (try await mirror.remote()))
            try await mirror.change(ids[1], ["title": "changed"])
            try await mirror.remove(ids[6])
            try await mirror.remove(ids[3])
            try await mirror.create("new", position: 100)
            let second = try await mirror.pull(over: transport)
            #expect(second.ending == .complete)
            #expect(second.imported.entities["Task"]?.deleted == 2)
            #expect(second.imported.entities["Task"]?.inserted == 1)
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }

    @Test(arguments: RealMirror.DjangoPages.allCases, Carrier.allCases)
    func `when nothing has changed, one conditional request for each page tells it`(
        _ pages: RealMirror.DjangoPages,
        _ carrier: Carrier
    ) async throws {
        let mirror = try await RealMirror.django(pages)
        let ids = try await mirror.create(7)
        try await carrier.run { transport in
            try await mirror.pull(over: transport)
            let log = RequestLog(transport)
            let unchanged = try await mirror.pull(over: log)
            #expect(unchanged.ending == .unchanged)
            #expect(log.answers == ["GET 304", "GET 304", "GET 304"], "\(log.entries)")
            // A change in the middle costs its page.
            guard pages != .cursors else { return }
            log.forget()
            try await mirror.change(ids[4], ["title": "changed"])
            try await mirror.pull(over: log)
            #expect(log.answers == ["GET 304", "GET 200", "GET 304"], "\(log.entries)")
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }

    @Test(arguments: RealMirror.DjangoPages.allCases, Carrier.allCases)
    func `rows that move between pages while they are read are neither missed nor kept`(
        _ pages: RealMirror.DjangoPages,
        _ carrier: Carrier
    ) async throws {
        let mirror = try await RealMirror.django(pages)
        let ids = try await mirror.create(10)
        try await carrier.run { transport in
            try await mirror.pull(over: transport)
            let log = RequestLog(transport)
            log.before(2) { try await mirror.remove(ids[1]) }
            log.before(3) { try await mirror.create("behind") }
            try await mirror.pull(over: log) { $0.isFull = true }
            try await mirror.pull(over: transport)
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }

    @Test(arguments: RealMirror.DjangoPages.allCases, Carrier.allCases)
    func `a page that is gone when it is asked for ends no list`(
        _ pages: RealMirror.DjangoPages,
        _ carrier: Carrier
    ) async throws {
        let mirror = try await RealMirror.django(pages)
        let ids = try await mirror.create(7)
        try await carrier.run { transport in
            try await mirror.pull(over: transport)
            let log = RequestLog(transport)
            // The address of the last page, which the service has just given, leads nowhere.
            log.before(3) { try await mirror.remove(ids[6]) }
            let report = try await mirror.pull(over: log) { $0.isFull = true }
            #expect(report.failure == nil)
            try await mirror.pull(over: transport)
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }

    @Test(arguments: RealMirror.DjangoPages.allCases, Carrier.allCases)
    func `a first pull that was interrupted goes on at its page`(
        _ pages: RealMirror.DjangoPages,
        _ carrier: Carrier
    ) async throws {
        let mirror = try await RealMirror.django(pages)
        try await mirror.create(7)
        try await carrier.run { transport in
            let log = RequestLog(transport)
            log.before(2) { throw RequestLog.cut }
            let failed = try await mirror.pull(over: log)
            #expect(failed.ending == .failed)
            #expect(failed.items == 3)
            let missed = log.entries.last?.request.path
            log.forget()
            let second = try await mirror.pull(over: log)
            #expect(second.ending == .complete)
            #expect(log.entries.count == 2)
            #expect(log.entries.first?.request.path == missed)
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }

    @Test(arguments: RealMirror.DjangoPages.allCases, Carrier.allCases)
    func `a list of which everything is gone deletes nothing without being asked`(
        _ pages: RealMirror.DjangoPages,
        _ carrier: Carrier
    ) async throws {
        let mirror = try await RealMirror.django(pages)
        let ids = try await mirror.create(10)
        try await carrier.run { transport in
            try await mirror.pull(over: transport)
            let before = try mirror.local()
            for id in ids { try await mirror.remove(id) }
            let guarded = try await mirror.pull(over: transport)
            #expect(guarded.parked?.rows == 10)
            #expect(try mirror.local() == before)
            try await mirror.pull(over: transport) { $0.sweepGuard = nil }
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }
}

// MARK: - Changes

extension DjangoServicesTests {
    /// A list that is asked for what has changed, and how many there are.
    private static func changing(_ pages: RealMirror.DjangoPages) async throws -> RealMirror {
        var mirror = try await RealMirror.django(pages)
        mirror.resource.style.total = .body(["count"])
        mirror.resource.style.delta = .since(
            Delta.Since(
                field: ["updated_at"],
                condition: .parameter("updated_at__gte"),
                order: [QueryItem("ordering", "updated_at,id")]
            )
        )
        mirror.resource.style.count = .query([
            QueryItem(pages == .offsets ? "limit" : "page_size", "1")
        ])
        return mirror
    }

    @Test(arguments: [RealMirror.DjangoPages.numbers, .offsets], Carrier.allCases)
    func `changes are asked for alone, and deletions found by counting`(
        _ pages: RealMirror.DjangoPages,
        _ carrier: Carrier
    ) async throws {
        let mirror = try await Self.changing(pages)
        let ids = try await mirror.create(7)
        try await carrier.run { transport in
            for _ in 0..<2 { try await mirror.pull(over: transport) }
            let log = RequestLog(transport)
            try await mirror.change(ids[2], ["title": "changed"])
            let changed = try await mirror.pull(over: log)
            #expect(changed.imported.entities["Task"]?.updated == 1)
            #expect(log.answers == ["GET 200", "GET 200"], "\(log.entries)")
            #expect(try mirror.local() == (try await mirror.remote()))
            try await mirror.remove(ids[5])
            try await mirror.pull(over: transport)
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }

    @Test(arguments: Carrier.allCases)
    func `changes right behind the last one seen are seen`(_ carrier: Carrier) async throws {
        let mirror = try await Self.changing(.numbers)
        let ids = try await mirror.create(5)
        try await carrier.run { transport in
            for round in 0..<10 {
                try await mirror.change(ids[round % 5], ["position": .number("\(round)")])
                try await mirror.pull(over: transport)
                #expect(try mirror.local() == (try await mirror.remote()))
            }
        }
    }

    @Test(arguments: Carrier.allCases)
    func `changes that come while changes are read are not passed over`(
        _ carrier: Carrier
    ) async throws {
        let mirror = try await Self.changing(.numbers)
        let ids = try await mirror.create(10)
        try await carrier.run { transport in
            try await mirror.pull(over: transport)
            for id in ids.prefix(7) { try await mirror.change(id, ["title": "changed"]) }
            let log = RequestLog(transport)
            // Each moves to the end of the list, and those behind it one place up.
            log.before(2) { try await mirror.change(ids[0], ["title": "changed again"]) }
            log.before(3) { try await mirror.change(ids[4], ["title": "changed again"]) }
            try await mirror.pull(over: log)
            try await mirror.pull(over: transport)
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }
}
