import Testing
import TidemarkModel
import TidemarkSync

/// Pushes to Kinto servers that are running for tests.
@Suite(
    .serialized,
    .enabled(
        if: RealTasks.Kind.running.contains(where: \.isKinto),
        "No Kinto server is tested. `make test-services` starts them."
    )
)
struct KintoPushServicesTests {
    private static let servers = RealTasks.Kind.running.filter(\.isKinto)

    @Test(arguments: servers)
    func `changes are sent in batches, and a rejected one rejects no other one`(
        _ kind: RealTasks.Kind
    ) async throws {
        let tasks = try await RealTasks(kind)
        try await SocketTransport.asyncHTTPClient.run { transport in
            let device = try RealDevice(tasks, over: transport)
            try await device.pull()
            for number in 0..<60 { try await device.insert("\(10 + number)") }
            try await device.insert("")
            device.log.clear()
            let report = try await device.push()
            #expect(report.total.rejected == 1)
            // The rejected one is sent once more: another one may have freed a unique value. With
            // PostgreSQL, concurrent batches may be in each other's way (409).
            if kind == .kinto {
                let expected = ["POST 200", "POST 200", "POST 200", "PUT 400"]
                #expect(device.log.exchanges == expected)
            }
            try await device.syncLater()
            #expect(try await tasks.table().lines == (0..<60).map { "\(10 + $0), 0" })
            for number in 0..<60 {
                try await device.edit("\(10 + number)", ["position": .integer(1)])
            }
            try await device.edit("", ["title": .string("corrected")])
            device.log.clear()
            try await device.push()
            // What was rejected before is sent after the others, by itself.
            let expected = ["POST 200", "POST 200", "POST 200", "PUT 201"]
            #expect(kind != .kinto || device.log.exchanges == expected)
            for number in 0..<60 { try await device.delete("\(10 + number)") }
            for _ in 0..<3 { try await device.syncLater() }
            #expect(try await tasks.table().lines == ["corrected, 0"])
            try await device.expectInSync(tasks)
            let created = try await tasks.history().filter { $0.hasPrefix("create") }
            // With PostgreSQL, the history also has creations that a conflict in their batch has
            // undone, and that were sent again.
            #expect(Set(created).count == 61)
            #expect(kind != .kinto || created.count == 61)
        }
    }

    @Test(arguments: servers)
    func `a change that fails with 500 is applied once, whether it was rolled back or not`(
        _ kind: RealTasks.Kind
    ) async throws {
        let tasks = try await RealTasks(kind)
        try await tasks.create("Home", tasks: ["a"])
        try await SocketTransport.asyncHTTPClient.run { transport in
            let device = try RealDevice(tasks, over: transport)
            try await device.pull()
            try await device.edit("a", ["title": .string("A")])
            device.faults.add([.light])
            device.log.clear()
            let report = try await device.push()
            #expect(report.total.uncertain == 1)
            #expect(device.log.exchanges == ["PATCH 500"])
            let isApplied = kind == .kinto
            #expect(
                try await tasks.table().lines == ["Home", "\(isApplied ? "A" : "a"), 0, in Home"]
            )
            device.log.clear()
            try await device.push()
            // In memory the record has what was sent already.
            #expect(device.log.exchanges == (isApplied ? ["GET 200"] : ["GET 200", "PATCH 200"]))
            #expect(try await tasks.table().lines == ["Home", "A, 0, in Home"])
            try await device.sync()
            try await device.expectInSync(tasks)
        }
    }

    @Test(arguments: servers)
    func `a batch that fails with 500 is settled change by change`(
        _ kind: RealTasks.Kind
    ) async throws {
        let tasks = try await RealTasks(kind)
        let titles = (10..<40).map { "\($0)" }
        try await tasks.create("Home", tasks: titles)
        try await SocketTransport.asyncHTTPClient.run { transport in
            let device = try RealDevice(tasks, over: transport)
            try await device.pull()
            for title in titles { try await device.edit(title, ["done": .boolean(true)]) }
            try await device.insert("new")
            device.faults.add([.light])
            let report = try await device.push()
            #expect(report.total.uncertain == 25)
            for _ in 0..<2 { try await device.syncLater() }
            let lines = titles.enumerated().map { "\($1), done, \($0), in Home" }
            #expect(try await tasks.table().lines == ["Home"] + lines + ["new, 0"])
            try await device.expectInSync(tasks)
        }
    }

    @Test(arguments: servers)
    func `several devices that push at once make no record twice`(
        _ kind: RealTasks.Kind
    ) async throws {
        let tasks = try await RealTasks(kind)
        try await tasks.create("Home", tasks: (10..<30).map { "\($0)" })
        try await SocketTransport.asyncHTTPClient.run { transport in
            let devices = try (0..<3).map { _ in try RealDevice(tasks, over: transport) }
            for (number, device) in devices.enumerated() {
                try await device.pull()
                for title in 10..<30 {
                    try await device.edit("\(title)", ["position": .integer(Int64(number))])
                    try await device.insert("\(number)-\(title)")
                }
            }
            try await withThrowingTaskGroup { group in
                for device in devices { group.addTask { _ = try await device.sync() } }
                try await group.waitForAll()
            }
            for _ in 0..<4 { for device in devices { try await device.syncLater() } }
            // With PostgreSQL, a change may be committed after a later one was read: the changes
            // since then do not contain it.
            for device in devices { try await device.syncAll() }
            for device in devices { try await device.expectInSync(tasks) }
            let titles = try await tasks.table().lines.map { $0.prefix { $0 != "," } }
            #expect(titles.count == 81)
            #expect(Set(titles).count == 81)
        }
    }
}
