import Testing
import TidemarkModel
import TidemarkSync
import TidemarkTesting

@Suite(.timeLimit(.minutes(40)))
struct PullCancellationTests {
    /// A service that never answers at a path, and tells when it is asked there.
    private static func slow(at path: String) -> (FakeService, asked: AsyncStream<Void>) {
        let (asked, asking) = AsyncStream<Void>.makeStream()
        var environment = SystemEnvironment.manual()
        environment.sleep = { _ in
            let (never, keeper) = AsyncStream<Never>.makeStream()
            asking.yield()
            for await _ in never {}
            keeper.finish()
            throw CancellationError()
        }
        let fake = Bookshop.service(environment: environment)
        fake.misbehave(.latency(.seconds(3_600)), at: path)
        return (fake, asked)
    }

    @Test func `a pull that is cancelled leaves whole pages and deletes nothing`() async throws {
        let (fake, asked) = Self.slow(at: "books/?page=3")
        let shop = try Bookshop(fake)
        let engine = try shop.engine()
        let pull = Task { try await engine.pull() }
        for await _ in asked { break }
        pull.cancel()
        await #expect(throws: CancellationError.self) { try await pull.value }
        #expect(try shop.counts() == ["Author": 4, "Book": 6])
        #expect(shop.clock.sleeps.isEmpty)

        fake.behave()
        #expect(try await engine.pull().isComplete)
        let other = try Bookshop()
        _ = try await other.engine().pull()
        #expect(try shop.state() == other.state())
    }

    @Test func `a pull that is cancelled while another waits lets that one run`() async throws {
        let (fake, asked) = Self.slow(at: "books/?page=2")
        let shop = try Bookshop(fake)
        let engine = try shop.engine()
        let first = Task { try await engine.pull() }
        for await _ in asked { break }
        let second = Task { try await engine.pull() }
        fake.behave()
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(try await second.value.isComplete)
        #expect(try shop.counts() == ["Author": 4, "Book": 7])
    }

    @Test
    func `another engine is told that one pulls, and takes over when that gives no sign of life`()
        async throws
    {
        let (shop, asked, release) = try Bookshop.held(at: "books/?page=2")
        let early = try shop.engine { $0.idleTimeout = .seconds(30) }
        let late = try shop.engine(over: Bookshop.service())
        let pull = Task { try await early.pull() }
        for await _ in asked { break }
        let told = await #expect(throws: SyncError.self) { try await late.pull() }
        #expect(told?.code == .busy)
        shop.clock.advance(by: .seconds(120))
        #expect(try await late.pull().isComplete)
        let state = try shop.state()
        release.yield()
        let failure = await #expect(throws: SyncError.self) { try await pull.value }
        #expect(failure?.code == .overtaken)
        #expect(try shop.state() == state)
        #expect(try shop.counts() == ["Author": 4, "Book": 7])
    }

    @Test func `who has joined a pull and is cancelled waits no longer, and the pull goes on`()
        async throws
    {
        let (shop, asked, release) = try Bookshop.held(at: "books/?page=2")
        let engine = try shop.engine()
        let pull = Task { try await engine.pull() }
        for await _ in asked { break }
        let joined = Task { try await engine.pull() }
        joined.cancel()
        await #expect(throws: CancellationError.self) { try await joined.value }
        release.yield()
        #expect(try await pull.value.isComplete)
        #expect(try shop.counts() == ["Author": 4, "Book": 7])
    }

    @Test func `a pull that was cancelled before it began asks nothing`() async throws {
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
