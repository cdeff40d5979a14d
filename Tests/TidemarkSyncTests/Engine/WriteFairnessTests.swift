import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Pauses between the transactions of a pull, in which other connections can write.
struct WriteFairnessTests {
    private let clock = ManualClock()

    /// Pauses after 100 ms of transactions that follow each other.
    private var fairness: WriteFairness {
        var limits = Limits()
        limits.transactionTime = .milliseconds(100)
        return WriteFairness(in: clock.environment, limits: limits)
    }

    private static let model = Model(entities: [
        EntityDescription("Note", attributes: [Attribute("id", .integer64)])
    ])

    /// Runs a transaction that takes a number of milliseconds.
    private func write(
        _ fairness: WriteFairness,
        _ store: Store,
        _ milliseconds: Int,
        isLong: Bool
    ) async throws {
        try await fairness.write(to: store, isLong: isLong) { [clock] _ in
            clock.advance(by: .milliseconds(milliseconds))
        }
    }

    @Test func `the transactions of a long page pause whenever they have taken the permitted time`()
        async throws
    {
        let fairness = fairness
        let store = try Store.validated(model: Self.model)
        for _ in 0..<6 { try await write(fairness, store, 60, isLong: true) }
        #expect(clock.sleeps.map { ($0 / .milliseconds(1)).rounded() } == [30, 30])
    }

    @Test func `a clock that is set back does not lengthen a pause`() async throws {
        let fairness = fairness
        let store = try Store.validated(model: Self.model)
        for _ in 0..<3 { try await write(fairness, store, 60, isLong: true) }
        let sleeps = clock.sleeps.count
        #expect(sleeps == 1)
        clock.advance(by: .seconds(-7_200))
        for _ in 0..<3 { try await write(fairness, store, 60, isLong: true) }
        #expect(clock.sleeps.dropFirst(sleeps).allSatisfy { $0 <= .milliseconds(31) })
    }

    @Test func `transactions with other work between them do not pause`() async throws {
        let fairness = fairness
        let store = try Store.validated(model: Self.model)
        for _ in 0..<6 {
            try await write(fairness, store, 60, isLong: true)
            clock.advance(by: .milliseconds(40))
        }
        #expect(clock.sleeps.isEmpty)
    }

    @Test func `short pages pause for a while after another connection has written`() async throws {
        let folder = try Folder()
        let path = "\(folder.path)/store.sqlite"
        let store = try Store.validated(at: path, model: Self.model)
        let other = try Store.validated(at: path)
        let fairness = fairness
        for _ in 0..<4 { try await write(fairness, store, 60, isLong: false) }
        #expect(clock.sleeps.isEmpty)
        try await other.writer.write { db in
            try db.execute(sql: "INSERT INTO Note (id) VALUES (1)")
        }
        for _ in 0..<4 { try await write(fairness, store, 60, isLong: false) }
        #expect(!clock.sleeps.isEmpty)
        let sleeps = clock.sleeps.count
        clock.advance(by: .seconds(2))
        for _ in 0..<4 { try await write(fairness, store, 60, isLong: false) }
        #expect(clock.sleeps.count == sleeps)
    }
}
