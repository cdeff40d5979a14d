import Foundation
import GRDB
import Synchronization
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

@testable import TidemarkSync

/// The store of a device: in memory, or in a file that can be copied and restored.
final class DeviceStore: Sendable {
    private let model: Model
    private let folder: Folder
    private let isInFile: Bool
    private let observer: CrashingCommits
    private let state: Mutex<Store>

    /// The folder with the state of the user of the device.
    let userState = FakeStateFolder()

    init(_ model: Model, isInFile: Bool, observer: CrashingCommits) throws {
        self.model = model
        self.observer = observer
        self.isInFile = isInFile
        folder = try Folder()
        state = Mutex(
            isInFile
                ? try Store.validated(at: folder.filePath("a"), model: model)
                : try Store.validated(model: model)
        )
        observe()
    }

    var store: Store { state.withLock { $0 } }

    private func observe() {
        store.writer.add(transactionObserver: observer, extent: .databaseLifetime)
    }

    /// Copies the file while no process has it open.
    func backUp() throws {
        try reopen { files in try Store.copyFile(files("a"), to: files("b")) }
    }

    /// Replaces the file with its copy, and returns whether there is one.
    func restore() throws -> Bool {
        guard FileManager.default.fileExists(atPath: folder.filePath("b")) else { return false }
        try reopen { files in try Store.copyFile(files("b"), to: files("a")) }
        return true
    }

    private func reopen(_ change: ((String) -> String) throws -> Void) throws {
        guard isInFile else { return }
        try store.writer.close()
        try change { folder.filePath($0) }
        let opened = try Store.validated(at: folder.filePath("a"), model: model)
        state.withLock { $0 = opened }
        observe()
    }
}

extension Store {
    /// Copies the file of a store as `cp` does, while no process has it open.
    static func copyFile(_ path: String, to other: String) throws {
        for suffix in ["", "-wal", "-shm"] {
            let (from, to) = (path + suffix, other + suffix)
            if FileManager.default.fileExists(atPath: to) {
                try FileManager.default.removeItem(atPath: to)
            }
            if FileManager.default.fileExists(atPath: from) {
                try FileManager.default.copyItem(atPath: from, toPath: to)
            }
        }
    }

    /// Removes the triggers that record edits, as a program does that rebuilds the tables.
    func dropCaptureTriggers() throws {
        try writer.write { db in
            for name in try Self.captureTriggers(db) {
                try db.execute(sql: "DROP TRIGGER \(name.quotedDatabaseIdentifier)")
            }
        }
    }

    /// Returns the names of the triggers that record edits.
    static func captureTriggers(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT name FROM sqlite_master \
                WHERE type = 'trigger' AND name GLOB '_tidemark_capture_*' ORDER BY name
                """
        )
    }
}
