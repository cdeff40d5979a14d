import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkSync
import TidemarkTesting

/// Pushes to every real service that is running for tests.
@Suite(
    .serialized,
    .enabled(
        if: !RealTasks.Kind.running.isEmpty,
        "No real service is tested. `make test-services` starts them."
    )
)
struct PushServicesTests {
    @Test(arguments: RealTasks.Kind.running, SocketTransport.allCases)
    func `offline edits reach the service, and another device`(
        _ kind: RealTasks.Kind,
        _ socketTransport: SocketTransport
    ) async throws {
        let tasks = try await RealTasks(kind)
        try await tasks.create("Home", tasks: ["a", "b", "c", "d"])
        try await socketTransport.run { transport in
            let device = try RealDevice(tasks, over: transport)
            try await device.pull()
            let work = try await device.insert(project: "Work")
            try await device.insert("new", position: 5, in: work)
            try await device.insert("free", position: 6)
            try await device.edit("a", ["title": .string("A"), "done": .boolean(true)])
            try await device.move("b", to: work)
            try await device.move("c", to: nil)
            try await device.delete("d")
            let pushed = try await device.sync().pushed.total
            #expect(pushed.created == 3)
            #expect(pushed.updated == 3)
            #expect(pushed.deleted == 1)
            #expect(
                try await tasks.table().lines == [
                    "Home", "Work", "A, done, 0, in Home", "b, 1, in Work", "c, 2", "free, 6",
                    "new, 5, in Work",
                ]
            )
            try await device.expectInSync(tasks)
            let other = try RealDevice(tasks, over: transport)
            try await other.sync()
            try await other.expectInSync(tasks)
        }
    }

    @Test(arguments: RealTasks.Kind.running)
    func `a project and its tasks are created in lists that were never read`(
        _ kind: RealTasks.Kind
    ) async throws {
        let tasks = try await RealTasks(kind)
        try await SocketTransport.asyncHTTPClient.run { transport in
            let device = try RealDevice(tasks, over: transport)
            try await device.pull()
            let home = try await device.insert(project: "Home")
            for number in 0..<30 {
                try await device.insert("\(10 + number)", position: Int64(number), in: home)
            }
            try await device.sync()
            #expect(
                try await tasks.table().lines
                    == ["Home"] + (0..<30).map { "\(10 + $0), \($0), in Home" }
            )
            try await device.expectInSync(tasks)
        }
    }

    // MARK: Lost responses

    /// The faults of each service; only the broken connections depend on the transport.
    private static let faults = RealTasks.Kind.running.flatMap { kind in
        LostResponses.Fault.allCases.flatMap { fault in
            SocketTransport.allCases.map { (kind, fault, $0) }
        }
    }
    .filter { kind, fault, socketTransport in
        switch fault {
        case .closed, .truncated: true
        case .failed, .dropped, .unsent: socketTransport == .asyncHTTPClient
        case .light: kind.isKinto && socketTransport == .asyncHTTPClient
        }
    }

    @Test(arguments: faults)
    func `lost responses double nothing and lose nothing`(
        _ kind: RealTasks.Kind,
        _ fault: LostResponses.Fault,
        _ socketTransport: SocketTransport
    ) async throws {
        let tasks = try await RealTasks(kind)
        try await tasks.create("Home", tasks: ["a", "b", "c"])
        try await socketTransport.run { transport in
            let device = try RealDevice(tasks, over: transport)
            try await device.pull()
            let work = try await device.insert(project: "Work")
            try await device.insert("new", position: 5, in: work)
            try await device.insert("other", position: 6)
            try await device.edit("a", ["done": .boolean(true)])
            try await device.edit("b", ["title": .string("B")])
            try await device.delete("c")
            // The first attempt of each of the six changes, if each is sent by itself.
            device.faults.add(Array(repeating: fault, count: 6))
            try await device.sync()
            for _ in 0..<4 { try await device.syncLater() }
            #expect(
                try await tasks.table().lines == [
                    "Home", "Work", "B, 1, in Home", "a, done, 0, in Home", "new, 5, in Work",
                    "other, 6",
                ]
            )
            try await device.expectInSync(tasks)
        }
    }

    @Test(arguments: RealTasks.Kind.running, [LostResponses.Fault.closed, .failed, .unsent])
    func `an edit while the outcome is unknown is sent after it`(
        _ kind: RealTasks.Kind,
        _ fault: LostResponses.Fault
    ) async throws {
        let tasks = try await RealTasks(kind)
        try await tasks.create("Home", tasks: ["a", "b"])
        try await SocketTransport.asyncHTTPClient.run { transport in
            let device = try RealDevice(tasks, over: transport)
            try await device.pull()
            try await device.insert("new", position: 5)
            try await device.edit("a", ["title": .string("a1")])
            device.faults.add([fault, fault])
            try await device.push()
            try await device.edit("new", ["title": .string("new1")])
            try await device.edit("a1", ["title": .string("a2")])
            for _ in 0..<4 { try await device.syncLater() }
            #expect(
                try await tasks.table().lines == [
                    "Home", "a2, 0, in Home", "b, 1, in Home", "new1, 5",
                ]
            )
            try await device.expectInSync(tasks)
        }
    }

    @Test(arguments: RealTasks.Kind.running)
    func `another client's edit after a lost response is not overwritten`(
        _ kind: RealTasks.Kind
    ) async throws {
        let tasks = try await RealTasks(kind)
        let keys = try await tasks.create("Home", tasks: ["a", "b"])
        try await SocketTransport.asyncHTTPClient.run { transport in
            let device = try RealDevice(tasks, over: transport)
            try await device.pull()
            try await device.edit("a", ["title": .string("mine")])
            device.faults.add([.closed])
            try await device.push()
            try await tasks.edit(keys[0], ["title": "hers", "position": 9])
            for _ in 0..<3 { try await device.syncLater() }
            #expect(
                try await tasks.table().lines == ["Home", "b, 1, in Home", "hers, 9, in Home"]
            )
            try await device.expectInSync(tasks)
        }
    }

    // MARK: Rejections

    @Test(arguments: RealTasks.Kind.running)
    func `a rejected change stops no other one, and is sent once it is corrected`(
        _ kind: RealTasks.Kind
    ) async throws {
        let tasks = try await RealTasks(kind)
        try await tasks.create("Home", tasks: ["a", "b"])
        try await SocketTransport.asyncHTTPClient.run { transport in
            let device = try RealDevice(tasks, over: transport)
            try await device.pull()
            try await device.edit("a", ["title": .string("")])
            try await device.edit("b", ["position": .integer(7)])
            try await device.insert("new", position: 5)
            let report = try await device.sync()
            #expect(report.pushed.total.rejected == 1)
            #expect(report.pushed.total.updated == 1)
            #expect(report.pushed.total.created == 1)
            let left = try device.outbox()
            #expect(left.map(\.state) == [.rejected])
            #expect(left.map { $0.attempts.fieldErrors.keys.sorted() } == [["title"]])
            #expect(
                try await tasks.table().lines
                    == ["Home", "a, 0, in Home", "b, 7, in Home", "new, 5"]
            )
            try await device.edit("", ["title": .string("A")])
            try await device.sync()
            #expect(
                try await tasks.table().lines
                    == ["Home", "A, 0, in Home", "b, 7, in Home", "new, 5"]
            )
            try await device.expectInSync(tasks)
        }
    }

    @Test(arguments: RealTasks.Kind.unique)
    func `tasks of a rejected project wait until it has another name`(
        _ kind: RealTasks.Kind
    ) async throws {
        let tasks = try await RealTasks(kind)
        try await tasks.create("Home", tasks: ["a"])
        try await SocketTransport.asyncHTTPClient.run { transport in
            let device = try RealDevice(tasks, over: transport)
            try await device.pull()
            let project = try await device.insert(project: "Home")
            try await device.insert("new", position: 5, in: project)
            try await device.insert("free", position: 6)
            let report = try await device.push()
            #expect(report.total.rejected == 1)
            #expect(report.total.created == 1)
            #expect(
                try device.changes().sorted() == ["Project create rejected", "Task create pending"]
            )
            #expect(try device.outbox().flatMap { $0.attempts.fieldErrors.keys } == ["name"])
            #expect(try await tasks.table().lines == ["Home", "a, 0, in Home", "free, 6"])
            try await device.rename(project, to: "Work")
            try await device.sync()
            #expect(
                try await tasks.table().lines
                    == ["Home", "Work", "a, 0, in Home", "free, 6", "new, 5, in Work"]
            )
            try await device.expectInSync(tasks)
        }
    }

    @Test(arguments: RealTasks.Kind.running)
    func `values that a new row does not have are chosen by the service`(
        _ kind: RealTasks.Kind
    ) async throws {
        let tasks = try await RealTasks(kind)
        try await SocketTransport.asyncHTTPClient.run { transport in
            let device = try RealDevice(tasks, over: transport)
            try await device.pull()
            try await device.store.write { writer in
                _ = try writer.insert("Task", values: ["title": .string("new")])
            }
            try await device.sync()
            #expect(try await tasks.table().lines == [kind.isKinto ? "new" : "new, 0"])
            try await device.expectInSync(tasks)
        }
    }
}
