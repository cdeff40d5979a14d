import Foundation
import GRDB
import HTTPTypes
import Synchronization
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Files that are downloaded when they are needed.
struct AssetDownloadTests {
    // MARK: Failures

    @Test func `a file that is too long is rejected before it is read`() async throws {
        let folder = try Folder()
        var photos = try PhotoService(in: folder.path)
        photos.limits.http.assetBytes = 999
        let url = photos.addPhoto()
        let engine = try photos.engine()
        await expect(failure: RemoteError.Code.tooLarge) {
            try await engine.assets.file(for: url)
        }
        #expect(try photos.files() == [])
        #expect(try photos.records() == [])
    }

    @Test func `a file of unknown length is rejected when it exceeds the limit`() async throws {
        let folder = try Folder()
        var photos = try PhotoService(in: folder.path)
        photos.limits.http.assetBytes = 999
        let url = photos.addPhoto()
        let transport = PartialTransport(fake: photos.fake) {
            $0.chunks(of: 300)
        } head: {
            $0.headerFields[.contentLength] = nil
        }
        let engine = try photos.engine(over: transport)
        await expect(failure: RemoteError.Code.tooLarge) {
            try await engine.assets.file(for: url)
        }
        #expect(try photos.files() == [])
        #expect(try photos.records() == [])
    }

    @Test(arguments: [
        (FakeFault.html, RemoteError.Code.invalidFile),
        (.status(404), .notFound), (.status(401), .unauthorized), (.status(403), .unauthorized),
        (.status(204), .invalidFile),
        (.redirect(to: "https://elsewhere.example/a.png"), .redirectRejected),
        (.status(500), .serverError), (.connectionClosed, .connectionFailed),
    ])
    func `a response that is not the file leaves nothing`(
        fault: FakeFault,
        code: RemoteError.Code
    ) async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let url = photos.addPhoto()
        photos.fake.inject(fault)
        let engine = try photos.engine()
        await expect(failure: code) { try await engine.assets.file(for: url) }
        #expect(try photos.files() == [])
        #expect(try photos.records() == [])
    }

    @Test(arguments: ["https://elsewhere.example/a.png", "file:///etc/passwd", "ftp://a.example/b"])
    func `a URL that does not belong to the service is not requested`(text: String) async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let url = try #require(URL(string: text))
        let engine = try photos.engine()
        await expect(failure: RemoteError.Code.linkRejected) {
            try await engine.assets.file(for: url)
        }
        #expect(photos.requests == [])
        #expect(try photos.files() == [])
    }

    @Test func `a file with another digest than the service says is rejected`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let url = photos.addPhoto()
        let digest = Data(repeating: 1, count: 32).base64EncodedString()
        photos.fake.inject(.header("Repr-Digest", "sha-512=:AAAA:, sha-256=:\(digest):"))
        let engine = try photos.engine()
        await expect(failure: RemoteError.Code.invalidFile) {
            try await engine.assets.file(for: url)
        }
        #expect(try photos.files() == [])
        #expect(try photos.records() == [])
    }

    @Test func `a file that was cut short unnoticed is found by its digest`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let url = photos.addPhoto()
        var hash = ContentHash()
        hash.update(PhotoService.photo)
        let digest = Data(hash.digest).base64EncodedString()
        photos.fake.inject(.header("Repr-Digest", "sha-256=:\(digest):"))
        photos.fake.inject(.shortBody(after: 500), times: 1)
        let engine = try photos.engine()
        await expect(failure: RemoteError.Code.invalidFile) {
            try await engine.assets.file(for: url)
        }
        #expect(try photos.files() == [])
        let location = try await engine.assets.file(for: url)
        #expect(try Array(Data(contentsOf: location)) == PhotoService.photo)
    }

    @Test func `a body that ends before its length is not a file`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let url = photos.addPhoto()
        let transport = PartialTransport(fake: photos.fake) { [Array($0.prefix($0.count / 2))] }
        let engine = try photos.engine(over: transport)
        await expect(failure: RemoteError.Code.truncated) {
            try await engine.assets.file(for: url)
        }
        // What was received is kept, and the rest was requested as long as bytes arrived.
        #expect(
            photos.requests == [
                "GET /api/media/a.png 200", "GET /api/media/a.png 206 bytes=500-",
                "GET /api/media/a.png 206 bytes=750-", "GET /api/media/a.png 206 bytes=875-",
                "GET /api/media/a.png 206 bytes=937-",
            ]
        )
        #expect(try photos.records() == ["media/a.png 1000 image/png partial"])
    }

    @Test func `a store without a folder has no files`() async throws {
        var photos = try PhotoService(store: Store.validated(model: PhotoService.model()))
        let url = photos.addPhoto()
        let engine = try photos.engine()
        await expect(failure: SyncError.Code.noAssetFolder) {
            try await engine.assets.file(for: url)
        }
        let folder = try Folder()
        photos.folder = URL(filePath: folder.filePath("files"))
        let location = try await photos.engine().assets.file(for: url)
        #expect(location.path == folder.filePath("files/\(PhotoService.name())"))
    }

    // MARK: Downloads

    @Test func `a file is requested once, and is then in the folder`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let url = photos.addPhoto()
        let first = try await photos.engine().assets.file(for: url)
        let second = try await photos.engine().assets.file(for: url)
        #expect(first == second)
        #expect(first.path == folder.filePath("store.assets/\(PhotoService.name())"))
        #expect(try Array(Data(contentsOf: first)) == PhotoService.photo)
        #expect(photos.requests == ["GET /api/media/a.png 200"])
        #expect(try photos.records() == ["media/a.png 1000 image/png complete"])
        let mode = try FileManager.default.attributesOfItem(atPath: first.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test func `a file that was deleted from the folder is requested again`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let url = photos.addPhoto()
        let engine = try photos.engine()
        try FileManager.default.removeItem(at: await engine.assets.file(for: url))
        let location = try await engine.assets.file(for: url)
        #expect(try Array(Data(contentsOf: location)) == PhotoService.photo)
        #expect(photos.requests.count == 2)
    }

    @Test func `the same content at two URLs is stored once`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let engine = try photos.engine()
        let first = try await engine.assets.file(for: photos.addPhoto("media/a.png"))
        let second = try await engine.assets.file(for: photos.addPhoto("media/b.png"))
        #expect(first == second)
        #expect(try photos.files() == [PhotoService.name()])
    }

    @Test func `a path in a URL never becomes a path in the folder`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        photos.addPhoto("media/../../../x.png")
        let url = try #require(
            URL(string: photos.fake.url.absoluteString + "media/..%2F..%2F..%2Fx.png")
        )
        photos.fake.setFile(PhotoService.photo, type: "../../x", at: "media/../../../x.png")
        let location = try await photos.engine().assets.file(for: url)
        let name = PhotoService.name(PhotoService.photo, "bin")
        #expect(location.path == folder.filePath("store.assets/\(name)"))
    }

    @Test func `credentials are sent to the service, and no field asks for JSON`() async throws {
        let folder = try Folder()
        var photos = try PhotoService(in: folder.path)
        photos.service.headers[.authorization] = "Bearer abc"
        let url = photos.addPhoto()
        _ = try await photos.engine().assets.file(for: url)
        let fields = photos.fake.requests.first?.request.headerFields
        #expect(fields?[.authorization] == "Bearer abc")
        #expect(fields?[.accept] == "*/*")
        #expect(fields?[.acceptEncoding] == "identity")
    }

    @Test func `callers that request a file at a time share one request`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let url = photos.addPhoto()
        let (waiting, callers) = AsyncStream<Void>.makeStream()
        let transport = PartialTransport(fake: photos.fake) {
            $0.chunks(of: 500)
        } between: {
            for await _ in waiting { break }
        }
        let engine = try photos.engine(over: transport)
        let first = Task { try await engine.assets.file(for: url) }
        let second = Task { try await engine.assets.file(for: url) }
        let third = Task { try await engine.assets.file(for: url) }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        callers.finish()
        let locations = [try await first.value, try await third.value]
        #expect(
            Set(locations.map(\.path)) == [folder.filePath("store.assets/\(PhotoService.name())")]
        )
        #expect(photos.requests == ["GET /api/media/a.png 200"])
    }

    @Test func `two engines of one store do not write to the same partial file`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let url = photos.addPhoto()
        let engine = try photos.engine()
        let assets = try #require(engine.assets.folder)
        try assets.create()
        let name = url.absoluteString.sha256 + PartialFile.suffix
        let other = try #require(try PartialFile.create(name, in: assets))
        try other.append(Array("theirs".utf8))
        try await photos.store.writer.write { [now = photos.clock.environment.now()] db in
            try AssetTable.create(db).write(
                AssetRecord(
                    url: url.absoluteString,
                    entityTag: "\"a\"",
                    partial: name,
                    lastUsed: now
                )
            )
        }
        photos.fake.inject(.status(404), times: 1)
        await expect(failure: RemoteError.Code.notFound) { try await engine.assets.file(for: url) }
        #expect(try photos.records() == ["media/a.png -1 – partial"])
        let location = try await engine.assets.file(for: url)
        #expect(try Array(Data(contentsOf: location)) == PhotoService.photo)
        let part = try Data(contentsOf: assets.url.appending(path: name))
        #expect(String(decoding: part, as: UTF8.self) == "theirs")
        #expect(try photos.files() == [PhotoService.name(), name].sorted())
        #expect(other.length == 6)
    }
}
