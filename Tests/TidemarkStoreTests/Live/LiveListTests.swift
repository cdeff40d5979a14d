import Observation
import Testing
import TidemarkModel
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkStore

/// The observable list of a live result.
@MainActor
struct LiveListTests {
    private let store: Store
    private let clock = PollClock(.manual())

    init() throws {
        store = try Studio.store()
    }

    /// Waits until a list satisfies a condition, which observation reports.
    private func wait(
        for list: LiveList<Person>,
        until isDone: @MainActor (LiveList<Person>) -> Bool
    ) async {
        while !isDone(list) {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = (list.rows, list.isLoading, list.error == nil)
                } onChange: {
                    continuation.resume()
                }
            }
        }
    }

    @Test func `a list observes its rows, and another request`() async throws {
        let list = LiveList(
            Person.sorted(by: \.name),
            in: store,
            environment: clock.environment
        )
        #expect(list.isLoading && list.rows.isEmpty)
        await wait(for: list) { !$0.isLoading }
        #expect(list.rows.map(\.name) == ["Ada", "Zoe", "ben", "Émile"])
        try await store.delete(RowID<Person>(2))
        await wait(for: list) { $0.rows.count == 3 }
        list.request = Person.filter { $0.age == nil }
        await wait(for: list) { $0.rows.count == 1 }
        #expect(list.rows.changes?.deletions.count == 2)
        list.request = Person.sorted(by: \.name, .descending)
        await wait(for: list) { $0.rows.count == 3 }
        #expect(list.rows.map(\.name) == ["Émile", "Zoe", "Ada"])
        list.window = 1..<2
        await wait(for: list) { $0.rows.count == 1 }
        #expect(list.rows.map(\.name) == ["Zoe"])
        #expect(list.rows.total == 3)
    }

    @Test func `an error ends the updates`() async throws {
        let list = LiveList(
            Person.filter(.sql("no such column")),
            in: store,
            environment: clock.environment
        )
        await wait(for: list) { $0.error != nil }
        #expect(!list.isLoading && list.rows.isEmpty)
    }
}
