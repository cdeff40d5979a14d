import TidemarkModel
import TidemarkRemote

/// Spooling a page that is too long for memory.
extension ResourcePull {
    /// Writes the body of a long page to a spool, and returns the metadata of the page.
    ///
    /// The store is not written to, so that a rejected page leaves nothing in it. The transport
    /// renews the lease while data arrives.
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

    /// Validates the whole body before any of it is applied.
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

/// A spooled page, and the positions of its objects.
struct SpooledPage: Sendable {
    let stage: Spool

    var items: SpooledItems.Place

    /// Objects that the response includes because items refer to them.
    var companions: SpooledItems.Place?
}
