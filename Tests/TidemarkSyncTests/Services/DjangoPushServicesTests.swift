import Testing
import TidemarkModel
import TidemarkSync
import TidemarkTesting

/// Pushes to a Django REST framework service that is running for tests.
@Suite(
    .serialized,
    .enabled(
        if: RealTasks.Kind.running.contains(.django),
        "TIDEMARK_TEST_DRF is not set: Django is not tested. `make test-services` starts it."
    )
)
struct DjangoPushServicesTests {
    @Test func `each object is read before it is changed, because no condition protects it`()
        async throws
    {
        let tasks = try await RealTasks(.django)
        let keys = try await tasks.create("Home", tasks: ["a", "b"])
        try await SocketTransport.asyncHTTPClient.run { transport in
            let device = try RealDevice(tasks, over: transport)
            try await device.pull()
            try await device.edit("a", ["title": .string("A")])
            try await device.delete("b")
            try await tasks.edit(keys[0], ["done": true])
            device.log.clear()
            try await device.push()
            #expect(
                device.log.exchanges.sorted()
                    == ["DELETE 204", "GET 200", "GET 200", "PATCH 200"]
            )
            #expect(try await tasks.table().lines == ["Home", "A, done, 0, in Home"])
            try await device.sync()
            try await device.expectInSync(tasks)
        }
    }

    @Test func `a creation whose response was lost is found in the next complete list`()
        async throws
    {
        let tasks = try await RealTasks(.django)
        try await tasks.create("Home", tasks: ["a", "new"])
        try await SocketTransport.asyncHTTPClient.run { transport in
            let device = try RealDevice(tasks, over: transport)
            try await device.pull()
            // Two equal objects: one is that of the row, and the other one was there before.
            try await device.insert("new", position: 1)
            device.faults.add([.closed])
            try await device.push()
            #expect(try device.changes() == ["Task create uncertain"])
            // The list proves nothing as long as the service may be processing the request.
            device.log.clear()
            for _ in 0..<2 { try await device.syncLater() }
            #expect(!device.log.exchanges.contains { $0.hasPrefix("POST") })
            #expect(
                try await tasks.table().lines.sorted()
                    == ["Home", "a, 0, in Home", "new, 1", "new, 1, in Home"]
            )
            try await device.expectInSync(tasks)
        }
    }
}
