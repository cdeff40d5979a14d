import TidemarkModel
import TidemarkRemote

/// Spooling a page that is too long for memory.
extension ResourcePull {
    /// Writes the body of a long page to a spool, and returns the metadata of the page.
    ///
    /// The store is not written to, so that a rejected page leaves nothing in it. The transport
    /// renews the lease while data arrives.
    mutating func spool(_ page: StreamedPage) async throws -> PageMetadata {
        let spool = try Spool.create()
        var offset = 0
        var chunk: [UInt8] = []
        for try await bytes in page.body {
            guard offset + chunk.count + bytes.count <= context.run.limits.http.bodyBytes else {
                throw page.tooLarge(limit: context.run.limits.http.bodyBytes)
            }
            chunk += bytes
            while chunk.count >= Spool.chunkBytes {
                try await spool.write(Array(chunk.prefix(Spool.chunkBytes)), at: offset)
                chunk.removeFirst(Spool.chunkBytes)
                offset += Spool.chunkBytes
            }
        }
        try await spool.write(chunk, at: offset)
        return try validate(page, in: spool)
    }

    /// Validates the whole body before any of it is applied.
    private mutating func validate(
        _ page: StreamedPage,
        in spool: Spool
    ) throws -> PageMetadata {
        let remote = context.run.remote
        let (metadata, offset) = try remote.metadata(of: page, read: spool.reader(from: 0))
        let included = try remote.companions(of: page, read: spool.reader(from: 0))
        body = .spooled(
            spool,
            items: SpooledItems.Position(offset: offset, count: metadata.count),
            included: included.map { SpooledItems.Position(offset: $0.offset, count: $0.count) }
        )
        return metadata
    }
}
