import Foundation
import GRDB
import HTTPTypes
import Synchronization
import Testing
import TidemarkFakeServer
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Downloads that were interrupted.
struct AssetResumeTests {
    /// Downloads 400 of 1,000 bytes of a photo.
    private func interrupted(
        in folder: borrowing Folder
    ) async throws -> (PhotoService, SyncEngine, URL) {
        var photos = try PhotoService(in: folder.path)
        photos.limits.http.attempts = 1
        let url = photos.addPhoto()
        photos.fake.inject(.truncatedBody(after: 400), times: 1)
        let engine = try photos.engine()
        await expect(failure: RemoteError.Code.truncated) {
            try await engine.assets.file(for: url)
        }
        return (photos, engine, url)
    }

    @Test func `a connection that breaks is continued at the same byte`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let url = photos.addPhoto()
        photos.fake.inject(.truncatedBody(after: 400), times: 1)
        photos.fake.inject(.truncatedBody(after: 100), times: 1)
        let location = try await photos.engine().assets.file(for: url)
        #expect(try Array(Data(contentsOf: location)) == PhotoService.photo)
        #expect(
            photos.requests == [
                "GET /api/media/a.png 200", "GET /api/media/a.png 206 bytes=400-",
                "GET /api/media/a.png 206 bytes=500-",
            ]
        )
        #expect(try photos.files() == [PhotoService.name()])
        #expect(try photos.records() == ["media/a.png 1000 image/png complete"])
    }

    @Test func `a later download resumes one that failed`() async throws {
        let folder = try Folder()
        let (photos, _, url) = try await interrupted(in: folder)
        let location = try await photos.engine().assets.file(for: url)
        #expect(try Array(Data(contentsOf: location)) == PhotoService.photo)
        #expect(
            photos.requests == ["GET /api/media/a.png 200", "GET /api/media/a.png 206 bytes=400-"]
        )
    }

    @Test func `a file that has changed meanwhile is downloaded from its start`() async throws {
        let folder = try Folder()
        let (photos, engine, url) = try await interrupted(in: folder)
        let changed = PhotoService.photo.map { $0 ^ 1 }
        photos.addPhoto("media/a.png", changed)
        let location = try await engine.assets.file(for: url)
        #expect(try Array(Data(contentsOf: location)) == changed)
        #expect(
            photos.requests == ["GET /api/media/a.png 200", "GET /api/media/a.png 200 bytes=400-"]
        )
        #expect(try photos.files() == [PhotoService.name(changed)])
    }

    @Test func `a range of another version is not joined with the first part`() async throws {
        let folder = try Folder()
        let (photos, engine, url) = try await interrupted(in: folder)
        // A service that ignores `If-Range`.
        photos.fake.inject(.header("ETag", "\"other\""), times: 1)
        let location = try await engine.assets.file(for: url)
        #expect(try Array(Data(contentsOf: location)) == PhotoService.photo)
        #expect(
            photos.requests == [
                "GET /api/media/a.png 200", "GET /api/media/a.png 206 bytes=400-",
                "GET /api/media/a.png 200",
            ]
        )
    }

    @Test func `a range that the service does not have is not the end`() async throws {
        let folder = try Folder()
        let (photos, engine, url) = try await interrupted(in: folder)
        photos.fake.inject(.status(416), times: 1)
        let location = try await engine.assets.file(for: url)
        #expect(try Array(Data(contentsOf: location)) == PhotoService.photo)
        #expect(photos.requests.last == "GET /api/media/a.png 200")
    }

    @Test(arguments: ["W/\"weak\"", ""])
    func `without a strong entity tag a download starts again`(tag: String) async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let url = photos.addPhoto()
        photos.fake.inject(.header("ETag", tag))
        photos.fake.inject(.truncatedBody(after: 400), times: 1)
        let engine = try photos.engine()
        await expect(failure: RemoteError.Code.truncated) {
            try await engine.assets.file(for: url)
        }
        #expect(try photos.files() == [])
        _ = try await engine.assets.file(for: url)
        #expect(photos.requests == ["GET /api/media/a.png 200", "GET /api/media/a.png 200"])
    }

    @Test func `a cancelled download is resumed`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let url = photos.addPhoto()
        let (received, signal) = AsyncStream<Void>.makeStream()
        let transport = PartialTransport(fake: photos.fake) {
            $0.chunks(of: 500)
        } between: {
            signal.finish()
            // Until it is cancelled: the stream ends when its continuation is released.
            let (never, keeper) = AsyncStream<Never>.makeStream()
            for await _ in never {}
            keeper.finish()
            throw CancellationError()
        }
        let engine = try photos.engine(over: transport)
        let download = Task { try await engine.assets.file(for: url) }
        for await _ in received {}
        download.cancel()
        await #expect(throws: CancellationError.self) { try await download.value }
        // The caller does not wait for the download to notice it: its lock shows when it did.
        let assets = try #require(engine.assets.folder)
        let name = url.absoluteString.sha256 + PartialFile.suffix
        while try PartialFile.create(name, in: assets) == nil { await Task.yield() }
        let location = try await photos.engine().assets.file(for: url)
        #expect(try Array(Data(contentsOf: location)) == PhotoService.photo)
        #expect(
            photos.requests == ["GET /api/media/a.png 200", "GET /api/media/a.png 206 bytes=500-"]
        )
    }

    @Test(arguments: SocketTransport.allCases)
    func `a download is resumed over a socket`(socketTransport: SocketTransport) async throws {
        let folder = try Folder()
        var photos = try PhotoService(in: folder.path)
        photos.service.name = "photos"
        photos.limits.http.attempts = 1
        let url = photos.addPhoto()
        photos.fake.inject(.truncatedBody(after: 400), times: 1)
        let engine = try photos.engine()
        await expect(failure: RemoteError.Code.truncated) { try await engine.assets.file(for: url) }
        try await FakeServer.run(photos.fake) { address in
            try await socketTransport.run { [photos] transport in
                // The service has moved since the URL was stored.
                var moved = photos
                moved.service = .rest(url: address)
                moved.service.name = "photos"
                let location = try await moved.engine(over: transport).assets.file(for: url)
                #expect(try Array(Data(contentsOf: location)) == PhotoService.photo)
            }
        }
        #expect(
            photos.requests == ["GET /api/media/a.png 200", "GET /api/media/a.png 206 bytes=400-"]
        )
    }

    @Test func `a download whose process is killed is resumed by the next one`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let url = photos.addPhoto()
        let copy = folder.filePath("copy")
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        // What is on disk in the middle of the body is what a killed process leaves.
        let transport = PartialTransport(fake: photos.fake) {
            $0.chunks(of: 500)
        } between: { [store = photos.store, folder = folder.path] in
            try store.writer.backup(to: DatabaseQueue(path: "\(copy)/store"))
            try FileManager.default.copyItem(
                atPath: "\(folder)/store.assets",
                toPath: "\(copy)/store.assets"
            )
        }
        _ = try await photos.engine(over: transport).assets.file(for: url)
        photos.fake.clearRequests()
        let killed = try Store.validated(at: "\(copy)/store")
        let location = try await photos.engine(into: killed).assets.file(for: url)
        #expect(try Array(Data(contentsOf: location)) == PhotoService.photo)
        #expect(photos.requests == ["GET /api/media/a.png 206 bytes=500-"])
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(copy)/store.assets")
        #expect(left == [PhotoService.name()])
    }
}
