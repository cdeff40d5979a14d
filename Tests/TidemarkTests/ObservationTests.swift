import GRDB
import Testing
import Tidemark
import TidemarkTesting

/// The samples in `docs` that observe a pull while it runs.
struct ObservationTests {
    @Test func `changed rows update a search index`() async throws {
        let service = try await ArticleService()
        let (store, engine) = (service.store, service.engine)
        let index = Index()
        // snippet.changes
        let changes = try await store.changes()
        Task {
            for try await batch in changes {
                for change in batch.changes where change.entity == "Article" {
                    await index.update(change.key)
                }
            }
        }
        _ = try await engine.pull()
        // snippet.end
        var updated: [RecordKey] = []
        for await key in index.keys.stream.prefix(5) { updated.append(key) }
        #expect(updated == (1...5).map { RecordKey([.integer($0)]) })
    }

    @Test func `the progress of a pull updates a progress bar`() async throws {
        let engine = try await ArticleService().engine
        let bar = Bar()
        // snippet.progress
        let pull = engine.startPull()
        var progress = SyncProgress()
        for await event in pull.events {
            progress.update(with: event)
            bar.doubleValue = progress.fraction
        }
        let report = try await pull.value
        // snippet.end
        #expect(report.isComplete)
        #expect(bar.doubleValue == 1)
    }

    @Test func `rows are observed while a pull runs`() async throws {
        let service = try await ArticleService()
        let (store, engine) = (service.store, service.engine)
        let list = ArticleList()
        // snippet.follow
        let observation = ValueObservation.tracking { db in
            try Article.order(Column("title")).fetchAll(db)
        }
        let following = Task {
            for try await articles in observation.values(in: store.reader) {
                list.show(articles)
            }
        }
        let report = try await engine.pull()
        // snippet.end
        #expect(report.isComplete)
        for await titles in list.shown.stream where titles.count == 5 {
            #expect(titles == (1...5).map { "Article \($0)" })
            break
        }
        following.cancel()
    }

    @Test func `the report contains a list that failed`() async throws {
        let service = try await ArticleService()
        let engine = service.engine
        service.fake.inject(.status(403), at: "articles/?page=2")
        // snippet.failures
        let report = try await engine.pull()
        for (path, resource) in report.resources {
            if let failure = resource.failure { print("\(path): \(failure)") }
        }
        // snippet.end
        #expect(!report.isComplete)
        #expect(throws: SyncFailure.self) { try report.get() }
    }

    /// A search index of articles, which records the updated keys.
    private struct Index {
        let keys = AsyncStream<RecordKey>.makeStream()

        func update(_ key: RecordKey?) async {
            if let key { keys.continuation.yield(key) }
        }
    }

    /// A progress bar.
    private final class Bar {
        var doubleValue = 0.0
    }

    /// A list of articles on a screen.
    private struct ArticleList {
        let shown = AsyncStream<[String]>.makeStream()

        func show(_ articles: [Article]) {
            shown.continuation.yield(articles.compactMap(\.title))
        }
    }
}

// snippet.Article
struct Article: StoreRow {
    var row: Int64?
    var id: Int64?
    var title: String?

    enum CodingKeys: String, CodingKey {
        case row = "_id"
        case id, title
    }
}
// snippet.end
