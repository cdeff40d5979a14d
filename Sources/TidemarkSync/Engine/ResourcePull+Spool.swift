import TidemarkModel
import TidemarkRemote

/// A page that is longer than memory should hold, on its way into the stage.
extension ResourcePull {
    /// Writes the bytes of a long page into a stage, and returns what they tell.
    ///
    /// The store is not written to, so that a page that is rejected leaves nothing in it. The
    /// transport renews the lease while bytes arrive.
    mutating func stage(_ page: StreamedPage) async throws -> PageMetadata {
        let stage = try Spool()
        var offset = 0
        var piece: [UInt8] = []
        for try await chunk in page.body {
            guard offset + piece.count + chunk.count <= setting.limits.bodyBytes else {
                throw page.tooLarge(limit: setting.limits.bodyBytes)
            }
            var rest = chunk[...]
            while !rest.isEmpty {
                let part = rest.prefix(Spool.pieceBytes - piece.count)
                piece += part
                rest = rest.dropFirst(part.count)
                guard piece.count == Spool.pieceBytes else { continue }
                try await stage.write(piece, at: offset)
                offset += piece.count
                piece = []
            }
        }
        try await stage.write(piece, at: offset)
        return try check(page, in: stage)
    }

    /// Reads all that was staged, before anything of it is applied.
    private mutating func check(_ page: StreamedPage, in stage: Spool) throws -> PageMetadata {
        let (facts, offset) = try setting.remote.facts(of: page, read: stage.reader(from: 0))
        let companions = try setting.remote.companions(of: page, read: stage.reader(from: 0))
        pending = .staged(
            SpooledPage(
                stage: stage,
                items: SpooledItems.Place(offset: offset, count: facts.count),
                companions: companions.map {
                    SpooledItems.Place(offset: $0.offset, count: $0.count)
                }
            )
        )
        return facts
    }
}

/// A page that was staged, and where its objects are.
struct SpooledPage: Sendable {
    let stage: Spool

    var items: SpooledItems.Place

    /// Objects that came along because others refer to them.
    var companions: SpooledItems.Place?
}
