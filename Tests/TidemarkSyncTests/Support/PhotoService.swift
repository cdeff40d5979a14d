import Foundation
import GRDB
import HTTPTypes
import TidemarkFakeServices
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// A service of notes with photos, and a store in a file that is synced with it.
struct PhotoService {
    enum Dialect: String, CaseIterable, Sendable {
        case rest, parse
    }

    let dialect: Dialect
    let fake: FakeService
    let store: Store
    let clock = ManualClock(seed: 1)
    var service: Service
    var limits = Limits.longTimeout

    /// The folder of the files: nil for the one next to the store.
    var folder: URL?

    /// The bytes of a photo, long enough for several parts.
    static let photo = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 * 7) }

    /// Creates a service without notes, and an empty store in a folder.
    init(_ dialect: Dialect = .rest, in path: String) throws {
        try self.init(
            dialect,
            store: Store.validated(at: "\(path)/store", model: Self.model(dialect))
        )
    }

    /// Creates a service without notes.
    init(_ dialect: Dialect = .rest, store: Store) throws {
        self.dialect = dialect
        self.store = store
        var fakeDialect = dialect == .parse ? FakeDialect.parse() : .rest()
        var writes = FakeWrites()
        writes.files = "files"
        if dialect == .parse {
            writes.keys = .letters
            writes.idempotency = "X-Parse-Request-Id"
        }
        fakeDialect.writes = writes
        fake = FakeService(
            collections: ["notes": []],
            dialect: fakeDialect,
            environment: clock.environment
        )
        service = dialect == .parse ? .parseServer(url: fake.url) : .rest(url: fake.url)
        service.push = dialect == .parse ? .parse : .rest
        if dialect == .rest {
            service.push.body.uploads = .init(.post, path: "files/{name}", url: ["url"])
        }
    }

    static func model(_ dialect: Dialect = .rest) -> Model {
        Model(entities: [
            EntityDescription(
                "Note",
                attributes: [
                    dialect == .parse
                        ? Attribute("id", .string, remoteKey: "objectId")
                        : Attribute("id", .integer64),
                    Attribute("text", .string),
                    Attribute("photo", .uri, isAsset: true),
                ]
            )
        ])
    }

    func engine(
        over transport: (any Transport)? = nil,
        into other: Store? = nil
    ) throws -> SyncEngine {
        try SyncEngine(
            store: other ?? store,
            service: service,
            resources: [
                service.resource("Note", path: dialect == .parse ? "classes/notes" : "notes/")
            ],
            transport: AnyTransport(transport ?? fake),
            assetFolder: folder,
            environment: clock.environment,
            limits: limits
        )
    }

    /// Returns the URL of a file of the service.
    func url(_ path: String = "media/a.png") -> URL { fake.url.appending(path: path) }

    /// Adds a photo to the service, and returns its URL.
    @discardableResult
    func addPhoto(_ path: String = "media/a.png", _ bytes: [UInt8] = Self.photo) -> URL {
        fake.setFile(bytes, type: "image/png", at: path)
        return url(path)
    }

    /// The name under which a photo is stored.
    static func name(_ bytes: [UInt8] = photo, _ suffix: String = "png") -> String {
        var hash = ContentHash()
        hash.update(bytes)
        return "\(hash.hexadecimal).\(suffix)"
    }

    /// The names of the files in the folder, sorted.
    func files() throws -> [String] {
        let folder = try engine().assets.folder
        return try folder?.contents().keys.sorted() ?? []
    }

    /// Prints what the store knows about files: the path, the length, the type, and the state.
    func records() throws -> [String] {
        try store.writer.read { db in
            try AssetTable.existing(db)?.records().map { record in
                let path = record.url.replacing(fake.url.absoluteString, with: "")
                    .replacing(Self.name(), with: "PHOTO")
                let state = record.partial == nil ? "complete" : "partial"
                return "\(path) \(record.bytes ?? -1) \(record.type ?? "–") \(state)"
            } ?? []
        }
    }

    /// The requests as lines, with the ranges that were requested.
    var requests: [String] {
        fake.requests.map { entry in
            let range = entry.request.headerFields[.range].map { " \($0)" } ?? ""
            return "\(entry)\(range)".replacing(Self.name(), with: "PHOTO")
        }
    }

    /// Prints the rows, the local changes that are left, and what clients have done at the service.
    func state() throws -> String {
        var lines: [String] = try store.read { reader in
            let rows = try Row.fetchAll(reader.db, sql: "SELECT * FROM Note ORDER BY _id")
                .map { row in
                    let id = (row["id"] as DatabaseValue).isNull ? "–" : "id"
                    return "Note#\(row["_id"] as Int64) \(id) \(row["text"] as String? ?? "–") "
                        + "\(row["photo"] as String? ?? "–")"
                }
            let changes = try Row.fetchAll(
                reader.db,
                sql: """
                    SELECT row, kind, state, reason FROM _tidemark_change \
                    LEFT JOIN _tidemark_request ON change = _id ORDER BY _id
                    """
            )
            .map { row in
                "#\(row[0] as Int64) \(row[1] as String), \(row[2] as String)"
                    + ((row[3] as String?).map { ": \($0)" } ?? "")
            }
            return rows + changes
        }
        lines += fake.audit.map(\.description)
        return lines.joined(separator: "\n")
            .replacing(Self.name(), with: "PHOTO").replacing(fake.url.absoluteString, with: "")
            .replacing(#/"(objectId|id)":("[A-Za-z0-9]+"|\d+),?/#, with: "")
            .replacing(#/notes\/[A-Za-z0-9]+/#, with: "note")
    }
}

extension PhotoService {
    /// Adds a note with the photo to the store.
    func addNote(text: String = "mine") async throws {
        let photo = try await engine().assets.put(Data(Self.photo), type: "image/png")
        _ = try await store.write { writer in
            try writer.insert(
                "Note",
                values: ["text": .string(text), "photo": .uri(photo.absoluteString)]
            )
        }
    }
}
