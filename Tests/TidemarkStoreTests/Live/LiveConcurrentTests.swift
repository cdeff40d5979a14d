import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkStore

/// A live result beside writers on another thread: each snapshot is the store after one commit.
struct LiveConcurrentTests {
    private enum Event: Sendable {
        case snapshot([Person])
        case failure(any Error)
        /// All transactions are committed.
        case end
    }

    @Test(.timeLimit(.minutes(5)), arguments: UInt64(0)..<16)
    func `snapshots are those of commits, in their order`(_ seed: UInt64) async throws {
        var chance = Chance(seed: seed, for: "concurrent")
        let request = PeopleOfStudio.request(&chance).request
        let folder = try Folder()
        let path = folder.filePath("studio.sqlite")
        let store = try Store.validated(at: path, model: Studio.model)
        try Studio.fill(store)
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let clock = PollClock(.manual())
        let results = store.live(request, environment: clock.environment)
        let reader = Task {
            do {
                for try await snapshot in results {
                    continuation.yield(.snapshot(Array(snapshot)))
                }
            } catch {
                continuation.yield(.failure(error))
            }
        }
        defer { reader.cancel() }
        let history = Locked([try await store.fetch(request)])
        let thread = Thread {
            do {
                let other = try DatabaseQueue(path: path)
                for number in UInt64(0)..<40 {
                    try LiveStep<PeopleOfStudio>(seed &* 1_000 &+ number).run(store, other)
                    let fetched = try store.fetch(request)
                    history.withLock { $0.append(fetched) }
                }
                // What the other connection has committed is noticed with the next commit.
                try store.insert("Team", ["name": "last"])
                continuation.yield(.end)
            } catch {
                continuation.yield(.failure(error))
            }
        }
        var snapshots: [[Person]] = []
        var isEnded = false
        thread.start()
        for await event in events {
            switch event {
            case .failure(let error): throw error
            case .end: isEnded = true
            case .snapshot(let records): snapshots.append(records)
            }
            if isEnded, snapshots.last == history.withLock({ $0.last }) { break }
        }
        var rest = history.withLock { $0 }[...]
        for (number, snapshot) in snapshots.enumerated() {
            let next = try #require(
                rest.firstIndex(of: snapshot),
                "seed \(seed): snapshot \(number) of \(request) is not the state after a commit"
            )
            rest = rest[next...]
        }
    }
}
