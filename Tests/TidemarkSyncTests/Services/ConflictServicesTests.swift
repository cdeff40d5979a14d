import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// Two devices, and another client, that change the same objects of a real service.
@Suite(
    .serialized,
    .enabled(
        if: !RealTasks.Kind.running.isEmpty,
        "No real service is tested. `make test-services` starts them."
    )
)
struct ConflictServicesTests {
    /// Two devices with the same rows.
    private func devices(
        _ tasks: RealTasks,
        over transport: any Transport,
        conflicts: ConflictPolicies = ConflictPolicies()
    ) async throws -> (RealDevice, RealDevice) {
        let first = try RealDevice(tasks, over: transport, conflicts: conflicts)
        let second = try RealDevice(tasks, over: transport, conflicts: conflicts)
        for device in [first, second] { try await device.pull() }
        return (first, second)
    }

    @Test(arguments: RealTasks.Kind.running, SocketTransport.allCases)
    func `edits of different properties on two devices are joined`(
        _ kind: RealTasks.Kind,
        _ socketTransport: SocketTransport
    ) async throws {
        let tasks = try await RealTasks(kind)
        try await tasks.create("Home", tasks: ["a", "b"])
        try await socketTransport.run { transport in
            let (first, second) = try await devices(tasks, over: transport)
            try await first.edit("a", ["done": .boolean(true)])
            try await first.move("b", to: nil)
            try await second.edit("a", ["position": .integer(8)])
            try await second.edit("b", ["title": .string("B")])
            for device in [first, second, first] { try await device.sync() }
            #expect(
                try await tasks.table().lines == ["Home", "B, 1", "a, done, 8, in Home"]
            )
            for device in [first, second] {
                try await device.expectInSync(tasks)
                #expect(try device.store.conflicts() == "")
            }
        }
    }

    @Test(arguments: RealTasks.Kind.running, [Conflict.Decision.remote, .local])
    func `edits of the same property are decided by the policy, and recorded`(
        _ kind: RealTasks.Kind,
        _ winner: Conflict.Decision
    ) async throws {
        let policy = winner == .local ? ConflictPolicy.localWins : .remoteWins
        let kept = winner == .local ? "second" : "first"
        let tasks = try await RealTasks(kind)
        try await tasks.create("Home", tasks: ["a", "b"])
        try await SocketTransport.asyncHTTPClient.run { transport in
            let (first, second) = try await devices(
                tasks,
                over: transport,
                conflicts: ConflictPolicies(default: policy)
            )
            try await first.edit("a", ["title": .string("first")])
            try await second.edit("a", ["title": .string("second")])
            for device in [first, second, first] { try await device.sync() }
            #expect(
                try await tasks.table().lines
                    == ["Home", "b, 1, in Home", "\(kept), 0, in Home"]
            )
            for device in [first, second] { try await device.expectInSync(tasks) }
            #expect(try first.store.conflicts() == "")
            #expect(
                try second.store.conflicts()
                    == "Task#1 edit title: a, second, first → \(kept), \(winner) by \(winner)Wins"
            )
        }
    }

    @Test(arguments: RealTasks.Kind.running)
    func `the same edit on two devices does not conflict`(
        _ kind: RealTasks.Kind
    ) async throws {
        let tasks = try await RealTasks(kind)
        try await tasks.create("Home", tasks: ["a"])
        try await SocketTransport.asyncHTTPClient.run { transport in
            let (first, second) = try await devices(tasks, over: transport)
            for device in [first, second] { try await device.edit("a", ["title": .string("A")]) }
            for device in [first, second] { try await device.sync() }
            #expect(try await tasks.table().lines == ["Home", "A, 0, in Home"])
            for device in [first, second] {
                try await device.sync()
                try await device.expectInSync(tasks)
                #expect(try device.store.conflicts() == "")
            }
        }
    }

    @Test(arguments: RealTasks.Kind.running, [DeletePolicy.remoteWins, .editWins, .localWins])
    func `a deletion on one device and an edit on the other are decided by the policy`(
        _ kind: RealTasks.Kind,
        _ policy: DeletePolicy
    ) async throws {
        let tasks = try await RealTasks(kind)
        try await tasks.create("Home", tasks: ["a", "b", "c"])
        try await SocketTransport.asyncHTTPClient.run { transport in
            let (first, second) = try await devices(
                tasks,
                over: transport,
                conflicts: ConflictPolicies(deletes: policy)
            )
            try await first.delete("a")
            try await first.edit("b", ["title": .string("B")])
            try await second.edit("a", ["title": .string("A")])
            try await second.delete("b")
            for device in [first, second, first, second, first] { try await device.syncLater() }
            for device in [first, second] { try await device.expectInSync(tasks) }
            let lines = try await tasks.table().lines
            switch policy {
            case .remoteWins: #expect(lines == ["Home", "B, 1, in Home", "c, 2, in Home"])
            case .editWins:
                #expect(lines == ["Home", "A, 0, in Home", "B, 1, in Home", "c, 2, in Home"])
            case .localWins: #expect(lines == ["Home", "A, 0, in Home", "c, 2, in Home"])
            case .manual: Issue.record("A user has to decide.")
            }
        }
    }

    @Test(arguments: RealTasks.Kind.running)
    func `an object that changes between the pull and the push keeps the change`(
        _ kind: RealTasks.Kind
    ) async throws {
        let tasks = try await RealTasks(kind)
        let keys = try await tasks.create("Home", tasks: ["a", "b", "c", "d"])
        try await SocketTransport.asyncHTTPClient.run { transport in
            let device = try RealDevice(tasks, over: transport)
            try await device.pull()
            for title in ["a", "b", "c"] {
                try await device.edit(title, ["title": .string(title.uppercased())])
            }
            try await device.delete("d")
            try await tasks.edit(keys[0], ["position": 10])
            try await tasks.edit(keys[1], ["title": "hers"])
            try await tasks.remove(keys[2])
            try await tasks.edit(keys[3], ["title": "kept"])
            try await device.push()
            #expect(
                try await tasks.table().lines
                    == ["Home", "A, 10, in Home", "hers, 1, in Home", "kept, 3, in Home"]
            )
            for _ in 0..<2 { try await device.syncLater() }
            try await device.expectInSync(tasks)
        }
    }
}
