import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

struct WriteFairnessTests {
    private let clock = ManualClock()

    /// Transactions that may follow each other for 100 ms.
    private var turns: WriteFairness {
        var limits = Limits()
        limits.transactionTime = .milliseconds(100)
        return WriteFairness(clock.environment, limits)
    }

    private static let model = Model(entities: [
        EntityDescription("Note", attributes: [Attribute("id", .integer64)])
    ])

    /// A transaction that takes so many milliseconds.
    private func write(
        _ turns: WriteFairness,
        _ store: Store,
        _ milliseconds: Int,
        isLong: Bool
    ) async throws {
        try await turns.write(store, isLong: isLong) { [clock] _ in
            clock.advance(by: .milliseconds(milliseconds))
        }
    }

    @Test
    func `a long page leaves the lock alone as often as its transactions took as long as one may`()
        async throws
    {
        let turns = turns
        let store = try Store.watched(model: Self.model)
        for _ in 0..<6 { try await write(turns, store, 60, isLong: true) }
        #expect(clock.sleeps.map { ($0 / .milliseconds(1)).rounded() } == [30, 30])
    }

    @Test func `a clock that is set back makes nobody wait longer`() async throws {
        let turns = turns
        let store = try Store.watched(model: Self.model)
        for _ in 0..<3 { try await write(turns, store, 60, isLong: true) }
        let sleeps = clock.sleeps.count
        #expect(sleeps == 1)
        clock.advance(by: .seconds(-7_200))
        for _ in 0..<3 { try await write(turns, store, 60, isLong: true) }
        #expect(clock.sleeps.dropFirst(sleeps).allSatisfy { $0 <= .milliseconds(31) })
    }

    @Test func `where something else takes time, nobody waits`() async throws {
        let turns = turns
        let store = try Store.watched(model: Self.model)
        for _ in 0..<6 {
            try await write(turns, store, 60, isLong: true)
            clock.advance(by: .milliseconds(40))
        }
        #expect(clock.sleeps.isEmpty)
    }

    @Test func `short pages leave the lock alone for a while once somebody else has written`()
        async throws
    {
        let folder = try Folder()
        let path = "\(folder.path)/store.sqlite"
        let store = try Store.watched(at: path, model: Self.model)
        let other = try Store.watched(at: path)
        let turns = turns
        for _ in 0..<4 { try await write(turns, store, 60, isLong: false) }
        #expect(clock.sleeps.isEmpty)
        try await other.writer.write { db in
            try db.execute(sql: "INSERT INTO Note (id) VALUES (1)")
        }
        for _ in 0..<4 { try await write(turns, store, 60, isLong: false) }
        #expect(!clock.sleeps.isEmpty)
        let sleeps = clock.sleeps.count
        clock.advance(by: .seconds(2))
        for _ in 0..<4 { try await write(turns, store, 60, isLong: false) }
        #expect(clock.sleeps.count == sleeps)
    }
}
