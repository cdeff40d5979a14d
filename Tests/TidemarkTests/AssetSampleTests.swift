import Foundation
import HTTPTypes
import Testing
import Tidemark
import TidemarkTestSupport
import TidemarkTesting

/// The samples of docs/assets.md.
struct AssetSampleTests {
    @Test func `files are downloaded, added, uploaded and deleted`() async throws {
        let folder = try Folder()
        var dialect = FakeDialect.rest()
        dialect.writes = FakeWrites()
        dialect.writes?.files = "files"
        let fake = FakeService(collections: ["notes": []], dialect: dialect)
        fake.setFile([1, 2, 3], type: "image/png", at: "media/a.png")
        let address = fake.url.appending(path: "media/a.png").absoluteString
        fake["notes/7"] = ["text": "Buy milk", "photo": .string(address)]
        let model = Model {
            EntityDescription("Note") {
                Attribute("id", .integer64)
                Attribute("text", .string)
                Attribute("photo", .uri, isAsset: true)
            }
        }
        let store = try Store.validated(at: folder.filePath("notes.sqlite"), model: model)
        var service = Service.rest(url: fake.url)
        service.push = .rest
        // snippet.uploads
        service.push.body.uploads = PushStyle.Upload(.post, path: "files/{name}", url: ["url"])
        // snippet.end
        let engine = try await SyncEngine.prepare(
            store: store,
            service: service,
            resources: [service.resource("Note", path: "notes/")],
            transport: fake
        )
        _ = try await engine.pull()
        // snippet.download
        let note = try await store.read { reader in try reader.record(RecordLocator("Note:7")) }
        if case .uri(let address) = note["photo"], let url = URL(string: address) {
            let file = try await engine.assets.file(for: url)
            print(file.path)
        }
        let report = try await engine.assets.download("photo", of: "Note")
        print(report.downloaded, report.failures)
        // snippet.end
        #expect(report.downloaded == 0)
        let data = Data([4, 5])
        // snippet.upload
        let photo = try await engine.assets.put(data, type: "image/png")
        try await store.write { writer in
            _ = try writer.insert("Note", values: ["photo": .uri(photo.absoluteString)])
        }
        _ = try await engine.sync()
        // snippet.end
        #expect(fake.audit.count == 1)
        let sent = try #require(fake.audit.first?.object?["photo"]?.string)
        #expect(sent.hasPrefix(fake.url.absoluteString + "files/"))
        // snippet.prune
        try await engine.assets.prune(keeping: 200 << 20)
        // snippet.end
        let files = try FileManager.default.contentsOfDirectory(
            atPath: folder.filePath("notes.sqlite.assets")
        )
        #expect(files.count == 2)
    }
}
