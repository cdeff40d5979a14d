import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Copies of a store, and backups that were restored.
struct StoreCopyTests {
    /// A device of a user: files of stores, and the folder of the user's state.
    private final class Device: Sendable {
        let files: String
        let state = FakeStateFolder()
        let events = EventLog()

        init(_ folder: borrowing Folder) { files = folder.filePath("") }

        func path(_ name: String) -> String { files + name }

        /// Copies a store as `cp` does, while no process has it open.
        func copy(_ name: String, to other: String, of device: Device? = nil) throws {
            try Store.copyFile(path(name), to: (device ?? self).path(other))
        }

        /// Syncs a store as a process of its own.
        @discardableResult
        func sync(
            _ name: String,
            _ tasks: TaskService,
            _ change: (Store) async throws -> Void = { _ in }
        ) async throws -> SyncReport {
            var tasks = tasks
            tasks.store = try Store.validated(at: path(name), model: tasks.store.model)
            var environment = tasks.clock.environment
            environment.fileIdentity = SystemEnvironment.live.fileIdentity
            environment.stateFolder = state.folder
            try await change(tasks.store)
            let engine = try tasks.engine(environment: environment) { limits in
                limits.http.idleTimeout = .seconds(30)
            } onEvent: { [events] event in
                events.record(event)
            }
            let report = try await engine.sync()
            try tasks.store.writer.close()
            return report
        }

        /// Whether a copy was noticed since the last call.
        func takesNotice() -> Bool { events.take().contains { $0.hasPrefix("a copy") } }
    }

    /// Syncs often enough to settle what is uncertain.
    private func settle(_ device: Device, _ name: String, _ tasks: TaskService) async throws {
        for _ in 1...3 {
            tasks.clock.advance(by: .seconds(31))
            _ = try await device.sync(name, tasks)
        }
    }

    private func titles(_ tasks: TaskService) -> [String] {
        tasks.fake.audit.filter { $0.kind == .create }
            .compactMap { $0.object?["title"]?.string }.sorted()
    }

    private static func add(_ title: String) -> (Store) async throws -> Void {
        { store in
            try await store.write { writer in
                _ = try writer.insert("Task", values: ["title": .string(title)])
            }
        }
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `what one of two copies has created, the other one does not create again`(
        dialect: TaskService.Dialect
    ) async throws {
        let folder = try Folder()
        let device = Device(folder)
        let tasks = try TaskService(dialect)
        try await device.sync("a", tasks)
        // The service is down: the creation stays pending.
        tasks.fake.inject(.status(503), times: 1)
        try await device.sync("a", tasks, Self.add("dig"))
        try device.copy("a", to: "b")
        #expect(!device.takesNotice())
        tasks.clock.advance(by: .seconds(4_000))
        try await device.sync("a", tasks)
        #expect(titles(tasks) == ["dig"])
        #expect(!device.takesNotice())
        try await device.sync("b", tasks)
        #expect(device.takesNotice())
        try await settle(device, "b", tasks)
        try await settle(device, "a", tasks)
        #expect(titles(tasks) == ["dig"])
        for name in ["a", "b"] {
            let report = try await device.sync(name, tasks)
            #expect(report.pushed.localChanges.unpushed.isEmpty, "\(name)")
        }
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `copies that are used in turn create each object once`(
        dialect: TaskService.Dialect
    ) async throws {
        let folder = try Folder()
        let device = Device(folder)
        let tasks = try TaskService(dialect)
        try await device.sync("a", tasks)
        try device.copy("a", to: "b")
        for round in 1...3 {
            for name in ["a", "b"] {
                tasks.clock.advance(by: .seconds(4_000))
                try await device.sync(name, tasks, Self.add("\(name) \(round)"))
            }
        }
        for name in ["a", "b"] { try await settle(device, name, tasks) }
        #expect(titles(tasks) == ["a 1", "a 2", "a 3", "b 1", "b 2", "b 3"])
        for name in ["a", "b"] {
            let report = try await device.sync(name, tasks)
            #expect(report.pushed.localChanges.unpushed.isEmpty, "\(name)")
        }
    }

    @Test func `a backup that is restored in place creates nothing again`() async throws {
        let folder = try Folder()
        let device = Device(folder)
        let tasks = try TaskService(.rest)
        try await device.sync("a", tasks)
        tasks.fake.inject(.status(503), times: 1)
        try await device.sync("a", tasks, Self.add("dig"))
        try device.copy("a", to: "backup")
        tasks.clock.advance(by: .seconds(4_000))
        try await device.sync("a", tasks)
        try device.copy("backup", to: "a")
        _ = device.takesNotice()
        try await device.sync("a", tasks)
        #expect(device.takesNotice())
        try await settle(device, "a", tasks)
        #expect(titles(tasks) == ["dig"])
        // The same backup once more.
        try device.copy("backup", to: "a")
        try await device.sync("a", tasks)
        #expect(device.takesNotice())
        try await settle(device, "a", tasks)
        #expect(titles(tasks) == ["dig"])
    }

    @Test func `what no copy has sent is created after it was looked for`() async throws {
        let folder = try Folder()
        let device = Device(folder)
        let tasks = try TaskService(.rest)
        try await device.sync("a", tasks)
        try device.copy("a", to: "b")
        try await device.sync("a", tasks)
        let report = try await device.sync("b", tasks, Self.add("dig"))
        #expect(report.pushed.localChanges.unpushed.map(\.state) == [.uncertain])
        #expect(titles(tasks).isEmpty)
        try await settle(device, "b", tasks)
        #expect(titles(tasks) == ["dig"])
    }

    @Test func `another device has a number of its own`() async throws {
        let here = try Folder()
        let there = try Folder()
        let (phone, laptop) = (Device(here), Device(there))
        let tasks = try TaskService(.rest)
        for _ in 1...3 {
            try await phone.sync("a", tasks)
            try await laptop.sync("a", tasks)
        }
        #expect(!phone.takesNotice())
        #expect(!laptop.takesNotice())
        #expect(phone.state.texts.keys != laptop.state.texts.keys)
    }

    @Test func `a store that was moved to another device is looked at once`() async throws {
        let here = try Folder()
        let there = try Folder()
        let (phone, laptop) = (Device(here), Device(there))
        let tasks = try TaskService(.rest)
        try await phone.sync("a", tasks)
        try phone.copy("a", to: "a", of: laptop)
        try await laptop.sync("a", tasks)
        #expect(laptop.takesNotice())
        try await laptop.sync("a", tasks)
        #expect(!laptop.takesNotice())
    }

    @Test func `a store that was moved to another path is the same`() async throws {
        let folder = try Folder()
        let device = Device(folder)
        let tasks = try TaskService(.rest)
        try await device.sync("a", tasks)
        try FileManager.default.moveItem(atPath: device.path("a"), toPath: device.path("b"))
        try await device.sync("b", tasks)
        #expect(!device.takesNotice())
    }

    @Test func `without the number outside, the file decides`() async throws {
        let folder = try Folder()
        let device = Device(folder)
        let tasks = try TaskService(.rest)
        try await device.sync("a", tasks)
        device.state.texts = [:]
        try await device.sync("a", tasks)
        #expect(!device.takesNotice())
        device.state.texts = [:]
        try device.copy("a", to: "b")
        try await device.sync("b", tasks)
        #expect(device.takesNotice())
    }

    @Test func `a folder that cannot be written does not make a store a copy`() async throws {
        let folder = try Folder()
        let device = Device(folder)
        let tasks = try TaskService(.rest)
        try await device.sync("a", tasks)
        device.state.isWritable = false
        for _ in 1...3 { try await device.sync("a", tasks) }
        #expect(!device.takesNotice())
        device.state.isWritable = true
        for _ in 1...2 { try await device.sync("a", tasks) }
        #expect(!device.takesNotice())
        device.state.isReadable = false
        for _ in 1...2 { try await device.sync("a", tasks) }
        device.state.isReadable = true
        try await device.sync("a", tasks)
        #expect(!device.takesNotice())
    }

    @Test func `a store in memory and one without a folder are not looked at`() async throws {
        let tasks = try TaskService(.rest)
        let state = FakeStateFolder()
        var environment = tasks.clock.environment
        environment.stateFolder = state.folder
        environment.fileIdentity = { _ in InodeIdentity(inode: 1, created: 2) }
        _ = try await tasks.engine(environment: environment).sync()
        #expect(state.texts.isEmpty)
    }

    @Test(arguments: ["../../.ssh/config", "", "a/b", "C:\\x", "..", "\u{0}"])
    func `the store does not decide about the path of the file outside`(name: String) async throws {
        let folder = try Folder()
        let device = Device(folder)
        let tasks = try TaskService(.rest)
        try await device.sync("a", tasks)
        try await device.sync("a", tasks) { store in
            try await store.writer.write { db in
                try db.execute(sql: "UPDATE _tidemark_file SET store = ?", arguments: [name])
            }
        }
        #expect(device.state.texts.keys.allSatisfy { UUID(uuidString: $0) != nil })
    }

    @Test func `a dry run and a verification draw no number`() async throws {
        let folder = try Folder()
        let device = Device(folder)
        var tasks = try TaskService(.rest)
        try await device.sync("a", tasks)
        let before = device.state.texts
        tasks.store = try Store.validated(at: device.path("a"), model: tasks.store.model)
        var environment = tasks.clock.environment
        environment.fileIdentity = SystemEnvironment.live.fileIdentity
        environment.stateFolder = device.state.folder
        let engine = try tasks.engine(environment: environment)
        _ = try await engine.verify()
        _ = try await engine.dryRunEngine().pull()
        #expect(device.state.texts == before)
    }

    // MARK: The file system

    @Test func `the live folder keeps texts that only the user can read`() throws {
        let folder = try Folder()
        let path = folder.filePath("state/tidemark")
        let live = StateFolder.inFolder(path)
        #expect(live.read("a") == .absent)
        try live.write("a", "one")
        try live.write("a", "two")
        #expect(live.read("a") == .text("two"))
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "/a")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["a"])
        try FileManager.default.createDirectory(
            atPath: path + "/b",
            withIntermediateDirectories: false
        )
        #expect(live.read("b") == .unreadable)
        #expect(throws: (any Error).self) { try live.write("b", "x") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["a", "b"])
    }

    @Test func `a copy has another identity, and an edited file the same`() throws {
        let folder = try Folder()
        let (path, copy) = (folder.filePath("a"), folder.filePath("b"))
        try Data("one".utf8).write(to: URL(filePath: path))
        let identity = try #require(InodeIdentity(of: path))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: Data("two".utf8))
        try handle.close()
        #expect(InodeIdentity(of: path) == identity)
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        #expect(InodeIdentity(of: copy) != identity)
        #expect(InodeIdentity(of: folder.filePath("c")) == nil)
    }
}
