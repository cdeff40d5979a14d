import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Properties of imports from a service that lists all of its objects completely.
///
/// The properties compare stores by primary key, because row numbers depend on the order of
/// insertion. See ``ServiceHistory`` for the contents of such a service.
struct WholeServicePropertyTests {
    private static let traits: RandomModel.Traits = [
        .ownedKeyless, .abstractParents, .required, .unexportable, .unidirectional,
    ]

    /// Lists imported in any order result in the same store, without unresolved references.
    @Test func `any order of resources results in the same store`() async throws {
        let samples = ServiceHistory.random(Self.traits)
        try await Property(cases: 30, sample: samples).holds { history, pool in
            let documents = history.documents(at: 0)
            let contents = try pool.next(of: documents).keyedContents()
            let waiting = contents.split(separator: "\n").filter { $0.hasPrefix("waits") }
            guard waiting.isEmpty else { throw Counterexample("\(waiting)") }
            var chance = Chance(seed: history.seed, for: "orders")
            for _ in 0..<2 {
                let order = chance.shuffled(documents)
                let other = try pool.next(of: order).keyedContents()
                try same(other, contents, "The stores differ in the order \(order.map(\.entity))")
            }
        }
    }

    /// Complete lists result in a store that does not depend on its previous contents.
    ///
    /// Unresolved references to deleted rows are not compared: they are kept in case the rows are
    /// inserted again. The samples include such rows.
    @Test func `complete lists result in the same store, whatever it contained before`()
        async throws
    {
        let samples = ServiceHistory.random(Self.traits, times: 3)
        try await Property(cases: 40, sample: samples).holds { history, pool in
            let last = history.times.count - 1
            guard last > 0 else { return }
            let target = try pool.next()
            for time in history.times.indices { try target.load(history.documents(at: time)) }
            let fresh = try pool.next(of: history.documents(at: last))
            try same(
                try target.linkedContents(),
                try fresh.linkedContents(),
                "Not the store that the last documents make alone"
            )
        }
    }

    /// The order of the items affects only the order of the rows.
    @Test func `the order of the items in a document does not matter`() async throws {
        let samples = ServiceHistory.random(Self.traits)
        try await Property(cases: 25, sample: samples).holds { history, pool in
            let documents = history.documents(at: 0)
            var chance = Chance(seed: history.seed, for: "items")
            let shuffled = documents.map { step in
                guard case .array(let items) = step.document else { return step }
                return .init(entity: step.entity, document: .array(chance.shuffled(items)))
            }
            let target = try pool.next(of: documents)
            let other = try pool.next(of: shuffled)
            try same(
                try other.keyedContents(),
                try target.keyedContents(),
                "The stores differ"
            )
        }
    }
}
