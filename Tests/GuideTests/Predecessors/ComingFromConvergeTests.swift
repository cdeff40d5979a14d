import Foundation
import GuideSupport
import Testing
import Tidemark
import TidemarkCoreData
import TidemarkMacros
import TidemarkTestSupport
import TidemarkTesting

/// The samples of the article ComingFromConverge.
struct ComingFromConvergeTests {
    // snippet.types
    @Entity struct Article {
        @PrimaryKey var id: Int?
        var title: String?
        var bodyText: String?
        var imageURL: URL?
        @Relationship(inverse: "article", deleteRule: .cascade) var comments: Many<ArticleComment>
    }

    @Entity struct ArticleComment {
        @PrimaryKey var id: Int?
        var text: String?
        @Relationship(inverse: "comments") var article: One<Article>
    }
    // snippet.end

    private let console = GuideConsole()
    private let fake: FakeService

    init() {
        fake = FakeService(
            collections: [
                "articles": [
                    [
                        "id": 1, "title": "Notes", "body_text": "On the engine",
                        "image": ["url": "https://fake.example/a.png"],
                    ],
                    ["id": 2, "title": "Machinery"],
                ],
                "article_comments": [["id": 5, "text": "Good", "article_id": 1]],
            ],
            dialect: GuideService.rails
        )
    }

    private func print(_ items: Any...) { console.write(items) }

    @Test func `records are fetched and sent`() async throws {
        let temporary = try Folder()
        try temporary.write(Self.contents, to: "Blog.xcdatamodeld/Blog.xcdatamodel/contents")
        let (folder, url, transport) = (temporary.path, fake.url, fake)
        // snippet.open
        let model = try ModelBundle.model(at: "\(folder)/Blog.xcdatamodeld")
        let store = try Store.open(at: "\(folder)/blog.sqlite", model: model)
        // snippet.end
        _ = store.validated()
        // snippet.pull
        var service = Service.rails(url: url)
        service.push = .rails
        let engine = try await SyncEngine.prepare(
            store: store,
            service: service,
            entities: Article.self,
            ArticleComment.self,
            transport: transport
        )
        let report = try await engine.pull()
        print(report[Article.self].inserted, report[ArticleComment.self].inserted)  // 2 1
        // snippet.end
        #expect(console.lines == ["2 1"])
        let notes = try await store.fetch(Article.self, key: 1)
        #expect(notes?.bodyText == "On the engine")
        #expect(notes?.imageURL?.absoluteString == "https://fake.example/a.png")
        // snippet.push
        let draft = try await store.insert(Article(title: "Tables"))
        if let notes = try await store.fetch(Article.self, key: 1) {
            try await store.update(notes.rowID) { $0.title = "Notes, revised" }
        }
        let pushed = try await engine.push()
        print(pushed.total.created, pushed.total.updated)  // 1 1
        let sent = try await store.fetch(draft.rowID)
        print(sent?.id ?? 0)  // 3: the service has assigned it; the row number is unchanged
        // snippet.end
        #expect(console.lines == ["2 1", "1 1", "3"])
        #expect(fake["articles/1"]?["title"] == "Notes, revised")
        #expect(fake["articles/3"]?["title"] == "Tables")
    }

    @Test func `a file seeds the store, and conditions find its rows`() async throws {
        let store = try Store.validated(model: Model(Article.self, ArticleComment.self))
        var service = Service.rails(url: fake.url)
        service.push = .rails
        let engine = try await SyncEngine.prepare(
            store: store,
            service: service,
            entities: Article.self,
            ArticleComment.self,
            transport: fake
        )
        let temporary = try Folder()
        try temporary.write(
            #"[{"id": 1, "title": "Notes"}, {"id": 2, "title": "Machinery"}]"#,
            to: "Article.json"
        )
        let folder = temporary.path
        // snippet.seed
        var options = ImportOptions(operations: .upsert)
        options.origin = .service
        let seed = URL(filePath: "\(folder)/Article.json")
        let report = try await store.import(seed, as: Article.self, options: options)
        print(report)  // Article: 2 inserted
        // snippet.end
        // snippet.query
        let found = try await store.fetch(
            Article.filter { $0.title.contains("note", folding: .caseInsensitive) }
                .sorted(by: \.title)
        )
        let predicate = try RecordPredicate("title CONTAINS[c] %@", .string("note"))
        let same = try await store.fetch(Article.all.filter(predicate).sorted(by: \.title))
        print(found.compactMap(\.title), same.compactMap(\.title))  // ["Notes"] ["Notes"]
        // snippet.end
        #expect(console.lines == ["Article: 2 inserted", #"["Notes"] ["Notes"]"#])
        #expect(try await engine.push().total.created == 0)
        #expect(try await store.read { try Outbox(store).changes($0.db) }.isEmpty)
    }

    private static let contents = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Article">
                <attribute name="id" optional="YES" attributeType="Integer 64"/>
                <attribute name="title" optional="YES" attributeType="String"/>
                <attribute name="bodyText" optional="YES" attributeType="String"/>
                <attribute name="imageURL" optional="YES" attributeType="URI">
                    <userInfo><entry key="tidemark.remoteKey" value="image.url"/></userInfo>
                </attribute>
                <relationship name="comments" optional="YES" toMany="YES" deletionRule="Cascade"
                    destinationEntity="ArticleComment" inverseName="article"
                    inverseEntity="ArticleComment"/>
            </entity>
            <entity name="ArticleComment">
                <attribute name="id" optional="YES" attributeType="Integer 64"/>
                <attribute name="text" optional="YES" attributeType="String"/>
                <relationship name="article" optional="YES" maxCount="1" deletionRule="Nullify"
                    destinationEntity="Article" inverseName="comments" inverseEntity="Article"/>
            </entity>
        </model>
        """
}
