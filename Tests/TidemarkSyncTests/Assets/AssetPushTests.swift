import Foundation
import GRDB
import HTTPTypes
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Files that are uploaded before the rows that refer to them.
struct AssetPushTests {
    @Test(arguments: PhotoService.Dialect.allCases)
    func `a file is uploaded before its row, which then has the service's URL`(
        dialect: PhotoService.Dialect
    ) async throws {
        let folder = try Folder()
        let photos = try PhotoService(dialect, in: folder.path)
        let engine = try photos.engine()
        _ = try await engine.pull()
        try await photos.addNote()
        photos.fake.clearRequests()
        _ = try await engine.sync()
        let file = dialect == .parse ? "app/\(String(repeating: "0", count: 31))1_PHOTO" : "PHOTO"
        let value =
            dialect == .parse
            ? #"{"__type":"File","name":"\#(file.dropFirst(4))","url":"files/\#(file)"}"#
            : #""files/\#(file)""#
        try expect(
            photos.state(),
            is: """
                Note#1 id mine files/\(file)
                create note {"text":"mine","photo":\(value)}
                """
        )
        let sent = photos.fake.requests.prefix(2).map { $0.request.path ?? "" }
        #expect(sent.first?.hasSuffix("files/\(PhotoService.name())") == true)
        #expect(sent.last?.contains("notes") == true)
        let upload = photos.fake.requests.first
        #expect(upload?.body == PhotoService.photo)
        #expect(upload?.request.headerFields[.contentType] == "image/png")
        // The folder has the file of the new URL already.
        let text = try await photos.store.read { reader in
            try String.fetchOne(reader.db, sql: "SELECT photo FROM Note") ?? ""
        }
        photos.fake.clearRequests()
        let location = try await engine.assets.file(for: #require(URL(string: text)))
        #expect(try Array(Data(contentsOf: location)) == PhotoService.photo)
        #expect(photos.requests == [])
        // Another device downloads it.
        let otherFolder = try Folder()
        let device = try PhotoService(dialect, in: otherFolder.path)
        let second = try device.engine(over: photos.fake)
        _ = try await second.pull()
        #expect(try await second.assets.download("photo", of: "Note").downloaded == 1)
    }

    @Test(arguments: PhotoService.Dialect.allCases)
    func `a file replaces that of an object, and leaves its other members`(
        dialect: PhotoService.Dialect
    ) async throws {
        let folder = try Folder()
        let photos = try PhotoService(dialect, in: folder.path)
        let url = photos.addPhoto("media/old.png", [1])
        let key = dialect == .parse ? "k1" : "1"
        photos.fake["notes/\(key)"] = [
            "text": "theirs",
            "photo": dialect == .parse
                ? ["__type": "File", "name": "old.png", "url": .string(url.absoluteString)]
                : .string(url.absoluteString),
        ]
        let engine = try photos.engine()
        _ = try await engine.pull()
        let before = try await photos.store.read { try $0.record(RecordLocator("Note#1")) }
        #expect(before["photo"] == .uri(url.absoluteString))
        let photo = try await engine.assets.put(Data(PhotoService.photo), type: "image/png")
        _ = try await photos.store.write { writer in
            try writer.update(
                RecordLocator("Note#1"),
                values: ["photo": .uri(photo.absoluteString)]
            )
        }
        _ = try await engine.sync()
        let object = photos.fake["notes/\(key)"]
        let address = dialect == .parse ? object?["photo"]?["url"] : object?["photo"]
        #expect(address?.string?.hasSuffix(PhotoService.name()) == true)
        #expect(object?["text"] == "theirs")
        let after = try await photos.store.read { try $0.record(RecordLocator("Note#1")) }
        #expect(after["photo"] == .uri(address?.string ?? ""))
        let left = try await photos.store.read { try Outbox(photos.store).changes($0.db) }
        #expect(left == [])
        #expect(try photos.store.conflicts() == "")
    }

    @Test func `a file that two rows refer to is uploaded once`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let engine = try photos.engine()
        _ = try await engine.pull()
        try await photos.addNote()
        try await photos.addNote(text: "other")
        photos.fake.clearRequests()
        _ = try await engine.push()
        #expect(
            photos.requests == [
                "POST /api/files/PHOTO 201", "POST /api/notes/ 201", "POST /api/notes/ 201",
            ]
        )
    }

    @Test func `the files of attributes that are not sent stay on this device`() async throws {
        let folder = try Folder()
        var model = PhotoService.model()
        model.entities[0].attributes[2].json.isExportable = false
        let store = try Store.validated(at: folder.filePath("store"), model: model)
        let photos = try PhotoService(store: store)
        let engine = try photos.engine()
        _ = try await engine.pull()
        try await photos.addNote()
        _ = try await engine.push()
        try expect(
            photos.state(),
            is: """
                Note#1 id mine tidemark-asset:PHOTO
                create note {"text":"mine"}
                """
        )
    }

    @Test func `the requests of a push are shown without an upload`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(.parse, in: folder.path)
        let engine = try photos.engine()
        _ = try await engine.pull()
        try await photos.addNote()
        photos.fake.clearRequests()
        let bodies = try await engine.plannedRequests().map(\.body)
        #expect(bodies.count == 1)
        #expect(bodies.first??.contains(#""url":"tidemark-asset:\#(PhotoService.name())""#) == true)
        #expect(photos.requests == [])
    }
}
