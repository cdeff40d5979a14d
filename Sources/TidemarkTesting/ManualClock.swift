public import Foundation
public import TidemarkModel
import TidemarkRemote

/// A clock, chance and identifiers that a test controls: sleeping returns at once and moves the
/// time.
///
/// ```swift
/// let clock = ManualClock()
/// let remote = Remote(service, over: fake, environment: clock.environment)
/// // … afterwards:
/// #expect(clock.sleeps == [.seconds(2)])
/// ```
public final class ManualClock: Sendable {
    private struct State: Sendable {
        var now: Date
        var sleeps: [Duration] = []
        var lastIdentifier: UInt64 = 0
        var chance: UInt64
    }

    private let state: Locked<State>

    /// Creates a clock that stands at a date; the same seed gives the same chance.
    public init(now: Date = Date(timeIntervalSince1970: 1_500_000_000), seed: UInt64 = 1) {
        state = Locked(State(now: now, chance: seed))
    }

    /// The time now.
    public var now: Date { state.withLock { $0.now } }

    /// How long was slept, each time.
    public var sleeps: [Duration] { state.withLock { $0.sleeps } }

    /// Moves the time.
    public func advance(by duration: Duration) {
        state.withLock { $0.now += duration / .seconds(1) }
    }

    /// The environment that follows this clock.
    public var environment: SystemEnvironment {
        SystemEnvironment(
            now: { self.now },
            uuid: { self.nextIdentifier() },
            random: { self.nextChance() },
            sleep: { try self.sleep($0) },
            // Messages name the process that uses a store.
            process: { ProcessIdentity(host: "localhost", number: 1) }
        )
    }

    private func sleep(_ duration: Duration) throws {
        try Task.checkCancellation()
        state.withLock { state in
            state.sleeps.append(duration)
            state.now += duration / .seconds(1)
        }
    }

    /// 00000000-0000-0000-0000-000000000001, then 2, and so on.
    private func nextIdentifier() -> UUID {
        let number = state.withLock { state in
            state.lastIdentifier += 1
            return state.lastIdentifier
        }
        let low = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        return UUID(
            uuid: (
                0, 0, 0, 0, 0, 0, 0, 0, low[0], low[1], low[2], low[3], low[4], low[5], low[6],
                low[7]
            )
        )
    }

    /// SplitMix64: small, well spread, the same everywhere.
    private func nextChance() -> Double {
        state.withLock { state in
            state.chance &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state.chance
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            mixed ^= mixed >> 31
            return Double(mixed >> 11) / Double(UInt64(1) << 53)
        }
    }
}

extension SystemEnvironment {
    /// An environment whose sleeps return at once, whose identifiers count and whose chance
    /// repeats.
    ///
    /// A ``ManualClock`` gives the same and can be asked and moved.
    public static func manual(seed: UInt64 = 1) -> SystemEnvironment {
        ManualClock(seed: seed).environment
    }
}
