import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// Requesting a page.
extension ResourcePull {
    /// Requests a page, conditionally if it is cached.
    mutating func perform(
        _ fetch: PullStateMachine.Fetch,
        saving checkpoint: PullCheckpoint?
    ) async throws -> PullStateMachine.Event {
        if fetch.request.number == 1 { report.reading.rejectedItems = 0 }
        if fetch.request.number == 1, machine.attempt > 1 {
            itemsBefore = max(itemsBefore, report.items)
            report.restartCounting()
        }
        let response = try await response(to: fetch, saving: checkpoint)
        if case .received(let page) = response { record(page) }
        return response
    }

    private mutating func response(
        to fetch: PullStateMachine.Fetch,
        saving checkpoint: PullCheckpoint?
    ) async throws -> PullStateMachine.Event {
        if fetch.request.number == 1 { try await prepare(saving: checkpoint) }
        let entry = try await cacheEntry(of: fetch.request, fetch.revalidation)
        var request = fetch.request
        request.paging = request.paging ?? state.paging?.recognized
        request.validator = validator(of: fetch, entry)
        // What is followed is known, unlike what a suspected page may show.
        if request.number > 1, fetch.suspected == nil, let paging = request.paging {
            record(paging)
        }
        switch try await context.run.remote.response(to: request) {
        case .notModified(let page):
            // If the cached continuation of the list is no longer valid, the page is needed in
            // full.
            guard try await isUnchanged(page, since: entry),
                let metadata = try await metadata(of: page, from: entry, fetch.revalidation)
            else {
                var unconditional = fetch
                unconditional.revalidation = .none
                return try await response(to: unconditional, saving: checkpoint)
            }
            report.unchangedPages += 1
            return .notModified(metadata)
        case .page(let page):
            body = .buffered(page)
            return .received(page.metadata)
        case .streamed(let page):
            return .received(try await spool(page))
        }
    }

    /// Reads what the store contains before the first page of a list is requested.
    private mutating func prepare(saving checkpoint: PullCheckpoint?) async throws {
        // Before the request is sent: rows that are inserted later may be missing from the
        // response.
        (highestRow, hasCachedPages) = try await store.writer.read { [importer, resource] db in
            (
                try importer.highestRow(db, of: resource.entity),
                try PageCacheEntry.exist(db, in: resource.path)
            )
        }
        if let checkpoint {
            try await context.run.write { [self] db in try save(.save(checkpoint), db) }
        }
    }

    private mutating func record(_ page: PageMetadata) {
        report.failure = nil
        if let paging = page.paging { record(paging, isFollowed: page.next != nil) }
    }

    /// Remembers a recognized pagination, and adds a warning if it is unusual and leads on.
    mutating func record(_ paging: RecognizedPaging, isFollowed: Bool = true) {
        let stored = StoredPaging(paging)
        if resource.style.pagination == .automatic, isFollowed, stored != state.paging,
            !resource.isUsual(paging.pagination)
        {
            report.warnings.append(resource.recognized(paging))
        }
        state.paging = stored
    }

    // MARK: Cached pages

    /// Returns the cached metadata of a page if it may be used.
    private func cacheEntry(
        of request: PageRequest,
        _ revalidation: PullStateMachine.Revalidation
    ) async throws -> PageCacheEntry? {
        guard hasCachedPages, revalidation != .none else { return nil }
        let entry = try await store.writer.read { [context, resource] db in
            try PageCacheEntry.of(context.run.remote.location(of: request), in: resource.path, db)
        }
        if let entry, fetchesAssumedEnd(of: request, entry) { return nil }
        guard revalidation == .ownPages, entry?.run != machine.checkpoint.run else { return entry }
        return nil
    }

    /// Whether the second page of a list has to be requested, which a 304 response for the first
    /// one would prevent: a pull may have been killed before.
    private func fetchesAssumedEnd(of request: PageRequest, _ entry: PageCacheEntry) -> Bool {
        resource.style.asksForSecondPage && request.number == 1 && entry.next == nil
            && SuspectedPage.isFull(entry.count)
            && state.lastPull.unprovenEnd != .assumed(objects: entry.count)
    }

    /// Returns the validator that makes a request conditional; nil for an unconditional request.
    private func validator(
        of fetch: PullStateMachine.Fetch,
        _ entry: PageCacheEntry?
    ) -> CacheValidator? {
        switch resource.style.validation {
        case .none: return nil
        case .pages: return entry?.validator
        case .collection:
            guard fetch.request.number == 1, fetch.revalidation == .allPages else { return nil }
            switch fetch.request.mode {
            case .keys: return nil
            case .list: return CacheValidator(tag: state.version, modified: nil)
            case .changes(let since):
                guard case .version = resource.style.delta else { return nil }
                return CacheValidator(tag: since, modified: nil)
            }
        }
    }

    /// Whether a page was not modified, and has no following page that it did not have before.
    private func isUnchanged(
        _ page: PageResponse.NotModified,
        since entry: PageCacheEntry?
    ) async throws -> Bool {
        switch page.end(comparedTo: entry) {
        case .same: true
        case .different: false
        case .unclear: try await context.run.remote.isLast(page, total: entry?.total)
        }
    }

    /// Returns the metadata of an unmodified page; nil if it leads back to a page that was read
    /// already, as metadata that was cached at different times may.
    private func metadata(
        of page: PageResponse.NotModified,
        from entry: PageCacheEntry?,
        _ revalidation: PullStateMachine.Revalidation
    ) async throws -> PageMetadata? {
        var metadata = PageMetadata(count: entry?.count ?? 0)
        // A 304 has no body: a total in the body is that of the cached page.
        metadata.total = page.total ?? (page.request.total.isInBody ? entry?.total : nil)
        metadata.cursor = entry?.cursor
        metadata.isCursorOver = page.isOver(entry?.cursor)
        let mode = entry?.since.map { .changes(since: $0) } ?? page.request.mode
        // The link continues this request, whereas the cached next page may be requested since a
        // later cursor.
        let link = mode == page.request.mode ? page.next?.url : nil
        guard let url = link ?? entry?.next else { return metadata }
        var next: PageRequest
        do {
            next = try context.run.remote.next(
                after: page,
                at: url,
                for: mode,
                count: metadata.count
            )
        } catch let error as RemoteError where error.code == .paginationLoop {
            return nil
        }
        if let entry = try await cacheEntry(of: next, revalidation), entry.count > 0 {
            next.expectObjects()
        }
        metadata.next = next
        return metadata
    }
}

extension RemoteError {
    /// Whether the service has answered, and will probably answer the same again.
    var isAnswer: Bool {
        ![
            .unreachable, .connectionFailed, .timedOut, .truncated, .tlsFailed, .rateLimited,
            .serverError,
        ].contains(code)
    }
}
