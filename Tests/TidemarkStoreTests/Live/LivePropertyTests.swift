import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// Random requests and transactions: each snapshot equals what a fetch returns after the commit,
/// and follows from the one before by its differences.
struct LivePropertyTests {
    @Test func `snapshots equal fetches, and follow from each other`() async throws {
        try await Property(cases: 120, sample: LiveSample<PeopleOfStudio>.init).holds { sample in
            try LiveRun(sample).run()
        }
    }

    @Test func `rows that become those of another entity come and go`() async throws {
        try await Property(cases: 60, sample: LiveSample<AnimalsOfShelter>.init).holds { sample in
            try LiveRun(sample).run()
        }
        try await Property(cases: 60, sample: LiveSample<CatsOfShelter>.init).holds { sample in
            try LiveRun(sample).run()
        }
    }

    /// A check that cannot fail proves nothing.
    @Test(arguments: [
        LiveSources.writers, .statements, .previousEndpoints, .otherConnections,
    ])
    func `without one of the sources of changed rows they do not`(
        _ source: LiveSources
    ) async throws {
        await #expect(throws: Falsified.self) {
            try await Property(cases: 200, sample: LiveSample<PeopleOfStudio>.init).holds {
                sample in
                try LiveRun(sample, sources: LiveSources.all.subtracting(source)).run()
            }
        }
    }
}

/// A model, a request and transactions, each by the seed of its random choices.
private struct LiveSample<World: LiveWorld>: Sample {
    let seed: UInt64
    var steps: [UInt64]

    init(_ seed: UInt64) {
        var chance = Chance(seed: seed, for: "live")
        self.seed = seed
        steps = (0..<chance.number(4...24)).map { seed &* 1_000 &+ UInt64($0) }
    }

    var model: Model {
        var chance = Chance(seed: seed, for: "model")
        return World.model(&chance)
    }

    var request: LiveRequest<World.Record> {
        var chance = Chance(seed: seed, for: "request")
        return World.request(&chance)
    }

    var smaller: [Self] {
        steps.indices.map { index in
            var sample = self
            sample.steps.remove(at: index)
            return sample
        }
    }

    var description: String { "request \(request), steps \(steps)" }
}

/// A store with a live result that the test reads step by step.
private final class LiveRun<World: LiveWorld> {
    private let folder: Folder
    private let store: Store
    private let other: DatabaseQueue
    private let sample: LiveSample<World>
    private let request: LiveRequest<World.Record>

    /// The records of the last snapshot, by section.
    private var shown: [(title: String, records: [World.Record])] = []

    struct Mismatch: Error, CustomStringConvertible {
        let description: String
    }

    init(_ sample: LiveSample<World>, sources: LiveSources = .all) throws {
        let folder = try Folder()
        let path = folder.filePath("studio.sqlite")
        store = try Store.validated(at: path, model: sample.model)
        try World.fill(store)
        other = try DatabaseQueue(path: path)
        self.sample = sample
        request = sample.request
        store.liveFeed.state.withLock { $0.sources = sources }
        self.folder = folder
    }

    func run() throws {
        let source = try LiveSource(request.request, in: store.layout)
        let subscription = LiveSubscription(source, window: request.window)
        let first = try store.read { try subscription.snapshot($0, .unspecific) }
        shown = first.map(sections) ?? []
        let id = store.liveFeed.state.withLock { state in
            state.writer = store.writer
            return state.feed.register(source.query.dependencies)
        }
        defer { store.liveFeed.unregister(id) }
        store.writer.writeWithoutTransaction { store.liveFeed.install($0) }
        try compare(first, "at first")
        for step in sample.steps {
            let step = LiveStep<World>(step)
            try step.run(store, other)
            // Sometimes a consumer is slow, and gets the changes of several commits at once.
            guard !step.isSkipped || step.seed == sample.steps.last else { continue }
            let changes = changes(id)
            let snapshot = try store.read { try subscription.snapshot($0, changes) }
            try follow(snapshot, "after \(step)")
            try compare(snapshot, "after \(step)")
        }
    }

    /// Returns what the feed has collected for a subscription, as a read does.
    private func changes(_ id: LiveFeed.SubscriptionID) -> RowChanges {
        store.writer.writeWithoutTransaction { db in
            _ = store.liveFeed.noticeOtherCommits(db)
            return store.liveFeed.state.withLock { state in
                state.feed.setWaiting(true, id)
                defer {
                    state.feed.setWaiting(false, id)
                    state.feed.endRead()
                }
                return state.feed.beginRead()[id] ?? RowChanges()
            }
        }
    }

    private func sections(
        _ snapshot: LiveSnapshot<World.Record>
    ) -> [(title: String, records: [World.Record])] {
        snapshot.sections.map { ($0.title, Array($0)) }
    }

    /// Applies the differences of a snapshot to the one before.
    private func follow(_ snapshot: LiveSnapshot<World.Record>?, _ place: String) throws {
        guard let snapshot, let changes = snapshot.changes else { return }
        var lists = shown
        let next = sections(snapshot)
        for position in (changes.deletions + changes.moves.map(\.old)).sorted().reversed() {
            lists[position.section].records.remove(at: position.item)
        }
        for section in changes.deletedSections.reversed() {
            guard lists[section].records.isEmpty else {
                throw Mismatch(description: "\(place): a deleted section is not empty")
            }
            lists.remove(at: section)
        }
        for section in changes.insertedSections {
            lists.insert((next[section].title, []), at: section)
        }
        for position in (changes.insertions + changes.moves.map(\.new)).sorted() {
            lists[position.section].records.insert(snapshot[position], at: position.item)
        }
        let moved = Set(changes.moves.map(\.new))
        for update in changes.updates {
            let before = shown[update.old.section].records[update.old.item]
            // What a sort or a filter reads of linked rows is not part of the record.
            guard before != snapshot[update.new] else {
                throw Mismatch(description: "\(place): \(update) has not changed")
            }
            guard !moved.contains(update.new) else { continue }
            lists[update.new.section].records[update.new.item] = snapshot[update.new]
        }
        guard lists.map(\.title) == next.map(\.title),
            lists.map(\.records) == next.map(\.records)
        else {
            throw Mismatch(description: "\(place): the differences lead to another list")
        }
        if changes.isEmpty, snapshot.total == shown.reduce(0, { $0 + $1.records.count }),
            request.window == nil
        {
            throw Mismatch(description: "\(place): a snapshot without a difference")
        }
        shown = next
    }

    /// Compares the last snapshot with a fetch.
    private func compare(_ snapshot: LiveSnapshot<World.Record>?, _ place: String) throws {
        let all = try store.fetch(request.request)
        let fetched = request.window.map { Array(all[$0.clamped(to: 0..<all.count)]) } ?? all
        let records = shown.flatMap(\.records)
        guard records == fetched else {
            throw Mismatch(description: "\(place): \(records) instead of \(fetched)")
        }
        if let total = snapshot?.total, total != all.count {
            throw Mismatch(description: "\(place): \(total) of \(all.count) rows")
        }
        if let title = request.title {
            let titles = shown.flatMap { section in section.records.map { _ in section.title } }
            guard titles == fetched.map(title) else {
                throw Mismatch(description: "\(place): other sections")
            }
        }
    }
}
