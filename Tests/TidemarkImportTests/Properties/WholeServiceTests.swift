import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// What holds when a service tells all that it has, in complete objects.
///
/// The properties compare stores by keys: the numbers of rows tell in which order they came. See
/// ``World`` for what such a service says.
struct WholeServiceTests {
    private static let traits: RandomModel.Traits = [
        .ownedKeyless, .abstractParents, .required, .unexportable, .oneWay,
    ]

    /// The lists of a service may come in any order: the store is the same in the end, and no
    /// reference waits.
    @Test func `any order of resources ends in the same store`() async throws {
        try await Property(cases: 400, sample: World.random(Self.traits)).holds { world, benches in
            let documents = world.documents(at: 0)
            let contents = try benches.next(of: documents).keyedContents()
            let waiting = contents.split(separator: "\n").filter { $0.hasPrefix("waits") }
            guard waiting.isEmpty else { throw Counterexample("\(waiting)") }
            var chance = Chance(seed: world.seed, for: "orders")
            for _ in 0..<2 {
                let order = chance.shuffled(documents)
                let other = try benches.next(of: order).keyedContents()
                try same(other, contents, "Another store in the order \(order.map(\.entity))")
            }
        }
    }

    /// What the store held before says nothing when the service tells all it has.
    ///
    /// References that wait for rows which went are not compared: they are remembered for the case
    /// that the rows come back. What comes back is among the samples.
    @Test func `what was there before does not matter to complete lists`() async throws {
        let samples = World.random(Self.traits, times: 3)
        try await Property(cases: 500, sample: samples).holds { world, benches in
            let last = world.times.count - 1
            guard last > 0 else { return }
            let bench = try benches.next()
            for time in world.times.indices { try bench.load(world.documents(at: time)) }
            let fresh = try benches.next(of: world.documents(at: last))
            try same(
                try bench.linkedContents(),
                try fresh.linkedContents(),
                "Not the store that the last documents make alone"
            )
        }
    }

    /// The order of the items is that of the rows, and nothing else.
    @Test func `the order of the items in a document does not matter`() async throws {
        try await Property(cases: 300, sample: World.random(Self.traits)).holds { world, benches in
            let documents = world.documents(at: 0)
            var chance = Chance(seed: world.seed, for: "items")
            let shuffled = documents.map { step in
                guard case .array(let items) = step.document else { return step }
                return .init(entity: step.entity, document: .array(chance.shuffled(items)))
            }
            let bench = try benches.next(of: documents)
            let other = try benches.next(of: shuffled)
            try same(
                try other.keyedContents(),
                try bench.keyedContents(),
                "Another store"
            )
        }
    }
}
