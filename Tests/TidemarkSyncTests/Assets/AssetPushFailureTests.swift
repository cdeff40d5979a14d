import Foundation
import GRDB
import HTTPTypes
import Synchronization
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Files that cannot be uploaded, or whose rows cannot be sent.
struct AssetPushFailureTests {
    @Test func `a service that accepts no files rejects the row with that reason, and no other`()
        async throws
    {
        let folder = try Folder()
        var photos = try PhotoService(in: folder.path)
        photos.service.push.body.uploads = nil
        let engine = try photos.engine()
        _ = try await engine.pull()
        try await photos.addNote()
        _ = try await photos.store.write { try $0.insert("Note", values: ["text": .string("b")]) }
        let report = try await engine.push()
        #expect(report.entities == ["Note": PushReport.Counts(created: 1, rejected: 1)])
        let rejected = try photos.state()
        let errors = try await photos.store.read { [store = photos.store] reader in
            try Outbox(store).changes(reader.db).map(\.attempts.fieldErrors)
        }
        #expect(errors.first?.keys.sorted() == ["photo"])
        // The user removes the photo.
        _ = try await photos.store.write { writer in
            try writer.update(RecordLocator("Note#1"), values: ["photo": .null])
        }
        _ = try await engine.push()
        try expect(
            rejected + "\n---\n" + photos.state(),
            is: """
                Note#1 – mine tidemark-asset:PHOTO
                Note#2 id b –
                #1 create, rejected: photo: the service accepts no files: no `uploads` are configured
                create note {"text":"b"}
                ---
                Note#1 id mine –
                Note#2 id b –
                create note {"text":"b"}
                create note {"text":"mine"}
                """
        )
    }

    @Test func `a file that is missing in the folder rejects the row`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let engine = try photos.engine()
        _ = try await engine.pull()
        try await photos.addNote()
        engine.assets.folder?.remove(PhotoService.name())
        _ = try await engine.push()
        try expect(
            photos.state(),
            is: """
                Note#1 – mine tidemark-asset:PHOTO
                #1 create, rejected: photo: the file does not exist in the folder of the store
                """
        )
    }

    @Test func `a file whose content is not that of its name is not uploaded`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let engine = try photos.engine()
        _ = try await engine.pull()
        try await photos.addNote()
        let file = try #require(engine.assets.folder).url.appending(path: PhotoService.name())
        // As long as the file was, so that its size does not show it.
        try Data(PhotoService.photo.map { _ in 0 }).write(to: file)
        photos.fake.clearRequests()
        _ = try await engine.push()
        #expect(photos.fake.requests.isEmpty)
        try expect(
            photos.state(),
            is: """
                Note#1 – mine tidemark-asset:PHOTO
                #1 create, rejected: photo: the file in the folder of the store was changed: its \
                digest is another one
                """
        )
        // The file is there again, and the change is sent once more.
        try Data(PhotoService.photo).write(to: file)
        _ = try await photos.store.write { [store = photos.store] writer in
            try Outbox(store).retry(writer.db)
        }
        _ = try await engine.push()
        try expect(
            photos.state(),
            is: """
                Note#1 id mine files/PHOTO
                create note {"text":"mine","photo":"files/PHOTO"}
                """
        )
    }

    @Test(arguments: [
        (
            FakeFault.status(500),
            "the service failed (500) while it processed the change (“This error was injected.”)"
        ),
        (.status(503, retryAfter: .seconds(60)), "the service requests a pause of 60 s"),
        (.status(401), "file: the service rejects the credentials (“This error was injected.”)"),
        (.html, "file: the response is a page (text/html), such as that of a sign-in"),
        (
            .body("{}", type: "application/json"),
            "The response to an upload does not contain the URL of the file."
        ),
        (
            .body(#"{"url": "javascript:1"}"#, type: "application/json"),
            "The response to an upload does not contain the URL of the file."
        ),
    ])
    func `a row is not sent without its file`(fault: FakeFault, reason: String) async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let engine = try photos.engine()
        _ = try await engine.pull()
        try await photos.addNote()
        photos.fake.clearRequests()
        photos.fake.inject(fault, times: 1)
        _ = try await engine.push()
        #expect(photos.requests.count == 1)
        let left = try photos.state()
        photos.clock.advance(by: .seconds(3_600))
        _ = try await engine.push()
        try expect(
            left + "\n---\n" + photos.state(),
            is: """
                Note#1 – mine tidemark-asset:PHOTO
                #1 create, pending: \(reason)
                ---
                Note#1 id mine files/PHOTO
                create note {"text":"mine","photo":"files/PHOTO"}
                """
        )
    }

    @Test func `a file that the service rejects rejects the row`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let engine = try photos.engine()
        _ = try await engine.pull()
        try await photos.addNote()
        photos.fake.inject(.status(413), times: 1)
        _ = try await engine.push()
        _ = try await engine.push()
        try expect(
            photos.state(),
            is: """
                Note#1 – mine tidemark-asset:PHOTO
                #1 create, rejected: photo: This error was injected.
                """
        )
    }

    @Test func `a row that is deleted while its file is uploaded is not rejected`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let transport = DeviceTransport(photos.fake)
        let engine = try photos.engine(over: transport)
        _ = try await engine.pull()
        _ = try await photos.store.write { writer in
            try writer.insert("Note", values: ["text": .string("mine")])
        }
        _ = try await engine.push()
        let photo = try await engine.assets.put(Data(PhotoService.photo), type: "image/png")
        _ = try await photos.store.write { writer in
            try writer.update(
                RecordLocator("Note#1"),
                values: ["photo": .uri(photo.absoluteString)]
            )
        }
        transport.add([.status(413)])
        // The first request reads the object.
        transport.before(2) {
            try photos.store.write { writer in _ = try writer.delete(RecordLocator("Note#1")) }
        }
        let report = try await engine.push()
        #expect(report.total.rejected == 0)
        try expect(
            photos.state(),
            is: """
                create note {"text":"mine"}
                delete note
                """
        )
    }

    @Test func `an upload whose response was lost is repeated under the same name`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let engine = try photos.engine()
        _ = try await engine.pull()
        try await photos.addNote()
        photos.fake.clearRequests()
        photos.fake.inject(.lostResponse, times: 1)
        _ = try await engine.push()
        photos.clock.advance(by: .seconds(3_600))
        _ = try await engine.push()
        #expect(
            photos.requests == [
                "POST /api/files/PHOTO 201", "POST /api/files/PHOTO 201", "POST /api/notes/ 201",
            ]
        )
        #expect(photos.fake.files.count == 1)
        #expect(photos.fake.audit.count == 1)
    }

    @Test func `a row whose response was lost is found, and its file is not sent again`()
        async throws
    {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let engine = try photos.engine()
        _ = try await engine.pull()
        try await photos.addNote()
        photos.fake.inject(.lostResponse, times: 1, at: "notes/")
        _ = try await engine.push()
        photos.clock.advance(by: .seconds(7_200))
        _ = try await engine.sync()
        try expect(
            photos.state(),
            is: """
                Note#1 id mine files/PHOTO
                create note {"text":"mine","photo":"files/PHOTO"}
                """
        )
        #expect(photos.requests.count { $0.hasPrefix("POST /api/files/") } == 1)
    }

    @Test func `a service that cannot be reached costs one request`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        _ = try await photos.engine().pull()
        try await photos.addNote()
        let other = try await photos.engine().assets.put(Data([1]), type: "image/png")
        _ = try await photos.store.write { writer in
            try writer.insert("Note", values: ["photo": .uri(other.absoluteString)])
        }
        let requests = Mutex(0)
        let transport = EditingTransport(fake: photos.fake) { request in
            requests.withLock { $0 += 1 }
            throw RemoteError.unreachable(request, because: "the network is down")
        }
        _ = try await photos.engine(over: transport).push()
        #expect(requests.withLock { $0 } == 1)
        _ = try await photos.engine().push()
        #expect(photos.fake.audit.count == 2)
    }

    @Test func `a photo that is replaced during its upload is sent by the next push`() async throws
    {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        _ = try await photos.engine().pull()
        try await photos.addNote()
        let other = try await photos.engine().assets.put(Data([1, 2]), type: "image/png")
        let transport = EditingTransport(fake: photos.fake) { request in
            guard request.path?.contains("/files/\(PhotoService.name())") == true else { return }
            _ = try await photos.store.write { writer in
                try writer.update(
                    RecordLocator("Note#1"),
                    values: ["photo": .uri(other.absoluteString)]
                )
            }
        }
        _ = try await photos.engine(over: transport).push()
        #expect(photos.fake.audit.isEmpty)
        _ = try await photos.engine().push()
        let name = PhotoService.name([1, 2])
        try expect(
            photos.state(),
            is: """
                Note#1 id mine files/\(name)
                create note {"text":"mine","photo":"files/\(name)"}
                """
        )
    }

    @Test func `a file in an object without a key is not sent with its row`() async throws {
        let folder = try Folder()
        let model = Model(entities: [
            EntityDescription(
                "Note",
                attributes: [Attribute("id", .integer64), Attribute("text", .string)],
                relationships: [
                    .many("pages", "Page", inverse: "note", .cascade)
                ]
            ),
            EntityDescription(
                "Page",
                attributes: [Attribute("scan", .uri, isAsset: true)],
                relationships: [.one("note", "Note", inverse: "pages")]
            ),
        ])
        let store = try Store.validated(at: folder.filePath("store"), model: model)
        let photos = try PhotoService(store: store)
        let engine = try photos.engine()
        _ = try await engine.pull()
        let scan = try await engine.assets.put(Data([1]), type: "image/png")
        _ = try await store.write { writer in
            let note = try writer.insert("Note", values: ["text": .string("a")])
            _ = try writer.insert(
                "Page",
                values: ["scan": .uri(scan.absoluteString)],
                links: ["note": [RecordLocator(note)]]
            )
        }
        _ = try await engine.push()
        #expect(photos.fake.audit.isEmpty)
        let reasons = try await store.read { reader in
            try Outbox(store).changes(reader.db).map(\.attempts.reason)
        }
        #expect(reasons == ["a file that it refers to was not uploaded yet"])
    }
}

/// A transport that runs an action before each request.
private struct EditingTransport: Transport {
    let fake: FakeService
    let action: @Sendable (HTTPRequest) async throws -> Void

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        try await action(request)
        return try await fake.send(request, body: body)
    }
}
