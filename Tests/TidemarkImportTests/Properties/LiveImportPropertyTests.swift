import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// Live results of all entities of a store follow every import, whatever it contains.
struct LiveImportPropertyTests {
    @Test func `live results follow imports of any document`() async throws {
        try await Property(cases: 40, sample: ImportSample.random()).holds { sample in
            let target = try TestStore(sample.model)
            let lists = try LiveTrail.all(of: target.store)
            for step in sample.steps {
                try target.load(step)
                for list in lists { try list.follow() }
            }
        }
    }

    @Test func `live results follow each page of an import session`() async throws {
        try await Property(cases: 40, sample: ImportSample.random()).holds { sample in
            let target = try TestStore(sample.model)
            let lists = try LiveTrail.all(of: target.store)
            for step in sample.steps {
                let session = ImportSession("list", into: step.entity)
                try target.store.writer.write { db in try target.importer.begin(db, session) }
                for page in step.document.pages(of: 2) {
                    var items = try page.items
                    _ = try target.store.writer.write { db in
                        try target.importer.apply(db, &items, of: session)
                    }
                    for list in lists { try list.follow() }
                }
                _ = try target.store.writer.write { db in
                    try target.importer.finish(db, session)
                }
                for list in lists { try list.follow() }
            }
        }
    }
}

/// A live result of all rows of an entity with their links, which the test reads step by step.
private final class LiveTrail {
    private let store: Store
    private let request: RecordRequest
    private let subscription: LiveSubscription<StoredRecord>
    private let id: LiveFeed.SubscriptionID
    private var shown: [StoredRecord] = []

    static func all(of store: Store) throws -> [LiveTrail] {
        let lists = try store.layout.entities.map { try LiveTrail($0.name, store) }
        store.writer.writeWithoutTransaction { store.liveFeed.install($0) }
        return lists
    }

    private init(_ entity: String, _ store: Store) throws {
        self.store = store
        request = RecordRequest(entity, links: .all)
        let source = try LiveSource(request, in: store.layout)
        subscription = LiveSubscription(source, window: nil)
        id = store.liveFeed.state.withLock { state in
            state.writer = store.writer
            return state.feed.register(source.query.dependencies)
        }
        try follow(.unspecific)
    }

    deinit { store.liveFeed.unregister(id) }

    /// Brings the result up to date, and compares it with a fetch.
    func follow() throws {
        let changes = store.liveFeed.state.withLock { state in
            state.feed.setWaiting(true, id)
            defer {
                state.feed.setWaiting(false, id)
                state.feed.endRead()
            }
            return state.feed.beginRead()[id] ?? RowChanges()
        }
        try follow(changes)
    }

    private func follow(_ changes: RowChanges) throws {
        let snapshot = try store.read { try subscription.snapshot($0, changes) }
        if let snapshot { shown = Array(snapshot) }
        let fetched = try store.read { try $0.fetch(request) }
        guard shown == fetched else {
            throw Counterexample("\(request.entity): \(shown) instead of \(fetched)")
        }
    }
}
