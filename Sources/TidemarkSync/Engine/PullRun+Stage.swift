import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// A page that is longer than memory should hold, on its way into the stage.
extension PullRun {
    /// Puts the bytes of a long page aside, and returns what they tell.
    mutating func stage(_ page: LongPage) async throws -> PageFacts {
        try await setting.clear(stage)
        do {
            return try await putAside(page)
        } catch let error as RemoteError {
            try await setting.clear(stage)
            throw error
        }
    }

    private mutating func putAside(_ page: LongPage) async throws -> PageFacts {
        var offset = 0
        var piece: [UInt8] = []
        for try await chunk in page.body {
            guard offset + piece.count + chunk.count <= setting.limits.bodyBytes else {
                throw page.tooLarge(limit: setting.limits.bodyBytes)
            }
            var rest = chunk[...]
            while !rest.isEmpty {
                let part = rest.prefix(Stage.pieceBytes - piece.count)
                piece += part
                rest = rest.dropFirst(part.count)
                guard piece.count == Stage.pieceBytes else { continue }
                try await write(piece, at: offset)
                offset += piece.count
                piece = []
            }
        }
        try await write(piece, at: offset)
        return try await look(over: page)
    }

    private func write(_ bytes: [UInt8], at offset: Int) async throws {
        try await setting.write(isLong: true) { [stage] db in
            try stage.write(db, bytes, at: offset)
        }
    }

    /// Looks at all that was put aside, before anything of it is applied.
    private mutating func look(over page: LongPage) async throws -> PageFacts {
        let (facts, staged) = try await store.writer.read { [setting, stage] db in
            let (facts, offset) = try setting.remote.facts(
                of: page,
                read: stage.reader(db, from: 0)
            )
            let companions = try setting.remote.companions(
                of: page,
                read: stage.reader(db, from: 0)
            )
            let staged = StagedPage(
                items: StagedItems.Place(offset: offset, count: facts.count),
                companions: companions.map {
                    StagedItems.Place(offset: $0.offset, count: $0.count)
                }
            )
            return (facts, staged)
        }
        pending = .staged(staged)
        return facts
    }
}

extension PullSetting {
    /// Forgets what pulls that died had put aside.
    func clearStages() async throws {
        let left = try await importer.store.writer.read(Stage.resources)
        for resource in left { try await clear(Stage(resource: resource)) }
    }

    /// Forgets what was put aside of one resource.
    fileprivate func clear(_ stage: Stage) async throws {
        var isAnythingLeft = true
        while isAnythingLeft {
            isAnythingLeft = try await write(isLong: true) { db in try stage.dropSome(db) }
        }
    }
}

/// Where the objects of a page stand that was put aside.
struct StagedPage: Sendable {
    var items: StagedItems.Place

    /// Objects that came along because others refer to them.
    var companions: StagedItems.Place?
}
