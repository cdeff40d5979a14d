import Testing
import TidemarkFakeServer
import TidemarkSync
import TidemarkTesting

/// The order and the concurrency of resources, which do not affect the resulting rows.
struct PullOrderTests {
    /// The rows after a pull in the usual order, one resource after the other.
    private static let expected = Task {
        let store = try StarWarsStore.store()
        try await StarWarsStore.pull(StarWars.service(), into: store)
        return try StarWarsStore.state(of: store)
    }

    @Test(arguments: 1...6, [1, 2] as [UInt64])
    func `any order and any concurrency gives the same rows`(
        _ concurrency: Int,
        _ seed: UInt64
    ) async throws {
        let fake = try StarWars.service()
        let store = try StarWarsStore.store()
        var chance = Chance(seed: seed)
        let report = try await StarWarsStore.pull(
            fake,
            into: store,
            order: { $0.shuffled(using: &chance) },
            concurrency: concurrency
        )
        #expect(report.isComplete)
        #expect(report.unresolvedReferenceCount == 0)
        #expect(try await StarWarsStore.state(of: store) == Self.expected.value, "seed \(seed)")
    }
}

/// A random number generator with a seed (SplitMix64).
private struct Chance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
