import TidemarkImport
import TidemarkModel
import TidemarkRemote

extension PullStateMachine {
    /// Processes an event, and returns the next action; nil if nothing remains to be done.
    ///
    /// An event that cannot occur in the current state is ignored.
    mutating func handle(_ event: Event) -> Action? {
        switch (state, event) {
        case (.ready, .started(let saved)):
            return start(from: saved)
        case (.awaiting(let fetch), .received(let page)):
            return apply(page, from: fetch)
        case (.awaiting(let fetch), .notModified(let page)):
            return mark(page, from: fetch)
        case (.applying(let page, let fetch), .applied(let batch)):
            return proceed(after: page, from: fetch, batch)
        case (.awaiting(let fetch), .notFollowed), (.applying(_, let fetch), .notFollowed):
            return fetch.suspected.flatMap { proceed(without: $0, after: .other) }
        case (.applying(_, var fetch), .rowsMissing):
            fetch.revalidation = .none
            return perform(fetch)
        case (.finishing, .finished(let digest, let hasUnlistedRows)):
            return conclude(digest, hasUnlistedRows: hasUnlistedRows)
        case (.finishing, .unconfirmed(let digest)):
            return confirm(digest)
        case (.verifyingCount, .counted(let count, let rows)):
            return compare(count, with: rows)
        case (.awaiting, .failed(.positionLost)), (.applying, .failed(.positionLost)),
            (.finishing, .failed(.positionLost)):
            return restart(after: .positionLost)
        case (.finishing, .failed(.nothingStored)):
            // What is wrong concerns the list as a whole, and not its last page.
            checkpoint.position = .restart
            return fail()
        case (.ended, _):
            return nil
        case (_, .failed):
            return fail()
        default:
            return nil
        }
    }

    // MARK: Which list

    private mutating func start(from saved: PullCheckpoint?) -> Action? {
        guard let saved, !start.isFull, !start.isVerification else { return begin(firstMode) }
        // Objects may have moved from the remaining pages to pages that were read before the
        // interruption.
        findings.isUnverified = true
        guard let request = request(at: saved) else {
            let mode = firstMode
            return begin(mode, repeating: saved.mode.name == mode.name ? saved : nil)
        }
        checkpoint = saved
        findings.followsAnotherList = saved.position == .firstPage
        return fetch(request, isResumed: true)
    }

    /// Returns the request for the page at a checkpoint; nil if it has no position.
    private func request(at checkpoint: PullCheckpoint) -> PageRequest? {
        switch checkpoint.position {
        case .restart: nil
        case .firstPage: PageRequest(first: resource, for: checkpoint.mode)
        case .page(let url, let number, let before):
            PageRequest(
                resuming: resource,
                for: checkpoint.mode,
                at: url,
                number: number,
                before: before
            )
        }
    }

    /// The list to read first: the changes if the service reports them and deletions are noticed,
    /// otherwise the whole list.
    private var firstMode: FetchMode {
        if start.isVerification, start.isCompleted {
            return resource.style.parameters.keys == nil ? .list : .keys
        }
        guard let cursor = start.cursor, resource.style.delta != .none, start.isCompleted,
            start.unprovenEnd?.isSuspected != true,
            !start.isFull, !start.isListDue, !start.areChangesBroken,
            resource.style.noticesDeletions,
            !start.hasPendingDeletion || resource.style.isVerifiable
        else { return .list }
        return changes(since: cursor)
    }

    /// Returns the changes since a cursor.
    ///
    /// Where the service may show changes late, since an earlier time.
    func changes(since cursor: String) -> FetchMode {
        guard case .since(let since) = resource.style.delta, since.overlap > .zero,
            let stamp = ChangeStamp(cursor)
        else { return .changes(since: cursor) }
        return .changes(since: stamp.earlier(by: since.overlap).text)
    }

    /// Starts reading a list from its first page.
    ///
    /// - Parameters:
    ///   - mode: The part of the list.
    ///   - attempt: The number of the attempt in this pull.
    ///   - earlier: An earlier read of the same list, whose checks this one continues.
    /// - Returns: The request for the first page.
    mutating func begin(
        _ mode: FetchMode,
        attempt: Int = 1,
        repeating earlier: PullCheckpoint? = nil
    ) -> Action? {
        self.attempt = attempt
        checkpoint = PullCheckpoint(mode, run: reading)
        checkpoint.expectedDigest = earlier?.expectedDigest
        checkpoint.isRecount = earlier?.isRecount ?? false
        checkpoint.cursor.latestKnown = findings.latest?.text
        if attempt == 1 { shownChanges = .latest(nil) }
        if mode == .list { findings.hasReadAll = true }
        return fetch(PageRequest(first: resource, for: mode))
    }

    /// Starts reading a list because the store is unverified.
    ///
    /// The cached pages of earlier reads are not used.
    mutating func escalate(to mode: FetchMode) -> Action? {
        findings.isUnverified = true
        findings.restarts += 1
        // A service that was reset may assign lower stamps than before.
        findings.latest = nil
        findings.followsAnotherList = true
        return begin(mode)
    }

    /// Why a list is read again from its start.
    enum RestartReason {
        /// A request failed, because the position no longer exists.
        case positionLost
        /// Objects moved between pages.
        case inconsistent
    }

    /// Reads the same list again from the start, or ends it after a few attempts.
    mutating func restart(after reason: RestartReason) -> Action? {
        if case .changes = checkpoint.mode, checkpoint.pageNumber == 1 {
            // The service no longer accepts the cursor, or does not support such requests.
            if reason == .positionLost { findings.changesProblem = .rejected }
            return escalate(to: .list)
        }
        guard checkpoint.pageNumber > 1, attempt < Self.attempts else {
            return reason == .positionLost ? fail() : finish(deletingUnlistedRows: false)
        }
        findings.isUnverified = true
        findings.restarts += 1
        return begin(wholeMode, attempt: attempt + 1, repeating: checkpoint)
    }

    /// Whether objects of a page have the guessed key of other objects of the list.
    private func repeatsGuessedKey(_ batch: BatchResult, from fetch: Fetch) -> Bool {
        guard start.isKeyGuessed else { return false }
        // An interrupted pull may have applied a part of this page, and sorted changes overlap.
        let mayRepeat = fetch.isResumed || isOldestFirst || areChangesMarked
        return batch.duplicates > 0 || batch.repeated > 0 && !mayRepeat
    }

    /// Reads a list again that has several objects with the same guessed key, or fails.
    ///
    /// Only an object that has moved between pages is not among the repeated ones the next time.
    private mutating func distrustKey(after batch: BatchResult) -> Action? {
        guard batch.duplicates == 0, attempt < Self.attempts else {
            // The next pull must not resume after the objects that were merged.
            checkpoint.position = .restart
            return fail(because: .repeatedKey)
        }
        findings.isUnverified = true
        findings.restarts += 1
        return begin(wholeMode, attempt: attempt + 1, repeating: checkpoint)
    }

    /// The part of the list to read when it is read again from the start.
    ///
    /// The checkpoint of sorted changes has advanced to a later cursor meanwhile.
    var wholeMode: FetchMode {
        guard case .changes = checkpoint.mode, let cursor = start.cursor else {
            return checkpoint.mode
        }
        return changes(since: cursor)
    }

    // MARK: Requests

    private mutating func fetch(_ request: PageRequest, isResumed: Bool = false) -> Action {
        perform(Fetch(request: request, revalidation: revalidation, isResumed: isResumed))
    }

    private mutating func perform(_ fetch: Fetch) -> Action {
        state = .awaiting(fetch)
        // If the pull is killed before the first page is in the store, the next pull begins with
        // this list and does not read the preceding one again.
        let isNew = fetch.request.number == 1 && findings.followsAnotherList
        return .fetch(fetch, saving: isNew ? firstCheckpoint : nil)
    }

    /// Which cached page metadata is used.
    ///
    /// If the store is unverified, only that of pages which were received since.
    private var revalidation: Revalidation {
        guard
            findings.isUnverified || start.isFull || start.isVerification
                // The first page may no longer have what was suspected.
                || start.unprovenEnd?.isSuspected == true
        else {
            return .allPages
        }
        return checkpoint.run == reading ? .ownPages : .none
    }

    /// The identifier of the reads of lists in this pull that may use each other's cached pages.
    private var reading: String {
        findings.restarts == 0 ? run : "\(run).\(findings.restarts)"
    }

    // MARK: Pages

    private mutating func proceed(
        after page: PageMetadata,
        from fetch: Fetch,
        _ batch: BatchResult
    ) -> Action? {
        if let suspected = fetch.suspected {
            guard follows(batch, suspected) else {
                // A page without objects may lead to one with objects.
                if batch.items == 0, let next = page.next {
                    return perform(Fetch(request: next, revalidation: .none, suspected: suspected))
                }
                let isSame = batch.repeated > 0 && batch.repeated == batch.items
                return proceed(without: suspected, after: .list(isSame: isSame))
            }
            note(page, from: fetch)
        }
        checkpoint = checkpoint(after: page, from: fetch, batch)
        if repeatsGuessedKey(batch, from: fetch) { return distrustKey(after: batch) }
        if let next = page.next { return self.fetch(next) }
        return page.suspected.map { follow($0) } ?? finishList()
    }

    /// Whether a suspected page, which was applied, follows the first one: it has other objects.
    ///
    /// Which number the first page has is only shown by a page with other objects alone: one object
    /// may have been inserted between the two requests.
    func follows(_ batch: BatchResult, _ suspected: SuspectedPage) -> Bool {
        // Keys without a row are those of other objects, too.
        let unknown = checkpoint.mode == .keys ? 0 : batch.itemsWithoutRow
        guard batch.items - unknown - batch.repeated > 0 else { return false }
        switch suspected.otherwise {
        case .page, .suspected: return batch.repeated == 0
        case .end, .assumedEnd: return true
        }
    }

    /// Requests a page that may follow.
    private mutating func follow(_ suspected: SuspectedPage) -> Action? {
        // A list that is assumed to be complete is asked once, as long as it has as many objects.
        let isRemembered =
            suspected.isAssumed && suspected.unprovenEnd == start.unprovenEnd && !start.isFull
        guard let next = suspected.next, !isRemembered else {
            return proceed(without: suspected, after: .other)
        }
        return perform(Fetch(request: next, revalidation: .none, suspected: suspected))
    }

    /// The answer to a request for a page that does not follow.
    private enum Answer {
        /// A list, of the same objects as the first page or of none or few others.
        case list(isSame: Bool)
        /// Anything else.
        case other
    }

    /// Continues a list after its first page, which a suspected page does not follow.
    private mutating func proceed(
        without suspected: SuspectedPage,
        after answer: Answer
    ) -> Action? {
        switch (suspected.otherwise, answer) {
        case (.page(let next), .list(isSame: true)): return fetch(next)
        // Only the same objects show which number the first page has: a list of one page has
        // nothing at page 1 if pages are counted from 0.
        case (.page(let next), _): return fetch(next.uncounted)
        case (.suspected(let other), .list(isSame: true)): return follow(other)
        case (.suspected(var other), _):
            other.next = other.next?.uncounted
            return follow(other)
        case (.end(_, isDecidable: true), .list): return finishList()
        // The whole list shows whether it continues in the same way.
        case (.end, _) where checkpoint.mode.cursor != nil: return distrustChanges()
        case (.end, _), (.assumedEnd, _):
            findings.unprovenEnd = suspected.unprovenEnd
            return finishList()
        }
    }

    private mutating func apply(_ page: PageMetadata, from fetch: Fetch) -> Action? {
        if page.wasReset {
            findings.wasReset = true
            return escalate(to: .list)
        }
        if fetch.request.number == 1, checkpoint.mode == .list { findings.unprovenEnd = nil }
        findings.hasChanges = true
        findings.latest = latest(of: findings.latest, and: page.latest)
        if case .latest(let stamp) = shownChanges {
            shownChanges = .latest(latest(of: stamp, and: page.latest))
        }
        read(page, from: fetch)
        return .apply(page, of: fetch.request)
    }

    private mutating func mark(_ page: PageMetadata, from fetch: Fetch) -> Action? {
        // The validator of a collection covers all of its pages.
        if resource.style.validation == .collection { return end(success) }
        // The content was checked when the page was received.
        shownChanges = .unknown
        read(page, from: fetch)
        return .mark(page, of: fetch.request)
    }

    private mutating func read(_ page: PageMetadata, from fetch: Fetch) {
        // What a suspected page says counts if it follows.
        if fetch.suspected == nil { note(page, from: fetch) }
        state = .applying(page, fetch)
    }

    /// Records what a page says about the list.
    private mutating func note(_ page: PageMetadata, from fetch: Fetch) {
        if let total = page.total, let first = checkpoint.total, total != first, !isOldestFirst {
            checkpoint.inconsistencies += 1
        }
        checkpoint.total = checkpoint.total ?? page.total
        // The cursor stops at a time that had not passed when the page was sent: an object of the
        // page may change at the same time once more, and later pages would not show it.
        if let cursor = page.cursor, !checkpoint.cursor.isFinal {
            checkpoint.cursor.candidate = cursor
            checkpoint.cursor.isFinal =
                !page.isCursorOver && page.next?.mode == fetch.request.mode
        }
    }

    private func latest(of one: ChangeStamp?, and other: ChangeStamp?) -> ChangeStamp? {
        [one, other].compactMap(\.self).max()
    }

    // MARK: Checkpoints to save

    /// The checkpoint to save when the import session of the list starts.
    ///
    /// The position of an earlier read is no longer valid then.
    var firstCheckpoint: PullCheckpoint {
        checkpoint.restarted(at: findings.followsAnotherList ? .firstPage : .restart)
    }

    /// Returns the checkpoint to save with the objects of the page that is being applied; nil for
    /// the last page.
    ///
    /// The checkpoint of the last page stays, so that a resumed pull requests that page again.
    func checkpoint(after batch: BatchResult) -> PullCheckpoint? {
        guard case .applying(let page, let fetch) = state, page.next != nil,
            // Whether the page follows is known once it was applied.
            fetch.suspected == nil
        else { return nil }
        return checkpoint(after: page, from: fetch, batch)
    }

    private func checkpoint(
        after page: PageMetadata,
        from fetch: Fetch,
        _ batch: BatchResult
    ) -> PullCheckpoint {
        var checkpoint = checkpoint
        // The interrupted pull had applied a part of this page: these objects did not move.
        checkpoint.items += batch.items - (fetch.isResumed ? 0 : batch.repeated)
        if !fetch.isResumed, !isOldestFirst { checkpoint.inconsistencies += batch.repeated }
        checkpoint.itemsWithoutRow += batch.itemsWithoutRow
        guard let next = page.next, let url = next.url else { return checkpoint }
        checkpoint.position = .page(url: url, number: next.number, before: next.before)
        // Each page of sorted changes is requested since the latest stamp of the page before. If
        // that stamp has not advanced, the next page is requested by its number, and objects may
        // move.
        if case .changes = next.mode {
            checkpoint.isPagedByNumber =
                checkpoint.isPagedByNumber || checkpoint.mode == next.mode
            checkpoint.mode = next.mode
        }
        return checkpoint
    }
}
