import Foundation
import GRDB

/// Looks up users by their key on a separate connection, until it is stopped.
final class PointReader: @unchecked Sendable {
    private let path: String
    private let lock = NSLock()
    private var isStopping = false
    private var waits: [Double] = []
    private let ended = DispatchSemaphore(value: 0)

    init(_ path: String) {
        self.path = path
    }

    func run() {
        defer { ended.signal() }
        var configuration = Configuration()
        configuration.readonly = true
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let users = try queue.read { try Int64.fetchOne($0, sql: "SELECT max(id) FROM User") }
            while !lock.withLock({ isStopping }) {
                let stopwatch = Stopwatch()
                _ = try queue.read { db in
                    try Row.fetchOne(
                        db,
                        sql: "SELECT * FROM User WHERE id = ?",
                        arguments: [Int64.random(in: 0...(users ?? 0))]
                    )
                }
                let seconds = stopwatch.seconds
                lock.withLock { waits.append(seconds) }
                // An app does not read rows continuously.
                Thread.sleep(forTimeInterval: 0.0005)
            }
        } catch {
            FileHandle.standardError.write(Data("The reader failed: \(error)\n".utf8))
        }
    }

    /// Stops, and returns the duration of each look-up in seconds.
    func stop() -> [Double] {
        lock.withLock { isStopping = true }
        ended.wait()
        return waits
    }
}
