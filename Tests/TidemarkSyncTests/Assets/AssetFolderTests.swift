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

/// Files of the app, the files of all rows, and the size of the folder.
struct AssetFolderTests {
    // MARK: Files of the app

    @Test func `a file that is too long is not added`() async throws {
        let folder = try Folder()
        var photos = try PhotoService(in: folder.path)
        photos.limits.http.assetBytes = 999
        let assets = try photos.engine().assets
        let path = try folder.write(Data(PhotoService.photo), to: "a.png")
        await expect(failure: SyncError.Code.assetTooLarge) {
            try await assets.put(Data(PhotoService.photo), type: "image/png")
        }
        await expect(failure: SyncError.Code.assetTooLarge) {
            try await assets.put(URL(filePath: path))
        }
        await #expect(throws: (any Error).self) {
            try await assets.put(URL(filePath: folder.filePath("missing.png")))
        }
        #expect(try photos.files() == [])
        #expect(try photos.records() == [])
    }

    @Test func `a folder that cannot be written is named`() async throws {
        let folder = try Folder()
        var photos = try PhotoService(in: folder.path)
        photos.folder = URL(filePath: try folder.write("a file", to: "files"))
        let assets = try photos.engine().assets
        await expect(failure: SyncError.Code.assetNotWritten) {
            try await assets.put(Data([1]), type: "image/png")
        }
    }

    @Test func `a file of the app is copied, and named after its content`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let assets = try photos.engine().assets
        let path = try folder.write(Data(PhotoService.photo), to: "Holiday photo.PNG")
        let fromFile = try await assets.put(URL(filePath: path))
        let fromData = try await assets.put(Data(PhotoService.photo), type: "image/png")
        #expect(fromFile.absoluteString == "tidemark-asset:\(PhotoService.name())")
        #expect(fromData == fromFile)
        let location = try await assets.file(for: fromFile)
        #expect(try Array(Data(contentsOf: location)) == PhotoService.photo)
        #expect(try photos.files() == [PhotoService.name()])
        #expect(try photos.records() == ["tidemark-asset:PHOTO 1000 image/png complete"])
        #expect(photos.requests == [])
    }

    @Test(arguments: ["tidemark-asset:../store", "tidemark-asset:\(PhotoService.name())"])
    func `a file that the folder does not have is not requested`(text: String) async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let assets = try photos.engine().assets
        let url = try #require(URL(string: text))
        await expect(failure: SyncError.Code.unknownAsset) { try await assets.file(for: url) }
        #expect(photos.requests == [])
    }

    // MARK: The files of all rows

    @Test func `the files of rows are downloaded, and those that fail are reported`() async throws {
        let folder = try Folder()
        var photos = try PhotoService(in: folder.path)
        photos.limits.concurrency = 2
        for number in 1...5 {
            let url = photos.addPhoto("media/\(number).png", [UInt8(number)])
            photos.fake["notes/\(number)"] = ["photo": .string(url.absoluteString)]
        }
        photos.fake["notes/6"] = ["photo": .string(photos.url("media/none.png").absoluteString)]
        photos.fake["notes/7"] = ["photo": .null]
        let counter = ConcurrencyCounter(photos.fake)
        let engine = try photos.engine(over: counter)
        _ = try await engine.pull()
        let own = try await engine.assets.put(Data([0]), type: "image/png")
        _ = try await photos.store.write { writer in
            try writer.insert("Note", values: ["photo": .uri(own.absoluteString)])
        }
        _ = try await engine.assets.file(for: photos.url("media/1.png"))
        let report = try await engine.assets.download("photo", of: "Note")
        #expect(report.downloaded == 4)
        #expect(report.failures.keys.map(\.lastPathComponent) == ["none.png"])
        #expect(!report.isInterrupted)
        #expect(counter.most <= 2)
        let again = try await engine.assets.download("photo", of: "Note")
        #expect(again.downloaded == 0)
        #expect(try photos.files().count == 6)
    }

    @Test func `a service that cannot be reached ends the download of files`() async throws {
        let folder = try Folder()
        var photos = try PhotoService(in: folder.path)
        photos.limits.concurrency = 1
        photos.limits.http.attempts = 1
        for number in 1...3 {
            let url = photos.addPhoto("media/\(number).png")
            photos.fake["notes/\(number)"] = ["photo": .string(url.absoluteString)]
        }
        let engine = try photos.engine()
        _ = try await engine.pull()
        photos.fake.clearRequests()
        photos.fake.inject(.status(401))
        let report = try await engine.assets.download("photo", of: "Note")
        #expect(report.isInterrupted)
        #expect(report.downloaded == 0)
        #expect(photos.requests == ["GET /api/media/1.png 401"])
    }

    @Test func `an attribute without files has none to download`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let assets = try photos.engine().assets
        await expect(failure: SyncError.Code.unknownProperty) {
            try await assets.download("text", of: "Note")
        }
        await #expect(throws: StoreError.self) { try await assets.download("photo", of: "Nota") }
    }

    // MARK: The size of the folder

    @Test func `the files that were used last are kept`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let assets = try photos.engine().assets
        for number in 1...4 {
            let bytes = [UInt8](repeating: UInt8(number), count: 100)
            _ = try await assets.file(for: photos.addPhoto("media/\(number).png", bytes))
            photos.clock.advance(by: .seconds(7_200))
        }
        _ = try await assets.file(for: photos.url("media/1.png"))
        let deleted = try await assets.prune(keeping: 250)
        #expect(deleted == 200)
        #expect(
            try photos.records() == [
                "media/4.png 100 image/png complete", "media/1.png 100 image/png complete",
            ]
        )
        #expect(try photos.files().count == 2)
        photos.fake.clearRequests()
        _ = try await assets.file(for: photos.url("media/2.png"))
        #expect(photos.requests == ["GET /api/media/2.png 200"])
    }

    @Test func `files that were not uploaded are kept, whatever their size`() async throws {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let engine = try photos.engine()
        let assets = engine.assets
        let inRow = try await assets.put(Data([1]), type: "image/png")
        _ = try await assets.put(Data([2]), type: "image/png")
        _ = try await photos.store.write { writer in
            try writer.insert("Note", values: ["photo": .uri(inRow.absoluteString)])
        }
        // A row may come to refer to the second one.
        _ = try await assets.prune(keeping: 0)
        #expect(try photos.files().count == 2)
        photos.clock.advance(by: .seconds(100_000))
        _ = try await assets.prune(keeping: 0)
        #expect(try photos.files() == [PhotoService.name([1])])
        _ = try await assets.file(for: inRow)
    }

    @Test func `what a killed process has left is deleted, and a running download is not`()
        async throws
    {
        let folder = try Folder()
        let photos = try PhotoService(in: folder.path)
        let assets = try photos.engine().assets
        _ = try await assets.file(for: photos.addPhoto())
        try folder.write("x", to: "store.assets/\(PhotoService.name([9]))")
        try folder.write("y", to: "store.assets/left.part")
        let store = try #require(assets.folder)
        let running = try #require(try PartialFile.create("running.part", in: store))
        let deleted = try await assets.prune(keeping: 10_000)
        #expect(deleted == 2)
        #expect(try photos.files() == [PhotoService.name(), "running.part"].sorted())
        #expect(running.length == 0)
    }
}

/// A transport that counts how many requests are open at a time.
private final class ConcurrencyCounter: Transport {
    private let fake: FakeService
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    init(_ fake: FakeService) { self.fake = fake }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        counts.withLock { counts in
            counts.now += 1
            counts.most = max(counts.most, counts.now)
        }
        defer { counts.withLock { $0.now -= 1 } }
        await Task.yield()
        return try await fake.send(request, body: body)
    }
}
