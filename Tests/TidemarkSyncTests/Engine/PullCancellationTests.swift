import Testing
import TidemarkModel
import TidemarkSync
import TidemarkTesting

/// Cancellation of pulls, and pulls that take over or join others.
@Suite(.timeLimit(.minutes(40)))
struct PullCancellationTests {
    /// Returns a service that never responds at a path, and a stream of the requests to that path.
    private static func slow(at path: String) -> (FakeService, requests: AsyncStream<Void>) {
        let (requests, requestContinuation) = AsyncStream<Void>.makeStream()
        var environment = SystemEnvironment.manual()
        environment.sleep = { _ in
            let (never, keeper) = AsyncStream<Never>.makeStream()
            requestContinuation.yield()
            for await _ in never {}
            keeper.finish()
            throw CancellationError()
        }
        let fake = Bookshop.service(environment: environment)
        fake.inject(.latency(.seconds(3_600)), at: path)
        return (fake, requests)
    }

    @Test func `a cancelled pull leaves whole pages and deletes nothing`() async throws {
        let (fake, requests) = Self.slow(at: "books/?page=3")
        let shop = try Bookshop(fake)
        let engine = try shop.engine()
        let pull = Task { try await engine.pull() }
        for await _ in requests { break }
        pull.cancel()
        await #expect(throws: CancellationError.self) { try await pull.value }
        #expect(try shop.counts() == ["Author": 4, "Book": 6])
        #expect(shop.clock.sleeps.isEmpty)

        fake.removeFaults()
        #expect(try await engine.pull().isComplete)
        let other = try Bookshop()
        _ = try await other.engine().pull()
        #expect(try shop.state() == other.state())
    }

    @Test func `a pull that waits for a cancelled pull completes`() async throws {
        let (fake, requests) = Self.slow(at: "books/?page=2")
        let shop = try Bookshop(fake)
        let engine = try shop.engine()
        let first = Task { try await engine.pull() }
        for await _ in requests { break }
        let second = Task { try await engine.pull() }
        fake.removeFaults()
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(try await second.value.isComplete)
        #expect(try shop.counts() == ["Author": 4, "Book": 7])
    }

    @Test func `another engine is busy during a pull, and takes over once the lease has expired`()
        async throws
    {
        let (shop, requests, release) = try Bookshop.paused(at: "books/?page=2")
        let early = try shop.engine { $0.http.idleTimeout = .seconds(30) }
        let late = try shop.engine(over: Bookshop.service())
        let pull = Task { try await early.pull() }
        for await _ in requests { break }
        let error = await #expect(throws: SyncError.self) { try await late.pull() }
        #expect(error?.code == .busy)
        shop.clock.advance(by: .seconds(120))
        #expect(try await late.pull().isComplete)
        let state = try shop.state()
        release.yield()
        let failure = await #expect(throws: SyncError.self) { try await pull.value }
        #expect(failure?.code == .leaseLost)
        #expect(try shop.state() == state)
        #expect(try shop.counts() == ["Author": 4, "Book": 7])
    }

    @Test func `cancelling a caller that joined a pull does not cancel the pull`() async throws {
        let (shop, requests, release) = try Bookshop.paused(at: "books/?page=2")
        let engine = try shop.engine()
        let pull = Task { try await engine.pull() }
        for await _ in requests { break }
        let joined = Task { try await engine.pull() }
        joined.cancel()
        await #expect(throws: CancellationError.self) { try await joined.value }
        release.yield()
        #expect(try await pull.value.isComplete)
        #expect(try shop.counts() == ["Author": 4, "Book": 7])
    }

    @Test func `a pull that is cancelled before it begins sends no request`() async throws {
        let shop = try Bookshop()
        let engine = try shop.engine()
        let pull = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await engine.pull()
        }
        await #expect(throws: CancellationError.self) { try await pull.value }
        #expect(shop.fake.requests.isEmpty)
        #expect(try shop.counts() == ["Author": 0, "Book": 0])
    }
}
