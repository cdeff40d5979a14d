import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// Concurrent reads and writes of the store while a pull runs over a socket.
@Suite(.timeLimit(.minutes(40)))
struct ConcurrentAccessTests {
    private static func mirror(_ folder: borrowing Folder, notes: Int, page: Int) throws -> Mirror {
        let mirror = try Mirror(.rest, notes: notes, page: page, at: folder.filePath("a.sqlite"))
        try mirror.store.writer.write { db in
            try db.execute(sql: "CREATE TABLE neighbour (number INTEGER)")
        }
        return mirror
    }

    @Test(arguments: SocketTransport.allCases)
    func `between two pages the store is writable and contains whole pages`(
        _ socketTransport: SocketTransport
    ) async throws {
        let folder = try Folder()
        try await Self.mirror(folder, notes: 12, page: 4).onSocket(socketTransport) { mirror in
            var mirror = mirror
            let log = RequestLog(mirror.transport)
            mirror.transport = log
            let seen = Locked<[Int]>([])
            for number in 2...3 {
                let store = mirror.store
                log.before(number) {
                    let count = try await store.read { try $0.count("Note") }
                    seen.withLock { $0.append(count) }
                    try await store.writer.write { db in
                        try db.execute(sql: "INSERT INTO neighbour VALUES (1)")
                    }
                }
            }
            try await mirror.pull()
            #expect(seen.withLock { $0 } == [4, 8])
            #expect(try mirror.local() == mirror.remote)
        }
    }

    @Test(arguments: SocketTransport.allCases)
    func `while a page is applied, others read whole transactions and write between them`(
        _ socketTransport: SocketTransport
    ) async throws {
        let folder = try Folder()
        try await Self.mirror(folder, notes: 400, page: 400).onSocket(socketTransport) { mirror in
            let isFinished = Locked(false)
            let store = mirror.store
            let reader = Task {
                var seen: Set<Int> = []
                while !isFinished.withLock({ $0 }) {
                    seen.insert(try await store.read { try $0.count("Note") })
                }
                return seen
            }
            let writer = Task {
                var written = 0
                while !isFinished.withLock({ $0 }) {
                    try await store.writer.write { db in
                        try db.execute(sql: "INSERT INTO neighbour VALUES (1)")
                    }
                    written += 1
                }
                return written
            }
            let report = try await mirror.engine { $0.rowsInTransaction = 10 }.pull()
            isFinished.withLock { $0 = true }
            #expect(report.isComplete)
            #expect(try await reader.value.allSatisfy { $0 % 10 == 0 })
            let written = try await writer.value
            let kept = try await store.writer.read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM neighbour")
            }
            #expect(kept == written)
            #expect(try mirror.local() == mirror.remote)
        }
    }
}
